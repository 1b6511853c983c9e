// The class shares of a node, and which answer costs least, given how much weight each class has. Leaves and cases that end at several
// leaves use the same rule.
#pragma once

#include <span>

#include "../basics/loss.hpp"
#include "tree.hpp"

namespace thriftwood {

// `loss` is [actual][answer], or empty: 1 for every mistake.
inline double expected_loss(std::span<const double> weights, std::span<const double> loss, Index answer) {
  const std::size_t answers = answers_of(loss, weights.size());
  double sum = 0.0;
  for (std::size_t actual = 0; actual < weights.size(); ++actual) {
    const bool right = actual == static_cast<std::size_t>(answer);
    sum += weights[actual] * (loss.empty() ? (right ? 0.0 : 1.0) : loss[actual * answers + static_cast<std::size_t>(answer)]);
  }
  return sum;
}

// Ties, up to rounding, go to the lowest answer: to classes before others.
inline Index cheapest_answer(std::span<const double> weights, std::span<const double> loss) {
  if (loss.empty()) {
    Index largest = 0;
    for (std::size_t c = 1; c < weights.size(); ++c)
      if (clearly_greater(weights[c], weights[static_cast<std::size_t>(largest)])) largest = static_cast<Index>(c);
    return largest;
  }
  Index best = 0;
  double least = expected_loss(weights, loss, 0);
  for (Index answer = 1; answer < static_cast<Index>(answers_of(loss, weights.size())); ++answer) {
    const double candidate = expected_loss(weights, loss, answer);
    if (!clearly_greater(least, candidate)) continue;
    best = answer;
    least = candidate;
  }
  return best;
}

// Calls put(class, share) for the classes of a node, smoothed as the tree says. A node that no weight reached has the shares of the
// smoothing alone; without any, all is of its label, or, where that is no class, of every class the same.
template <class Put>
void each_share(const Tree& tree, Index node, Put&& put) {
  const std::span<const double> weights = tree.value(node);
  const auto smoothed = [&](std::size_t c) { return tree.smoothing.empty() ? weights[c] : weights[c] + tree.smoothing[c]; };
  double total = 0.0;
  for (std::size_t c = 0; c < weights.size(); ++c) total += smoothed(c);
  if (total <= 0.0) {
    const Index label = tree.node(node).label;
    if (label < tree.width) {
      put(static_cast<std::size_t>(label), 1.0);
      return;
    }
    for (std::size_t c = 0; c < weights.size(); ++c) put(c, 1.0 / static_cast<double>(weights.size()));
    return;
  }
  for (std::size_t c = 0; c < weights.size(); ++c) put(c, smoothed(c) / total);
}

}  // namespace thriftwood
