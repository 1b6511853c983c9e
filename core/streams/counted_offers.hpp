// What features offer at a node that knows its cases by counts alone: how many of each class have each value.
#pragma once

#include "../splitting/offering.hpp"

namespace thriftwood {

// `cells` has the cases by code: categories, or numbers in rising order; the last cell those without a value. A cut's Offer::position is
// 1 + the last code on the left.
Offer counted_offer(const NodeView& node, Index feature, bool nominal, const CategoryCells& cells);

// The summary of a node with these cases.
Summary counted_summary(const Target& target, const Settings& settings, Cell cases, bool whole_weights);

// What an impurity needs to know of the classes, without cases.
Target counted_target(Index classes, const Settings& settings);

}  // namespace thriftwood
