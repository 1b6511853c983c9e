// Sampled look-ahead: what a test is worth is seen from trees grown below it.
//
//   candidate   a feature's test that keeps to the rules of growth
//   sample      a tree grown on one outcome of a candidate, its tests drawn in proportion to their merit
//   score       of a sample: its leaves (LSID3), or its expected cost on its cases (ACT; pruning/expected_cost.hpp). The smaller, the better.
//   total       of a candidate: its own cost plus, for every outcome, the least score of its samples
//
// The candidate of the least total is taken, of equals the lowest feature. ACT's first sample of an outcome is grown without chance, by the
// largest merit. Outcomes are looked at one by one: paid upfront, each counts the tests bought so far and its own as if the others bought
// none. When growth is to stop, nodes that are still open get the test of the largest merit.
//
// Esmeir & Markovitch 2004 (LSID3), 2008 (ACT).
#pragma once

#include <algorithm>
#include <vector>

#include "../basics/types.hpp"

namespace thriftwood {

// The total of a candidate, given the scores of the samples of each outcome.
inline double total_of(double own, const std::vector<std::vector<double>>& outcomes) {
  for (const std::vector<double>& scores : outcomes) own += *std::min_element(scores.begin(), scores.end());
  return own;
}

}  // namespace thriftwood
