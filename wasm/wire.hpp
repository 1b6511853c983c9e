// Price lists and trees as arrays of doubles; src/thriftwood/studio/assets/engine.js has the other side.
#pragma once

#include <span>
#include <vector>

#include "costs.hpp"
#include "tree/tree.hpp"

namespace thriftwood::face {

// upfront, charge_missing, number of resources, their prices; then per test: price, group (-1: none), after (NaN: none), delayed, number of
// resources it needs, these.
PriceList read_prices(std::span<const double> numbers, Index tests);

// nodes, width, cases, sizes of branch_map, surrogates, feature_values, loss and smoothing; then the 15 fields of nodes one after the other
// in the order of model files, values, branch_map, the 7 fields of surrogates, feature_values, loss, smoothing.
std::vector<double> written(const Tree& tree);

}  // namespace thriftwood::face
