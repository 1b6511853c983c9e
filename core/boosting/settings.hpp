// How a booster learns.
#pragma once

#include <cmath>

#include "../basics/random.hpp"
#include "../basics/types.hpp"

namespace thriftwood {

struct BoostSettings {
  int rounds = 200;
  double learning_rate = 0.1;
  Index max_leaves = 12;
  Index max_depth = 6;
  double min_leaf_weight = 5.0;
  double l2 = 1.0;             // added to every curvature: steps of small leaves are shorter
  double row_share = 1.0;      // drawn anew for every stage
  double feature_share = 1.0;
  int bins = 64;
  double cost_weight = 0.0;    // how much of the loss a test must take away for each unit of its price
  double cheap_first = 1.0;    // how many times as much prices count in the first round ...
  double cheap_rounds = 15.0;  // ... and the rounds in which what they count more falls to 1/e
  double stop = infinity;      // the leader's share from which on a case is asked nothing more, and so pays nothing
  int patience = 0;            // stages without a smaller loss on held-out cases after which it ends; 0: it does not
  Key seed = 0;
  int threads = 1;

  double cost_weight_in(int round) const { return cost_weight * (1.0 + (cheap_first - 1.0) * std::exp(-round / cheap_rounds)); }
  bool draws() const { return row_share < 1.0 || feature_share < 1.0; }
};

}  // namespace thriftwood
