#include "coded_offer.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

CutRules coded_rules(const NodeView& node, const PreparedColumn& column, double known_weight) {
  CutRules rules = cut_rules(node, known_weight);
  rules.min_gap = coded_gap(node.settings);
  rules.low = column.low.data();
  rules.high = column.high.data();
  return rules;
}

}  // namespace

CutRules cut_rules(const NodeView& node, double known_weight) {
  CutRules rules;
  rules.known = known_weight;
  rules.min_side = least_side(node, known_weight);
  // By the cost of the node, not of the known cases: where those are of one class, rounding must not choose among cuts that gain nothing.
  rules.tolerance = tie_tolerance * node.summary.cost;
  return rules;
}

bool counts_suffice(const NodeView& node) {
  const ImpurityName impurity = node.settings.impurity;
  return node.target.classes == 2 && node.whole_weights &&
         (impurity == ImpurityName::Gini || (impurity == ImpurityName::Entropy && entropy_at(node).table != nullptr));
}

Offer counted_offer(const NodeView& node, Index feature, const PreparedColumn& column, std::span<const Counted> counted, std::uint32_t cases,
                    std::vector<double>& left) {
  std::uint32_t lacking = 0, lacking_ones = 0;
  if (!counted.empty() && counted.back().code == static_cast<std::uint32_t>(column.codes)) {
    lacking = counted.back().cases;
    lacking_ones = counted.back().ones;
    counted = counted.first(counted.size() - 1);
  }
  const std::uint32_t total = cases - lacking, ones = static_cast<std::uint32_t>(node.summary.cell[1]) - lacking_ones;
  const double known[] = {static_cast<double>(total - ones), static_cast<double>(ones)};
  const double unknown[] = {static_cast<double>(lacking - lacking_ones), static_cast<double>(lacking_ones)};
  const double known_cost = lacking == 0 ? node.summary.cost : cost_at(node, known, total);
  const CutRules rules = coded_rules(node, column, total);
  const Cut cut = node.settings.impurity == ImpurityName::Gini ? best_counted_cut(counted, total, ones, Gini{}, rules)
                                                               : best_counted_cut(counted, total, ones, entropy_at(node), rules);
  left.clear();
  if (asks_branch_cells(node.settings) && cut.position > 0) {
    left.assign(2, 0.0);
    for (const Counted& value : counted) {
      if (value.code >= cut.position) break;
      left[0] += value.cases - value.ones;
      left[1] += value.ones;
    }
  }
  Offer offer = numeric_offer(node, feature, cut, known, known_cost, total, lacking == 0 ? 0.0 : cost_at(node, unknown, lacking), left);
  offer.has_missing = lacking > 0;
  return offer;
}

Offer coded_offer(const NodeView& node, Index feature, const PreparedColumn& column, const CategoryCells& cells, std::vector<double>& known,
                  std::vector<double>& left) {
  const Target& target = node.target;
  known.assign(target.width(), 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    for (std::size_t j = 0; j < known.size(); ++j) known[j] += cells.cell(c)[j];
  const double known_weight = target.weight_of(known), known_cost = cost_at(node, known, known_weight);
  const Cell unknown = cells.missing();
  const CutRules rules = coded_rules(node, column, known_weight);
  Cut cut;
  switch (node.settings.impurity) {
    case ImpurityName::Gini: cut = best_cell_cut(target, cells, known, Gini{}, rules); break;
    case ImpurityName::Entropy: cut = best_cell_cut(target, cells, known, entropy_at(node), rules); break;
    case ImpurityName::LeafCost: cut = best_cell_cut(target, cells, known, LeafCost{target.regret}, rules); break;
    case ImpurityName::SmoothedCost: cut = best_cell_cut(target, cells, known, SmoothedCost{target.regret}, rules); break;
    case ImpurityName::GiniLoss: cut = best_cell_cut(target, cells, known, GiniLoss{target.regret}, rules); break;
    default: cut = best_cell_cut(target, cells, known, SquaredError{}, rules); break;
  }
  left.clear();
  if (asks_branch_cells(node.settings) && cut.position > 0) {
    left.assign(target.width(), 0.0);
    for (std::size_t c = 0; c < cut.position; ++c)
      for (std::size_t j = 0; j < left.size(); ++j) left[j] += cells.cell(c)[j];
  }
  const double unknown_weight = target.weight_of(unknown);
  Offer offer = numeric_offer(node, feature, cut, known, known_cost, known_weight, cost_at(node, unknown, unknown_weight), left);
  offer.has_missing = unknown_weight > 0.0;
  return offer;
}

double cut_between(const Settings& settings, std::span<const double> observed, double low, double high) {
  const double middle = midpoint(low, high);
  if (settings.cut_at == CutAt::Midpoint) return cut_for_copies(middle, low, high);
  const auto above = std::upper_bound(observed.begin(), observed.end(), middle);
  return cut_for_copies(*(above - 1), *(above - 1), above == observed.end() ? high : *above);
}

NominalTest offered_test(const NodeView& node, const Offer& offer, const CategoryCells& cells) {
  const NominalSearch search{node.target, node.settings, node.whole_weights, node.summary.weight};
  if (offer.position == any_value) return known_test(search, cells);
  if (node.settings.nominal == NominalTests::Value) return value_test(search, cells, static_cast<Index>(offer.position));
  return partition_categories(search, cells);
}

}  // namespace thriftwood
