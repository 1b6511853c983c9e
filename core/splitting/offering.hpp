// From the best test of a feature to its offer (criteria/offer.hpp): the rules of growth that hold for every way of searching.
#pragma once

#include "../settings.hpp"
#include "nominal.hpp"
#include "numeric.hpp"
#include "split.hpp"

namespace thriftwood {

// The node as an offer sees it.
struct NodeView {
  const Target& target;
  const Settings& settings;
  const Summary& summary;
  bool whole_weights;        // every case of the node counts a whole number
  std::size_t table_rows;    // cases in training
};

// Whether a nominal feature has so many categories that it stays out of the average gain (C4.5: 30 % of the number of cases).
inline bool has_many_values(const Settings& settings, std::size_t categories, std::size_t table_rows) {
  return settings.nominal != NominalTests::Grouped && static_cast<double>(categories) >= 0.3 * static_cast<double>(table_rows);
}

// The least distance between neighbouring codes. Bins touch, so it means nothing to them.
inline double coded_gap(const Settings& settings) { return settings.bins > 0 ? 0.0 : settings.min_gap; }

// Whether an offer looks at the classes in its branches.
inline bool asks_branch_cells(const Settings& settings) { return settings.confidence > 0.0 || settings.asks_saving; }

// Least size of each side of a cut.
double least_side(const NodeView& node, double known);

// `known` is the cell of the cases with a known value; `left` is needed if branch cells are asked for.
Offer numeric_offer(const NodeView& node, Index feature, const Cut& cut, Cell known, double known_cost, double known_weight, double missing_cost,
                    Cell left);

Offer nominal_offer(const NodeView& node, Index feature, const CategoryCells& cells);
Offer nominal_offer(const NodeView& node, Index feature, const CategoryCells& cells, const NominalTest& test, double known_cost, double missing_cost);

// Value against the others: what each category that occurs offers, in order.
std::vector<Offer> value_offers(const NodeView& node, Index feature, const CategoryCells& cells);

// Completes the split: kind, routes and branches of a feature's best test.
Split nominal_split(const NodeView& node, Index feature, const NominalTest& test, std::span<const double> branch_weights, bool has_missing);
Split numeric_split(const NodeView& node, const Offer& offer, double threshold);

// The weight of each branch, and its size as minimum sizes count it.
std::vector<double> branch_weights(const NodeView& node, const CategoryCells& cells, const NominalTest& test);
std::vector<double> branch_sizes(const NodeView& node, const CategoryCells& cells, const NominalTest& test);

}  // namespace thriftwood
