// The best test of a coded numeric column as an offer, from what its codes count at a node: wherever the cases are that were counted.
#pragma once

#include "coded_cut.hpp"
#include "columns.hpp"
#include "offering.hpp"

namespace thriftwood {

// Whether plain counts of the second class are searched, instead of cells: two classes, whole cases, and an impurity made for it.
bool counts_suffice(const NodeView& node);

// The cost of a cell by the settings' impurity.
inline double cost_at(const NodeView& node, Cell cell, double weight) {
  return cell_cost(node.settings.impurity, node.target, cell, weight, node.whole_weights);
}

inline Entropy entropy_at(const NodeView& node) {
  return {node.whole_weights && !node.target.x_log_x.empty() ? node.target.x_log_x.data() : nullptr};
}

CutRules cut_rules(const NodeView& node, double known_weight);

// From the codes that occur among `cases` cases, in order; the last one may be "missing". `left` is room to work in.
Offer counted_offer(const NodeView& node, Index feature, const PreparedColumn& column, std::span<const Counted> counted, std::uint32_t cases,
                    std::vector<double>& left);

// From cells. `known` and `left` are room to work in.
Offer coded_offer(const NodeView& node, Index feature, const PreparedColumn& column, const CategoryCells& cells, std::vector<double>& known,
                  std::vector<double>& left);

// The threshold between two neighbouring values. `observed` are the training values in order, for CutAt::Observed.
double cut_between(const Settings& settings, std::span<const double> observed, double low, double high);

// The test that a nominal feature offered, from its cells.
NominalTest offered_test(const NodeView& node, const Offer& offer, const CategoryCells& cells);

}  // namespace thriftwood
