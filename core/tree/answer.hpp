// The class shares of a node, and which answer costs least, given how much weight each class has. Leaves and cases that end at several
// leaves use the same rule.
#pragma once

#include <span>

#include "tree.hpp"

namespace thriftwood {

// `loss` is [actual][predicted], or empty: 1 for every mistake.
inline double expected_loss(std::span<const double> weights, std::span<const double> loss, Index answer) {
  double sum = 0.0;
  for (std::size_t actual = 0; actual < weights.size(); ++actual) {
    const bool right = actual == static_cast<std::size_t>(answer);
    sum += weights[actual] * (loss.empty() ? (right ? 0.0 : 1.0) : loss[actual * weights.size() + static_cast<std::size_t>(answer)]);
  }
  return sum;
}

// Ties, up to rounding, go to the lowest class.
inline Index cheapest_answer(std::span<const double> weights, std::span<const double> loss) {
  if (loss.empty()) {
    Index largest = 0;
    for (std::size_t c = 1; c < weights.size(); ++c)
      if (clearly_greater(weights[c], weights[static_cast<std::size_t>(largest)])) largest = static_cast<Index>(c);
    return largest;
  }
  Index best = 0;
  double least = expected_loss(weights, loss, 0);
  for (Index answer = 1; answer < static_cast<Index>(weights.size()); ++answer) {
    const double candidate = expected_loss(weights, loss, answer);
    if (!clearly_greater(least, candidate)) continue;
    best = answer;
    least = candidate;
  }
  return best;
}

// Calls put(class, share) for the classes of a node, smoothed as the tree says. A node that no weight reached has the shares of the
// smoothing alone; without any, all is of its label.
template <class Put>
void each_share(const Tree& tree, Index node, Put&& put) {
  const std::span<const double> weights = tree.value(node);
  const auto smoothed = [&](std::size_t c) { return tree.smoothing.empty() ? weights[c] : weights[c] + tree.smoothing[c]; };
  double total = 0.0;
  for (std::size_t c = 0; c < weights.size(); ++c) total += smoothed(c);
  if (total <= 0.0) {
    put(static_cast<std::size_t>(tree.node(node).label), 1.0);
    return;
  }
  for (std::size_t c = 0; c < weights.size(); ++c) put(c, smoothed(c) / total);
}

}  // namespace thriftwood
