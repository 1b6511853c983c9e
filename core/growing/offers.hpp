// Asking the features of a node what they offer: all of them, or some that are drawn anew at each node (random forests).
#pragma once

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

// How many of so many features a node asks; 0: all.
std::size_t features_drawn(const Settings& settings, std::size_t features);

// Fills workspace.offers with the offers of the node's features and what their tests still cost there. Features that were not asked have
// an offer that is not admissible, and no feature in it.
void ask_features(Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool);

}  // namespace thriftwood
