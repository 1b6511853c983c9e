#include "counted_offers.hpp"

#include "../splitting/coded_cut.hpp"

namespace thriftwood {

namespace {

Cut counted_cut(const NodeView& node, const CategoryCells& cells, Cell known, const CutRules& rules) {
  const Target& target = node.target;
  const auto by = [&](const auto& impurity) { return best_cell_cut(target, cells, known, impurity, rules); };
  switch (node.settings.impurity) {
    case ImpurityName::Gini: return by(Gini{});
    case ImpurityName::Entropy: return by(Entropy{node.whole_weights && !target.x_log_x.empty() ? target.x_log_x.data() : nullptr});
    case ImpurityName::LeafCost: return by(LeafCost{target.regret});
    case ImpurityName::SmoothedCost: return by(SmoothedCost{target.regret});
    case ImpurityName::GiniLoss: return by(GiniLoss{target.regret});
    default: throw InputError("Trees that learn case by case answer with classes.");
  }
}

}  // namespace

Offer counted_offer(const NodeView& node, Index feature, bool nominal, const CategoryCells& cells) {
  if (nominal) return nominal_offer(node, feature, cells);
  std::vector<double> known(node.summary.cell);
  const Cell unknown = cells.missing();
  for (std::size_t c = 0; c < known.size(); ++c) known[c] -= unknown[c];
  const double unknown_weight = node.target.weight_of(unknown), known_weight = node.summary.weight - unknown_weight;
  const auto cost = [&](Cell cell, double weight) { return cell_cost(node.settings.impurity, node.target, cell, weight, node.whole_weights); };
  CutRules rules;
  rules.known = known_weight;
  rules.min_side = least_side(node, known_weight);
  rules.tolerance = tie_tolerance * node.summary.cost;
  const Cut cut = counted_cut(node, cells, known, rules);
  std::vector<double> left;
  if (asks_branch_cells(node.settings) && cut.position > 0) {
    left.assign(known.size(), 0.0);
    for (std::size_t code = 0; code < cut.position; ++code)
      for (std::size_t c = 0; c < left.size(); ++c) left[c] += cells.cell(code)[c];
  }
  Offer offer = numeric_offer(node, feature, cut, known, cost(known, known_weight), known_weight,
                              unknown_weight > 0.0 ? cost(unknown, unknown_weight) : 0.0, left);
  offer.has_missing = unknown_weight > 0.0;
  return offer;
}

Summary counted_summary(const Target& target, const Settings& settings, Cell cases, bool whole_weights) {
  Summary summary;
  summary.cell.assign(cases.begin(), cases.end());
  summary.weight = target.weight_of(cases);
  summary.cost = cell_cost(settings.impurity, target, summary.cell, summary.weight, whole_weights);
  return summary;
}

Target counted_target(Index classes, const Settings& settings) {
  Target target;
  target.classes = classes;
  if (settings.counts_mistakes()) target.regret = regrets(settings.loss, static_cast<std::size_t>(classes));
  return target;
}

}  // namespace thriftwood
