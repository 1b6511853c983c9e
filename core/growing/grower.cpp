#include "grower.hpp"

#include <algorithm>
#include <utility>

#include "../tree/answer.hpp"

namespace thriftwood {

namespace {

// Sums of a million votes are off by some 1e-11 of themselves.
constexpr double vote_tolerance = 1e-10;

// Priorities are rounded when they are set, so equal ones are equal to the bit, and the earlier node wins.
bool less_promising(const OpenNode& a, const OpenNode& b) {
  if (a.choice->priority != b.choice->priority) return a.choice->priority < b.choice->priority;
  return a.number > b.number;
}

}  // namespace

Tree Grower::grow(std::span<const Row> subset) {
  GrowingTree growing = start();
  Part part = rows_.whole(subset);
  training_rows_ = part.count;
  Summary summary = rows_.summary(part);
  whole_weight_ = summary.weight;
  if (std::holds_alternative<Lasc>(settings_.merit)) price_unit_ = price_unit();
  describe(growing, add_nodes(growing.tree, 1), summary, 0);
  std::vector<OpenNode> later;
  if (may_split(summary, 0)) {
    OpenNode root{0, 0, std::move(part), std::move(summary)};
    root.key = settings_.seed;
    push(growing, std::move(root), workspaces_[0], &pool_);
    // Samples keep all threads busy at one node.
    const bool set_aside = pool_.size() > 1 && independent() && settings_.choosing != Choosing::Sampled;
    run(growing, workspaces_[0], &pool_, set_aside ? &later : nullptr);
  }
  if (settings_.order == Order::Depth && later.empty()) return std::move(growing.tree);  // numbered as `compact` would
  graft(growing, later);
  return compact(growing.tree);
}

GrowingTree Grower::start() const {
  GrowingTree growing;
  growing.choosing = settings_.choosing;
  growing.tree.regression = target_.regression;
  growing.tree.width = target_.regression ? 1 : target_.classes;
  for (const Column& column : table_.columns) growing.tree.feature_values.push_back(column.values);
  return growing;
}

void Grower::describe(GrowingTree& growing, Index number, const Summary& summary, Index label_if_empty) const {
  Node& node = growing.tree.node(number);
  node.weight = std::max(0.0, summary.weight);
  node.impurity = summary.weight > 0.0 ? std::max(0.0, avoidable_cost(summary) / summary.weight) : 0.0;
  const std::span<double> values = growing.tree.value(number);
  if (target_.regression) {
    const bool by_median = settings_.impurity == ImpurityName::AbsoluteError;
    values[0] = by_median ? summary.median : summary.centre + (summary.weight > 0.0 ? summary.cell[1] / summary.weight : 0.0);
    node.risk = std::max(0.0, summary.cost);
    return;
  }
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = std::max(0.0, summary.cell[c]);
  node.label = summary.weight > 0.0 ? cheapest_answer(values, {}) : label_if_empty;
  node.risk = std::max(0.0, summary.weight - values[static_cast<std::size_t>(node.label)]);
}

bool Grower::may_split(const Summary& summary, int depth) const {
  if (settings_.max_depth > 0 && depth >= settings_.max_depth) return false;
  if (summary.weight < settings_.min_split_weight - 1e-9 || summary.weight <= 0.0) return false;
  return !pure(summary);
}

bool Grower::pure(const Summary& summary) const {
  if (target_.regression) return summary.constant;
  const double largest = *std::max_element(summary.cell.begin(), summary.cell.end());
  if (target_.best_share.empty()) return summary.weight - largest <= tie_tolerance * summary.weight;
  return summary.weight - largest - summary.unavoidable <= vote_tolerance * summary.weight;  // one answer is the best for every case
}

void Grower::push(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool) {
  open.number = growing.opened++;
  if (settings_.order == Order::Best && !open.choice) {
    rows_.prepare(open.part, open.summary, workspace);
    open.choice = choose(growing, open, workspace, pool);
    if (!open.choice) {
      if (paid_together()) growing.shelved.push_back(std::move(open));
      return;
    }
  }
  enqueue(growing, std::move(open));
}

void Grower::enqueue(GrowingTree& growing, OpenNode&& open) const {
  growing.open.push_back(std::move(open));
  if (settings_.order == Order::Best) std::push_heap(growing.open.begin(), growing.open.end(), less_promising);
}

OpenNode Grower::take(GrowingTree& growing) const {
  if (settings_.order == Order::Best) std::pop_heap(growing.open.begin(), growing.open.end(), less_promising);
  if (settings_.order != Order::Breadth) {
    OpenNode open = std::move(growing.open.back());
    growing.open.pop_back();
    return open;
  }
  OpenNode open = std::move(growing.open[growing.taken++]);
  if (2 * growing.taken >= growing.open.size()) {
    growing.open.erase(growing.open.begin(), growing.open.begin() + static_cast<std::ptrdiff_t>(growing.taken));
    growing.taken = 0;
  }
  return open;
}

void Grower::run(GrowingTree& growing, Workspace& workspace, ThreadPool* pool, std::vector<OpenNode>* later) {
  while (!growing.open.empty() && static_cast<double>(growing.splits) < settings_.max_splits) {
    if (growing.sample && stopped()) return;
    OpenNode open = take(growing);
    if (later != nullptr && small(open.part)) {
      later->push_back(std::move(open));
      continue;
    }
    rows_.prepare(open.part, open.summary, workspace);
    if (open.choice && stale(growing, open)) {
      open.choice.reset();  // what it would buy has another price now, so its turn may come later
      push(growing, std::move(open), workspace, pool);
      continue;
    }
    if (!open.choice) open.choice = choose(growing, open, workspace, pool);
    if (!open.choice) continue;
    const std::size_t bought = growing.bought.size();
    expand(growing, std::move(open), workspace, pool);
    if (growing.bought.size() == bought) continue;
    for (OpenNode& node : std::exchange(growing.shelved, {})) push(growing, std::move(node), workspace, pool);
  }
}

void Grower::graft(GrowingTree& growing, std::vector<OpenNode>& later) {
  std::vector<GrowingTree> subtrees(later.size());
  pool_.run(later.size(), [&](std::size_t i, int worker) {
    GrowingTree& subtree = subtrees[i] = start();
    OpenNode& open = later[i];
    Workspace& workspace = workspaces_[static_cast<std::size_t>(worker)];
    add_nodes(subtree.tree, 1);
    subtree.tree.node(0) = growing.tree.node(open.node);
    std::copy_n(growing.tree.value(open.node).begin(), subtree.tree.width, subtree.tree.value(0).begin());
    OpenNode root{0, open.depth, std::move(open.part), std::move(open.summary), std::move(open.path), open.path_factor, std::move(open.choice)};
    root.key = open.key;
    push(subtree, std::move(root), workspace, nullptr);
    run(subtree, workspace, nullptr, nullptr);
  });
  for (std::size_t i = 0; i < later.size(); ++i) set_in(growing.tree, later[i].node, subtrees[i].tree);
}

void Grower::expand(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool) {
  const NodeView node = view(open);
  const Split split = rows_.split(open.part, node, open.choice->offer, workspace);
  if (settings_.max_leaves > 0 && growing.leaves + static_cast<std::size_t>(split.branches) - 1 > static_cast<std::size_t>(settings_.max_leaves)) return;
  rows_.weigh(open.part, open.summary, split, workspace);
  const Division& division = workspace.division;
  const Index first = add_nodes(growing.tree, split.branches);
  install(growing.tree, open.node, first, split, open.choice->offer.gain + open.choice->offer.penalty);
  pay(growing, open);
  ++growing.splits;
  growing.leaves += static_cast<std::size_t>(split.branches) - 1;
  std::vector<bool>& branch_open = growing.branch_open;
  branch_open.clear();
  for (Index b = 0; b < split.branches; ++b) {
    const Summary& summary = division.branches[static_cast<std::size_t>(b)];
    describe(growing, first + b, summary, growing.tree.node(open.node).label);
    if (target_.regression && summary.weight <= 0.0) growing.tree.value(first + b)[0] = growing.tree.value(open.node)[0];
    const bool ends = settings_.missing == Missing::Stay && b == split.missing_route;
    branch_open.push_back(!ends && may_split(summary, open.depth + 1));
  }
  if (std::none_of(branch_open.begin(), branch_open.end(), [](bool is_open) { return is_open; })) return;
  ThreadPool* movers = pool != nullptr && pool->size() > 1 && rows_.work(open.part) >= worth_sharing ? pool : nullptr;
  workspace.kept.swap(open.choice->kept);
  std::vector<Part>& parts = growing.parts;
  rows_.divide(open.part, branch_open, workspace, workspaces_, movers, parts);
  for (Index i = 0; i < split.branches; ++i) {
    // The newest open node is taken first in depth-first order, so the leftmost branch must be pushed last.
    const Index b = settings_.order == Order::Depth ? split.branches - 1 - i : i;
    const auto at = static_cast<std::size_t>(b);
    if (!branch_open[at]) continue;
    OpenNode branch{first + b, open.depth + 1, std::move(parts[at]), std::move(workspace.division.branches[at]), open.path, open.path_factor};
    branch.key = key_below(open.key, static_cast<std::uint64_t>(b));
    if (at < open.choice->planned.size() && open.choice->planned[at].offer.feature >= 0) branch.choice = std::move(open.choice->planned[at]);
    push(growing, std::move(branch), workspace, pool);
  }
}

void Grower::pay(GrowingTree& growing, OpenNode& open) const {
  const Offer& offer = open.choice->offer;
  if (offer.split_info > 0.0) open.path_factor /= offer.split_info;
  if (settings_.prices == nullptr) return;
  if (!settings_.prices->upfront()) {
    open.path.push_back(offer.feature);
    return;
  }
  const auto buy = [&growing](Index feature) {
    if (feature >= 0 && std::find(growing.bought.begin(), growing.bought.end(), feature) == growing.bought.end()) growing.bought.push_back(feature);
  };
  buy(offer.feature);
  for (const Choice& planned : open.choice->planned) buy(planned.offer.feature);  // the component is bought as a whole
}

}  // namespace thriftwood
