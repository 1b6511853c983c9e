// The best cut of a coded numeric column from what was counted per code.
#pragma once

#include "nominal.hpp"
#include "numeric.hpp"

namespace thriftwood {

// Two classes, whole cases: counts[code] has the cases in its upper half and those of the second class in its lower half.
// Cut::position becomes 1 + the last code on the left.
template <class I>
Cut best_counted_cut(std::span<const std::uint64_t> counts, std::uint32_t total, std::uint32_t ones, const I& impurity, const CutRules& rules) {
  Cut best;
  std::uint32_t left = 0, left_ones = 0, last = 0;
  const double least = rules.min_side - 1e-9, most = rules.known - rules.min_side + 1e-9;
  for (std::uint32_t code = 0; code < counts.size(); ++code) {
    const std::uint64_t count = counts[code];
    if (count == 0) continue;
    if (left > 0) {
      best.constant = false;
      if (left > most) break;
      if (left >= least && (rules.min_gap == 0.0 || rules.low[code] - rules.high[last] > rules.min_gap)) {
        ++best.tried;
        const double cost = impurity.cost_of_counts(left, left_ones) + impurity.cost_of_counts(total - left, ones - left_ones);
        if (cost < best.cost - rules.tolerance) {
          best.cost = cost;
          best.position = last + 1;
          best.left_weight = left;
        }
      }
    }
    left += static_cast<std::uint32_t>(count >> 32);
    left_ones += static_cast<std::uint32_t>(count);
    last = code;
  }
  return best;
}

// Any classes, weights or numbers, from cells.
template <class I>
Cut best_cell_cut(const Target& target, const CategoryCells& cells, Cell known, const I& impurity, const CutRules& rules) {
  Cut best;
  std::vector<double> left(known.size(), 0.0), right(known.begin(), known.end());
  double left_weight = 0.0;
  std::uint32_t last = 0;
  const double least = rules.min_side - 1e-9, most = rules.known - rules.min_side + 1e-9;
  for (std::uint32_t code = 0; code < cells.categories(); ++code) {
    const Cell cell = cells.cell(code);
    const double weight = target.weight_of(cell);
    if (weight <= 0.0) continue;
    if (left_weight > 0.0) {
      best.constant = false;
      if (left_weight > most) break;
      if (left_weight >= least && (rules.min_gap == 0.0 || rules.low[code] - rules.high[last] > rules.min_gap)) {
        ++best.tried;
        const double cost = impurity.cost(left, left_weight) + impurity.cost(right, rules.known - left_weight);
        if (cost < best.cost - rules.tolerance) {
          best.cost = cost;
          best.position = last + 1;
          best.left_weight = left_weight;
        }
      }
    }
    for (std::size_t c = 0; c < left.size(); ++c) {
      left[c] += cell[c];
      right[c] -= cell[c];
    }
    left_weight += weight;
    last = code;
  }
  return best;
}

}  // namespace thriftwood
