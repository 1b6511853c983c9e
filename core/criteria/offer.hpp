// What one feature offers at a node: the best test it has there, as a criterion sees it.
#pragma once

#include "../types.hpp"

namespace thriftwood {

struct Offer {
  Index feature = -1;
  bool admissible = false;   // has a test that keeps to the rules of growth
  bool constant = false;     // has one known value at the node, so has nothing to offer below it either
  bool counts_for_average = true;  // enters the mean of the average-gain rule
  double gain = 0.0;         // per unit of the node's weight, after any penalty for the choice of cut
  double penalty = 0.0;
  double split_info = 0.0;   // bits needed to tell the branch of a case (missing values are a branch of their own); not filled for `Gain`
  double left_weight = 0.0;  // numeric: known weight below the cut, and above it
  double right_weight = 0.0;
  bool has_missing = false;  // numeric: some case of the node has no value
  std::uint32_t next = 0;    // numeric, coded column: the lowest code above the cut that occurs
  std::uint32_t position = 0;      // numeric: how many known cases (ordered column) or codes (coded column) lie below the cut
};

struct MeritRules {
  double average_gain = -infinity;  // offers below it are left out; -infinity switches the rule off
  double slack = 0.001;             // C4.5's epsilon
};

// The value of an offer that must not be chosen.
inline constexpr double no_merit = -infinity;

}  // namespace thriftwood
