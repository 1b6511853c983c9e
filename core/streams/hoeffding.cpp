#include "hoeffding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "counted_offers.hpp"

namespace thriftwood {

namespace {

std::vector<double> sorted_numbers(const Column& column, std::size_t rows) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < rows; ++row)
    if (const double value = column.number(static_cast<Row>(row)); !std::isnan(value)) numbers.push_back(value);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// The same offer if it gained so much more.
Offer shifted(Offer offer, double gain, double saving) {
  offer.gain += gain;
  offer.saving += saving;
  return offer;
}

bool has_merit(const Merit& merit) { return merit.tier >= 0; }

}  // namespace

HoeffdingTree::HoeffdingTree(const Table& first, Index classes, const Settings& growth, std::shared_ptr<const Prices> prices,
                             const HoeffdingSettings& settings)
    : settings_(settings), growth_(growth), prices_(std::move(prices)), classes_(classes), densities_({}, 1) {
  if (classes < 1 || first.rows == 0) throw InputError("A Hoeffding tree begins with at least one row and one class.");
  if (settings_.bins < 2 || settings_.bins > 255) throw InputError("A Hoeffding tree has 2 to 255 bins.");
  if (prices_ && prices_->tests() != first.features()) throw InputError("There must be a price for each feature.");
  growth_.prices = prices_.get();
  growth_.missing = Missing::Majority;
  for (const Column& column : first.columns) {
    Feature feature;
    feature.nominal = column.nominal();
    if (!feature.nominal) feature.binner = Binner(quantile_edges(sorted_numbers(column, first.rows), settings_.bins));
    feature.codes = feature.nominal ? static_cast<std::uint32_t>(column.values) : static_cast<std::uint32_t>(feature.binner.edges().size() + 1);
    features_.push_back(std::move(feature));
    feature_values_.push_back(column.values);
  }
  if (prices_) {
    std::vector<double> listed;
    for (Index test = 0; test < prices_->tests(); ++test) listed.push_back(prices_->list_price(test));
    unit_ = price_unit(growth_.merit, listed);
  }
  codes_.resize(features_.size());
  values_.resize(features_.size());
  set_up();
  nodes_.push_back({});
  begin_leaf(nodes_[0]);
}

// What follows from the number of classes and what mistakes cost.
void HoeffdingTree::set_up() {
  check_loss(growth_.loss, static_cast<std::size_t>(classes_));
  target_ = counted_target(classes_, growth_);
  densities_ = Densities(feature_values_, classes_);
  codes_in_all_ = 0;
  for (Feature& feature : features_) {
    feature.first = codes_in_all_;
    codes_in_all_ += feature.codes + 1;
  }
  dearest_ = target_.regret.empty() ? 1.0 : *std::max_element(target_.regret.begin(), target_.regret.end());
  least_ = growth_.loss.empty() ? 0.0 : *std::min_element(growth_.loss.begin(), growth_.loss.end());
  most_ = growth_.loss.empty() ? 1.0 : *std::max_element(growth_.loss.begin(), growth_.loss.end());
  range_ = in_money(growth_.impurity)                  ? std::max(dearest_, 1e-300)
           : growth_.impurity == ImpurityName::Entropy ? std::log2(std::max<double>(2.0, classes_))
                                                       : 1.0;
}

std::uint32_t HoeffdingTree::code(const Feature& feature, double value) const {
  if (std::isnan(value)) return feature.codes;
  if (!feature.nominal) return feature.binner.bin(value);
  return value >= 0.0 && value < feature.codes ? static_cast<std::uint32_t>(value) : feature.codes;
}

void HoeffdingTree::learn(const Table& table, std::span<const Index> labels) {
  if (table.features() != features()) throw InputError("The tree knows " + std::to_string(features()) + " features.");
  if (labels.size() != table.rows) throw InputError("There must be a label for each row.");
  for (const Index label : labels)
    if (label < 0 || label >= classes_) throw InputError("There is no class " + std::to_string(label) + ".");
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t f = 0; f < features_.size(); ++f) {
      values_[f] = table.columns[f].number(static_cast<Row>(row));
      codes_[f] = code(features_[f], values_[f]);
    }
    learn_codes(labels[row]);
  }
}

void HoeffdingTree::learn_row(std::span<const double> values, Index label) {
  if (values.size() != features_.size()) throw InputError("The tree knows " + std::to_string(features()) + " features.");
  if (label < 0 || label >= classes_) throw InputError("There is no class " + std::to_string(label) + ".");
  std::copy(values.begin(), values.end(), values_.begin());
  for (std::size_t f = 0; f < features_.size(); ++f) codes_[f] = code(features_[f], values[f]);
  learn_codes(label);
}

void HoeffdingTree::learn_codes(Index label) {
  cases_ += 1.0;
  learn_at(0, label);
}

Index HoeffdingTree::branch_of(const Node& node) const {
  const std::uint32_t own = codes_[static_cast<std::size_t>(node.feature)];
  if (own == features_[static_cast<std::size_t>(node.feature)].codes) return node.missing_route;
  if (node.kind == NodeKind::Threshold) return own <= node.cut ? 0 : 1;
  const Index branch = node.branch_of[own];
  return branch < 0 ? node.missing_route : branch;
}

void HoeffdingTree::count(Node& node, Index label) {
  const auto k = static_cast<std::size_t>(classes_);
  node.counts[static_cast<std::size_t>(label)] += 1.0;
  if (node.cells.empty()) return;
  node.seen += 1.0;
  std::uint32_t* cells = node.cells.data() + label;
  for (std::size_t f = 0; f < features_.size(); ++f) ++cells[(features_[f].first + codes_[f]) * k];
  if (!node.densities.empty()) densities_.add(node.densities, values_, label);
}

void HoeffdingTree::learn_at(Index top, Index label) {
  const bool watched = settings_.drift > 0.0;
  std::vector<Index> path;
  Index at = top;
  while (nodes_[static_cast<std::size_t>(at)].feature >= 0) {
    Node& node = nodes_[static_cast<std::size_t>(at)];
    if (watched) path.push_back(at);
    if (settings_.revise) {
      count(node, label);
      if (node.seen - node.asked >= settings_.revise_every) {
        revise(at);
        if (nodes_[static_cast<std::size_t>(at)].feature < 0) break;
      }
    }
    const Node& now = nodes_[static_cast<std::size_t>(at)];
    at = now.children[static_cast<std::size_t>(branch_of(now))];
  }
  if (watched) {
    path.push_back(at);
    watch(path, label);
    if (nodes_[static_cast<std::size_t>(at)].counts.empty()) return;  // its place was taken by another subtree
  }
  Node& leaf = nodes_[static_cast<std::size_t>(at)];
  if (leaf.feature >= 0) return;
  if (settings_.leaves == LeafAnswer::Adaptive) {
    leaf.counts_cost += cost_by(leaf.counts, label);
    leaf.bayes_cost += cost_by_bayes(leaf, label);
  }
  count(leaf, label);
  if (!leaf.cells.empty() && leaf.seen - leaf.asked >= settings_.grace) attempt(at);
}

// Tells every node of the path what the answer at its end cost; a rise begins another subtree, and one that costs less takes its place. A leaf
// has nothing below it to be replaced, and forgets what it counted: 50,000 old cases would outvote the new ones for as long.
void HoeffdingTree::watch(const std::vector<Index>& path, Index label) {
  constexpr double enough = 300.0;  // cases before two subtrees are compared (HAT)
  const double cost = cost_of_answer(nodes_[static_cast<std::size_t>(path.back())], label);
  for (const Index at : path) {
    auto& window = nodes_[static_cast<std::size_t>(at)].window;
    if (!window) window.emplace(settings_.drift);
    const bool rose = window->add(cost) == AdaptiveWindow::Change::Rise;
    if (rose && nodes_[static_cast<std::size_t>(at)].feature < 0) begin_again(nodes_[static_cast<std::size_t>(at)]);
    if (rose && nodes_[static_cast<std::size_t>(at)].alternate < 0 && leaves_ < settings_.max_leaves &&
        nodes_[static_cast<std::size_t>(at)].feature >= 0) {
      const Index fresh = new_leaf(nodes_[static_cast<std::size_t>(at)].path);
      nodes_[static_cast<std::size_t>(at)].alternate = fresh;
      ++leaves_;
    }
    const Index other = nodes_[static_cast<std::size_t>(at)].alternate;
    if (other < 0) continue;
    learn_at(other, label);
    Node& old = nodes_[static_cast<std::size_t>(at)];
    const auto& theirs = nodes_[static_cast<std::size_t>(other)].window;
    if (!theirs || theirs->count() < enough || old.window->count() < enough) continue;
    const double per = 1.0 / theirs->count() + 1.0 / old.window->count(), mean = old.window->mean();
    const double spread = std::max(0.0, (mean - least_) * (most_ - mean));  // the largest variance of such costs with this mean
    const double bound = std::sqrt(2.0 * spread * std::log(2.0 / 0.05) * per);
    if (mean - theirs->mean() > bound) {
      old.alternate = -1;  // it stays
      drop_below(at);
      nodes_[static_cast<std::size_t>(at)] = std::move(nodes_[static_cast<std::size_t>(other)]);
      nodes_[static_cast<std::size_t>(other)] = {};
      free_.push_back(other);
      return;
    }
    if (theirs->mean() - mean > bound) {
      old.alternate = -1;
      drop(other);
    }
  }
}

void HoeffdingTree::fill(const Node& node, Index feature, CategoryCells& cells) const {
  const Feature& own = features_[static_cast<std::size_t>(feature)];
  const auto k = static_cast<std::size_t>(classes_);
  cells.clear(own.codes, k);
  const std::uint32_t* from = node.cells.data() + own.first * k;
  for (std::size_t i = 0; i < cells.sums.size(); ++i) cells.sums[i] = from[i];
}

// Fills offers_, with prices.
void HoeffdingTree::ask(const Node& node, const NodeView& view) {
  CategoryCells cells;
  offers_.clear();
  for (Index feature = 0; feature < features(); ++feature) {
    fill(node, feature, cells);
    offers_.push_back(counted_offer(view, feature, features_[static_cast<std::size_t>(feature)].nominal, cells));
  }
  if (!prices_) return;
  Basket basket(*prices_);
  for (const Index bought : node.path) basket.buy(bought);
  for (Offer& offer : offers_) offer.price = growth_.reuse_is_free ? basket.eff(offer.feature) : prices_->list_price(offer.feature);
}

// Of the cases in its cells: every feature has each of them once.
Summary HoeffdingTree::summary_of(const Node& node) const {
  std::vector<double> cases(static_cast<std::size_t>(classes_), 0.0);
  for (std::size_t i = 0; i < (features_[0].codes + std::size_t{1}) * cases.size(); ++i) cases[i % cases.size()] += node.cells[i];
  return counted_summary(target_, growth_, cases, false);
}

MeritRules HoeffdingTree::rules_at(const Summary& summary) const {
  MeritRules rules;
  rules.slack = growth_.slack;
  rules.reach = std::min(1.0, summary.weight / std::max(cases_, 1.0));
  rules.price_weight = price_weight(growth_.merit, rules.reach);
  rules.price_unit = unit_;
  return rules;
}

double HoeffdingTree::epsilon(double cases) const { return std::sqrt(std::log(1.0 / settings_.delta) / (2.0 * cases)); }

// Whether a test tells anything at all: its likelihood ratio against none (entropy), or the same of Pearson's statistic (gini). What saves money
// tells something.
bool HoeffdingTree::tells(const NodeView& view, const Offer& offer) const {
  if (in_money(growth_.impurity)) return offer.gain > 0.0;
  const double doubt = std::log(1.0 / settings_.delta);
  if (growth_.impurity == ImpurityName::Entropy) return offer.gain * view.summary.weight * std::numbers::ln2 > doubt;
  return offer.gain * view.summary.weight * view.summary.weight > 2.0 * doubt * view.summary.cost;
}

void HoeffdingTree::attempt(Index at) {
  Node& node = nodes_[static_cast<std::size_t>(at)];
  node.asked = node.seen;
  if (leaves_ >= settings_.max_leaves || (settings_.max_depth > 0 && static_cast<int>(node.path.size()) >= settings_.max_depth)) return;
  const Summary summary = summary_of(node);
  if (summary.weight <= *std::max_element(summary.cell.begin(), summary.cell.end())) return;
  const NodeView view{target_, growth_, summary, false, static_cast<std::size_t>(cases_)};
  ask(node, view);
  const MeritRules rules = rules_at(summary);
  const Offer* best = nullptr;
  Merit best_merit = no_merit;
  for (const Offer& offer : offers_) {
    if (!offer.admissible || !(offer.gain > 0.0)) continue;
    const Merit value = merit(growth_.merit, offer, rules);
    if (has_merit(value) && better(value, best_merit)) {
      best = &offer;
      best_merit = value;
    }
  }
  if (best == nullptr || !tells(view, *best)) return;
  // The bound is on the difference of two gains: each may be off by half of it. A test is compared with none by the whole.
  const double eps = epsilon(summary.weight), bits = eps * range_, money = eps * dearest_;
  const Merit lower = merit(growth_.merit, shifted(*best, -bits / 2.0, -money / 2.0), rules);
  bool sure = has_merit(merit(growth_.merit, shifted(*best, -bits, -money), rules)) && best->gain > bits;
  for (const Offer& offer : offers_) {
    if (!sure || settings_.revise || &offer == best || !offer.admissible) continue;
    const Merit upper = merit(growth_.merit, shifted(offer, bits / 2.0, money / 2.0), rules);
    sure = !(has_merit(upper) && better(upper, lower));
  }
  if (sure || eps < settings_.tau) split(at, view, *best);
}

// Whether another test than the node's is better by now; then its subtree begins anew.
void HoeffdingTree::revise(Index at) {
  Node& node = nodes_[static_cast<std::size_t>(at)];
  node.asked = node.seen;
  if (node.cells.empty()) return;
  const Summary summary = summary_of(node);
  const NodeView view{target_, growth_, summary, false, static_cast<std::size_t>(cases_)};
  ask(node, view);
  const MeritRules rules = rules_at(summary);
  const double half = epsilon(summary.weight) / 2.0, bits = half * range_, money = half * dearest_;
  const Offer own = shifted(offers_[static_cast<std::size_t>(node.feature)], bits, money);
  const Merit current = own.admissible ? merit(growth_.merit, own, rules) : no_merit;
  const Offer* best = nullptr;
  Merit best_merit = no_merit;
  for (const Offer& offer : offers_) {
    if (!offer.admissible || offer.feature == node.feature || !tells(view, offer)) continue;
    const Merit value = merit(growth_.merit, shifted(offer, -bits, -money), rules);
    if (has_merit(value) && better(value, best_merit)) {
      best = &offer;
      best_merit = value;
    }
  }
  if (best == nullptr || !better(best_merit, current)) return;
  const Offer chosen = *best;
  drop_below(at);
  ++leaves_;  // what is left of it is a leaf, for a moment
  split(at, view, chosen);
}

void HoeffdingTree::split(Index at, const NodeView& view, const Offer& offer) {
  CategoryCells cells;
  fill(nodes_[static_cast<std::size_t>(at)], offer.feature, cells);
  const Feature& feature = features_[static_cast<std::size_t>(offer.feature)];
  Index branches = 2;
  std::vector<Index> branch_of(feature.codes, 0);
  if (feature.nominal) {
    const NominalTest test = partition_categories({target_, growth_, false, view.summary.weight}, cells);
    branch_of = test.branch_of;
    branches = test.branches;
  } else {
    for (std::uint32_t c = offer.position; c < feature.codes; ++c) branch_of[c] = 1;
  }
  std::vector<Index> path = nodes_[static_cast<std::size_t>(at)].path, children;
  path.push_back(offer.feature);
  for (Index b = 0; b < branches; ++b) children.push_back(new_leaf(path));
  // The branches share what was counted, also before the cells began, as their classes are divided in the cells; where drift is watched for,
  // only what the cells have, which is newer.
  std::vector<double> weights(static_cast<std::size_t>(branches), 0.0), classes(cells.width, 0.0);
  std::vector<double> parts(weights.size() * cells.width, 0.0);
  for (std::uint32_t c = 0; c < feature.codes; ++c)
    for (std::size_t k = 0; branch_of[c] >= 0 && k < cells.width; ++k) {
      const auto b = static_cast<std::size_t>(branch_of[c]);
      parts[b * cells.width + k] += cells.cell(c)[k];
      classes[k] += cells.cell(c)[k];
      weights[b] += cells.cell(c)[k];
    }
  double known = 0.0;
  for (const double weight : weights) known += weight;
  for (std::size_t b = 0; b < weights.size(); ++b)
    for (std::size_t k = 0; k < cells.width; ++k) {
      const double share = classes[k] > 0.0 ? parts[b * cells.width + k] / classes[k] : weights[b] / known;
      nodes_[static_cast<std::size_t>(children[b])].counts[k] =
          settings_.drift > 0.0 ? parts[b * cells.width + k] : share * nodes_[static_cast<std::size_t>(at)].counts[k];
    }
  Node& node = nodes_[static_cast<std::size_t>(at)];
  node.feature = offer.feature;
  node.kind = feature.nominal ? NodeKind::Nominal : NodeKind::Threshold;
  node.cut = offer.position - (feature.nominal ? 0 : 1);
  node.threshold = feature.nominal ? 0.0 : feature.binner.edges()[node.cut];
  node.gain = offer.gain;
  node.branch_of = feature.nominal ? branch_of : std::vector<Index>();
  node.missing_route = static_cast<Index>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  node.children = children;
  leaves_ += branches - 1;
  std::vector<double>().swap(node.densities);
  if (!settings_.revise) std::vector<std::uint32_t>().swap(node.cells);
}

Index HoeffdingTree::new_leaf(const std::vector<Index>& path) {
  Index at = static_cast<Index>(nodes_.size());
  if (free_.empty()) {
    nodes_.push_back({});
  } else {
    at = free_.back();
    free_.pop_back();
  }
  Node& leaf = nodes_[static_cast<std::size_t>(at)] = {};
  leaf.path = path;
  begin_leaf(leaf);
  return at;
}

// Frees everything below a node, and its alternate; the node itself is empty then, and counts as no leaf.
void HoeffdingTree::drop_below(Index at) {
  Node& node = nodes_[static_cast<std::size_t>(at)];
  if (node.feature < 0) --leaves_;
  const std::vector<Index> below = std::move(node.children);
  const Index other = node.alternate;
  node.alternate = -1;
  node.children.clear();
  for (const Index child : below) drop(child);
  if (other >= 0) drop(other);
}

void HoeffdingTree::drop(Index top) {
  std::vector<Index> open{top};
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    Node& node = nodes_[static_cast<std::size_t>(at)];
    if (node.feature < 0) --leaves_;
    open.insert(open.end(), node.children.begin(), node.children.end());
    if (node.alternate >= 0) open.push_back(node.alternate);
    node = {};
    free_.push_back(at);
  }
}

std::size_t HoeffdingTree::bytes() const {
  std::size_t sum = 0;
  for (const Node& node : nodes_)
    sum += node.cells.size() * sizeof(std::uint32_t) + (node.counts.size() + node.densities.size()) * sizeof(double) + sizeof(Node);
  return sum;
}

}  // namespace thriftwood
