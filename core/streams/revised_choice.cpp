// The best test of a node by its counts, and the finished tree.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "../growing/growing_tree.hpp"
#include "../tree/relabel.hpp"
#include "counted_offers.hpp"
#include "revised.hpp"

namespace thriftwood {

CategoryCells& RevisedTree::cells_of(const Counts& counts, Index feature) {
  const auto k = static_cast<std::size_t>(classes_);
  const std::size_t codes = nominal(feature) ? static_cast<std::size_t>(kinds_[static_cast<std::size_t>(feature)]) : counts.values.size();
  cells_.clear(codes, k);
  std::copy(counts.cells.begin(), counts.cells.end(), cells_.sums.begin());
  std::copy(counts.missing.begin(), counts.missing.end(), cells_.sums.begin() + static_cast<std::ptrdiff_t>(codes * k));
  return cells_;
}

Offer RevisedTree::offer_of(const Node& node, const NodeView& view, Index feature) {
  const Counts& counts = node.counts[static_cast<std::size_t>(feature)];
  const bool two =
      classes_ == 2 && !asks_branch_cells(growth_) && (growth_.impurity == ImpurityName::Gini || growth_.impurity == ImpurityName::Entropy);
  const bool complete = counts.missing[0] + counts.missing[classes_ > 1 ? 1 : 0] == 0;
  if (nominal(feature) || !two || !complete) return counted_offer(view, feature, nominal(feature), cells_of(counts, feature));
  counted_.resize(counts.values.size());  // two classes, nothing missing: the quick way of the core, which runs more often than anything else
  for (std::uint32_t i = 0; i < counted_.size(); ++i) counted_[i] = {i, counts.cells[2 * i] + counts.cells[2 * i + 1], counts.cells[2 * i + 1]};
  CutRules rules;
  rules.known = view.summary.weight;
  rules.min_side = least_side(view, view.summary.weight);
  rules.tolerance = tie_tolerance * view.summary.cost;
  const auto total = static_cast<std::uint32_t>(view.summary.weight), ones = static_cast<std::uint32_t>(node.cell[1]);
  const Cut cut = growth_.impurity == ImpurityName::Gini ? best_counted_cut(counted_, total, ones, Gini{}, rules)
                                                         : best_counted_cut(counted_, total, ones, Entropy{target_.x_log_x.data()}, rules);
  return numeric_offer(view, feature, cut, view.summary.cell, view.summary.cost, view.summary.weight, 0.0, {});
}

RevisedTree::Test RevisedTree::best(Node& node, const Path& path) {
  ++chosen_;
  node.gain = 0.0;
  const double weight = std::accumulate(node.cell.begin(), node.cell.end(), 0.0);
  if (weight < growth_.min_split_weight * (1.0 - 1e-9) || (growth_.max_depth > 0 && static_cast<int>(path.size()) >= growth_.max_depth)) return {};
  if (weight - *std::max_element(node.cell.begin(), node.cell.end()) <= 0.0) return {};
  const Summary summary = counted_summary(target_, growth_, node.cell, true);
  const NodeView view = view_of(summary);
  std::optional<Basket> basket;
  if (prices_) {
    basket.emplace(*prices_);
    for (const Index bought : path) basket->buy(bought);
  }
  MeritRules rules;
  rules.slack = growth_.slack;
  if (prices_) {
    std::vector<double> listed;
    for (Index test = 0; test < prices_->tests(); ++test) listed.push_back(prices_->list_price(test));
    rules.price_unit = price_unit(growth_.merit, listed);
  }
  const auto judged = [&](Offer& offer) {
    if (!offer.admissible || !(offer.gain > growth_.gain_floor)) return no_merit;
    if (basket) offer.price = growth_.reuse_is_free ? basket->eff(offer.feature) : prices_->list_price(offer.feature);
    return merit(growth_.merit, offer, rules);
  };
  // The node's own test first: features that cannot have come near it since they were asked are not asked again.
  const Index own = node.test.feature;
  Offer current = own < 0 ? Offer{} : offer_of(node, view, own);
  const Merit to_beat = own < 0 ? no_merit : judged(current);
  Offer taken;
  Merit most = no_merit;
  for (Index feature = 0; feature < static_cast<Index>(kinds_.size()); ++feature) {
    double& bound = node.most_gain[static_cast<std::size_t>(feature)];
    if (feature != own && to_beat.tier >= 0 && bound < infinity && bounds_gain_) {
      Offer likely;
      likely.feature = feature;
      likely.admissible = true;
      likely.gain = bound / summary.weight;
      const Merit upper = judged(likely);
      if (upper.tier < 0 || better(to_beat, upper)) continue;
    }
    Offer offer = feature == own ? current : offer_of(node, view, feature);
    bound = offer.admissible ? std::max(0.0, offer.gain * summary.weight) : 0.0;
    const Merit here = judged(offer);
    if (here.tier < 0 || !better(here, most)) continue;
    most = here;
    taken = offer;
  }
  if (taken.feature < 0) return {};
  if (discard_ && to_beat.tier >= 0 && !better(most, to_beat)) {  // what is as good as the best stays, with all below it
    node.gain = current.gain;
    return node.test;
  }
  node.gain = taken.gain;
  if (nominal(taken.feature)) return {taken.feature, growth_.nominal == NominalTests::Multiway ? 0.0 : static_cast<double>(taken.position)};
  const std::vector<double>& values = node.counts[static_cast<std::size_t>(taken.feature)].values;
  const double low = values[taken.position - 1], high = values[taken.position];
  return {taken.feature, cut_for_copies(midpoint(low, high), low, high)};
}

Index RevisedTree::answer(std::span<const double> values) {
  if (values.size() != kinds_.size()) throw InputError("The tree knows " + std::to_string(kinds_.size()) + " features.");
  settle();
  const Node* node = root_.get();
  if (node == nullptr) return 0;
  while (node->test.feature >= 0) {
    const Index side = outcome(node->test, values[static_cast<std::size_t>(node->test.feature)]);
    const auto child = std::find_if(node->children.begin(), node->children.end(), [side](const auto& part) { return part.first == side; });
    if (child == node->children.end()) break;
    node = child->second.get();
  }
  const double weight = std::accumulate(node->cell.begin(), node->cell.end(), 0.0);
  const std::size_t answers = answers_of(growth_.loss, node->cell.size());
  std::size_t best = 0;
  double least = infinity;
  for (std::size_t a = 0; a < answers; ++a)
    if (const double cost = answer_cost(node->cell, weight, growth_.loss, answers, a); cost < least) {
      least = cost;
      best = a;
    }
  return static_cast<Index>(best);
}

// The split as the grower of batches makes it: branches, routes, categories that did not occur.
Split RevisedTree::split_of(const Node& node, const NodeView& view) {
  const Index feature = node.test.feature;
  const Counts& counts = node.counts[static_cast<std::size_t>(feature)];
  const CategoryCells& cells = cells_of(counts, feature);
  const bool missing = std::accumulate(counts.missing.begin(), counts.missing.end(), 0u) > 0;
  if (nominal(feature)) {
    const NominalSearch search{target_, growth_, true, view.summary.weight};
    const NominalTest test =
        growth_.nominal == NominalTests::Value ? value_test(search, cells, static_cast<Index>(node.test.at)) : partition_categories(search, cells);
    return nominal_split(view, feature, test, branch_weights(view, cells, test), missing);
  }
  Offer offer;
  offer.feature = feature;
  offer.has_missing = missing;
  for (std::size_t i = 0; i < counts.values.size(); ++i)
    (counts.values[i] <= node.test.at ? offer.left_weight : offer.right_weight) += target_.weight_of(cells.cell(i));
  return numeric_split(view, offer, node.test.at);
}

void RevisedTree::write(const Node& node, Tree& tree, Index number, Index above) {
  std::copy(node.cell.begin(), node.cell.end(), tree.value(number).begin());
  const Summary summary = counted_summary(target_, growth_, node.cell, true);
  tree.node(number).impurity = summary.cost / summary.weight;
  tree.node(number).label = above;
  if (node.test.feature < 0) return;
  const Split split = split_of(node, view_of(summary));
  const Index first = add_nodes(tree, split.branches);
  install(tree, number, first, split, node.gain);
  const auto largest = static_cast<Index>(std::max_element(node.cell.begin(), node.cell.end()) - node.cell.begin());
  for (Index b = 0; b < split.branches; ++b) tree.node(first + b).label = largest;
  for (const auto& [side, child] : node.children) {
    const Index branch =
        split.kind == NodeKind::Nominal && growth_.nominal == NominalTests::Multiway ? split.branch_of[static_cast<std::size_t>(side)] : side;
    write(*child, tree, first + branch, largest);
  }
  if (node.cases.empty()) return;
  auto stayed = tree.value(first + split.missing_route);
  for (const Case one : node.cases) stayed[static_cast<std::size_t>(labels_[one])] += 1.0;
  const Summary own = counted_summary(target_, growth_, stayed, true);
  tree.node(first + split.missing_route).impurity = own.cost / own.weight;
}

Tree RevisedTree::tree() {
  settle();
  Tree tree;
  tree.width = classes_;
  tree.feature_values = kinds_;
  add_nodes(tree, 1);
  if (root_) write(*root_, tree, 0, 0);
  relabel(tree, growth_.loss);
  for (Index number = 0; number < tree.size(); ++number)  // what no case reached answers as the node above it
    for (Index b = 0; b < tree.node(number).n_children; ++b)
      if (auto& child = tree.node(tree.node(number).first_child + b); child.weight <= 0.0) child.label = tree.node(number).label;
  return compact(tree);
}

std::vector<double> RevisedTree::values() const {
  std::vector<double> all;
  for (std::size_t one = 0; one < labels_.size(); ++one)
    if (labels_[one] >= 0)
      all.insert(all.end(), values_.begin() + static_cast<std::ptrdiff_t>(one * kinds_.size()),
                 values_.begin() + static_cast<std::ptrdiff_t>((one + 1) * kinds_.size()));
  return all;
}

std::vector<Index> RevisedTree::labels() const {
  std::vector<Index> all;
  std::copy_if(labels_.begin(), labels_.end(), std::back_inserter(all), [](Index label) { return label >= 0; });
  return all;
}

}  // namespace thriftwood
