#include "outline.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../tree/relabel.hpp"

namespace thriftwood {

void Outline::sum_up() {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].end > static_cast<Index>(i) + 1) std::fill_n(weight_of(i), classes, 0.0);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].parent < 0) continue;
    for (std::size_t c = 0; c < classes; ++c) weight_of(static_cast<std::size_t>(nodes[i].parent))[c] += weight_of(i)[c];
  }
}

Drafter::Drafter(const Ground& ground)
    : ground_(ground),
      bits_per_node_(ground.shape.bits_per_node()),
      answered_(ground.questions.size(), 0),
      levels_((ground.shape.depth + 1) * ground.sets.words()),
      nobody_(ground.sets.words(), 0) {
  outline_.classes = static_cast<std::size_t>(ground.judged.classes);
}

Outline& Drafter::draw(const Bits& string) {
  string_ = &string;
  outline_.nodes.clear();
  outline_.weights.clear();
  outline_.parts.clear();
  pieces_.clear();
  for (Row row : ground_.apart) pieces_.push_back({row, ground_.judged.weight(row), false, -1});
  spent_ = {};
  spent_.ordered = ground_.budget && ground_.budget.prices->upfront();
  grow({0, 0, ground_.sets.all(), 0, pieces_.size()}, 0, -1);
  return outline_;
}

void Drafter::grow(Place place, Index branch, Index parent) {
  const auto node = static_cast<Index>(outline_.nodes.size());
  Index question = question_at(place);
  if (question >= 0 && !affordable(question)) question = -1;
  std::optional<Spending> before;  // what an order has bought stays bought for all nodes of it
  if (question >= 0 && ground_.budget) {
    if (!spent_.ordered) before = spent_;
    spent_.add(ground_.budget, ground_.questions[static_cast<std::size_t>(question)].feature);
  }
  outline_.nodes.push_back({question, branch, parent, 0});
  outline_.weights.resize(outline_.weights.size() + outline_.classes, 0.0);
  if (question < 0) {
    weigh(place, node);
  } else if (!spreads(place, static_cast<std::size_t>(question))) {
    divide(place, static_cast<std::size_t>(question), node);
  } else if (!divide_pieces(place, static_cast<std::size_t>(question), node)) {
    outline_.nodes[static_cast<std::size_t>(node)].question = -1;
    weigh(place, node);
  }
  outline_.nodes[static_cast<std::size_t>(node)].end = static_cast<Index>(outline_.nodes.size());
  if (before) spent_ = std::move(*before);
}

bool Drafter::affordable(Index question) {
  const Index feature = ground_.questions[static_cast<std::size_t>(question)].feature;
  if (!ground_.budget || spent_.has(feature)) return true;
  if (!basket_) basket_.emplace(*ground_.budget.prices);
  return within_budget(spent_.most(*basket_, feature), ground_.budget.limit);
}

Index Drafter::question_at(Place& place) const {
  while (place.level < ground_.shape.depth) {
    const std::uint32_t number = string_->field(place.gene * bits_per_node_, bits_per_node_);
    if (number == 0 || number > answered_.size()) return -1;
    const Index before = answered_[number - 1];
    if (before == 0) return static_cast<Index>(number - 1);
    place.gene = place.gene * ground_.shape.branches + static_cast<std::size_t>(before);
    ++place.level;
  }
  return -1;
}

bool Drafter::spreads(const Place& place, std::size_t question) const {
  if (place.first < place.last) return true;
  const std::uint64_t* unanswered = ground_.sets.unanswered(question);
  if (unanswered == nullptr) return false;
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < ground_.sets.words(); ++w) any |= place.whole[w] & unanswered[w];
  return any != 0;
}

void Drafter::divide(const Place& place, std::size_t question, Index node) {
  const Index outcomes = ground_.questions[question].outcomes;
  for (Index outcome = 0; outcome < outcomes; ++outcome) {
    const std::uint64_t* whole = taken(place, question, outcome);
    if (whole == nullptr) continue;
    answered_[question] = outcome + 1;
    grow(below(place, outcome, whole), outcome, node);
  }
  answered_[question] = 0;
}

const std::uint64_t* Drafter::taken(const Place& place, std::size_t question, Index outcome) {
  const std::size_t words = ground_.sets.words();
  std::uint64_t* whole = levels_.data() + (place.level + 1) * words;
  const std::uint64_t* set = ground_.sets.outcome(question, outcome);
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < words; ++w) any |= whole[w] = place.whole[w] & set[w];
  return any != 0 ? whole : nullptr;
}

bool Drafter::divide_pieces(Place place, std::size_t question, Index node) {
  const Question& asked = ground_.questions[question];
  const RowSets& sets = ground_.sets;
  const std::size_t base = known_.size(), before = place.last;
  known_.resize(base + static_cast<std::size_t>(asked.outcomes), 0.0);
  for (std::size_t i = place.first; i < place.last; ++i) {
    pieces_[i].outcome = asked.outcome(ground_.judged.table, pieces_[i].row);
    if (pieces_[i].outcome >= 0) known_[base + static_cast<std::size_t>(pieces_[i].outcome)] += pieces_[i].share;
  }
  if (const std::uint64_t* unanswered = sets.unanswered(question); unanswered != nullptr)
    for (std::size_t w = 0; w < sets.words(); ++w)
      for (std::uint64_t left = place.whole[w] & unanswered[w]; left != 0; left &= left - 1)
        pieces_.push_back({sets.row_at(64 * w + static_cast<std::size_t>(std::countr_zero(left))), 1.0, false, -1});
  place.last = pieces_.size();
  double all = 0.0;
  Index takers = 0;  // outcomes that some case has: counted, because the weight of one may be lost in that of all
  for (Index v = 0; v < asked.outcomes; ++v) {
    const std::uint64_t* set = sets.outcome(question, v);
    double& known = known_[base + static_cast<std::size_t>(v)];
    for (std::size_t w = 0; w < sets.words(); ++w) known += count_bits(place.whole[w] & set[w]);
    all += known;
    takers += known > 0.0;
  }
  for (Index v = 0; v < asked.outcomes; ++v) {
    const double known = known_[base + static_cast<std::size_t>(v)];
    if (!(known > 0.0)) continue;
    const std::uint64_t* whole = taken(place, question, v);
    Place part = below(place, v, whole != nullptr ? whole : nobody_.data());
    for (std::size_t i = place.first; i < place.last; ++i) {
      const Piece piece = pieces_[i];
      if (piece.outcome == v) pieces_.push_back(piece);
      if (piece.outcome < 0) pieces_.push_back({piece.row, piece.share * (known / all), piece.parted || takers > 1, -1});
    }
    part.last = pieces_.size();
    answered_[question] = v + 1;
    grow(part, v, node);
    pieces_.resize(place.last);
  }
  answered_[question] = 0;
  known_.resize(base);
  pieces_.resize(before);
  return all > 0.0;
}

void Drafter::weigh(const Place& place, Index node) {
  double* weights = outline_.weight_of(static_cast<std::size_t>(node));
  ground_.sets.add_counts(place.whole, weights);
  for (std::size_t i = place.first; i < place.last; ++i) {
    const Piece& piece = pieces_[i];
    weights[ground_.judged.labels[piece.row]] += piece.share;
    if (piece.parted) outline_.parts.push_back({node, piece.row, piece.share});
  }
}

namespace {

void copy_node(const Outline& outline, std::size_t from, const Ground& ground, Tree& tree, Index to) {
  std::copy_n(outline.weights_of(from).begin(), outline.classes, tree.value(to).begin());
  Node& node = tree.node(to);
  if (outline.nodes[from].question < 0) return;
  const Question& question = ground.questions[static_cast<std::size_t>(outline.nodes[from].question)];
  node.kind = question.kind;
  node.feature = question.feature;
  node.threshold = question.threshold;
  node.first_child = tree.size();
  node.n_children = question.outcomes;
  if (question.kind == NodeKind::Nominal) {
    node.map_offset = static_cast<Index>(tree.branch_map.size());
    for (Index category = 0; category < static_cast<Index>(question.numbers->size()); ++category)
      tree.branch_map.push_back(question.outcome_of(category));
  }
}

void add_nodes(Tree& tree, std::size_t n) {
  tree.nodes.resize(tree.nodes.size() + n);
  tree.values.resize(tree.nodes.size() * static_cast<std::size_t>(tree.width), 0.0);
}

// What mistakes cost at a node if it answers, and what its question saves of that, per unit of weight.
void set_gains(Tree& tree) {
  for (Index i = 0; i < tree.size(); ++i) {
    Node& node = tree.node(i);
    if (!(node.weight > 0.0)) continue;
    node.impurity = node.risk / node.weight;
    double below = 0.0;
    for (Index b = 0; b < node.n_children; ++b) below += tree.node(node.first_child + b).risk;
    if (!node.leaf()) node.gain = (node.risk - below) / node.weight;
  }
}

// Whether the answer follows from those to earlier questions about the number.
bool implied(const Outline& outline, std::size_t node, const Ground& ground) {
  const auto asked = [&](std::size_t i) -> const Question& { return ground.questions[static_cast<std::size_t>(outline.nodes[i].question)]; };
  const Question& own = asked(node);
  if (own.kind != NodeKind::Threshold) return false;
  for (std::size_t i = node; outline.nodes[i].parent >= 0;) {
    const Index branch = outline.nodes[i].branch;
    i = static_cast<std::size_t>(outline.nodes[i].parent);
    const Question& above = asked(i);
    if (above.feature == own.feature && (branch == 0 ? above.threshold <= own.threshold : above.threshold >= own.threshold)) return true;
  }
  return false;
}

}  // namespace

Tree to_tree(Outline& outline, const Ground& ground) {
  outline.sum_up();
  Tree tree;
  tree.width = ground.judged.classes;
  tree.cases = weighted_cases(ground.judged.weights);
  for (const Column& column : ground.judged.table.columns) tree.feature_values.push_back(column.values);
  std::vector<Index> place(outline.nodes.size(), 0);  // of each node of the outline in the tree
  std::vector<bool> passed(outline.nodes.size(), false);
  add_nodes(tree, 1);
  for (std::size_t i = 0; i < outline.nodes.size();) {
    const Outline::Node& drawn = outline.nodes[i];
    if (drawn.parent >= 0) {
      const Index above = place[static_cast<std::size_t>(drawn.parent)];
      place[i] = passed[static_cast<std::size_t>(drawn.parent)] ? above : tree.node(above).first_child + drawn.branch;
    }
    passed[i] = drawn.question >= 0 && implied(outline, i, ground);
    if (passed[i]) {  // its only branch, the next node, takes its place
      ++i;
      continue;
    }
    copy_node(outline, i, ground, tree, place[i]);
    add_nodes(tree, static_cast<std::size_t>(tree.node(place[i]).n_children));
    i = drawn.question < 0 ? static_cast<std::size_t>(drawn.end) : i + 1;  // what is below a leaf was cut
  }
  relabel(tree, ground.judged.loss);
  set_gains(tree);
  return compact(tree);
}

}  // namespace thriftwood
