// The best cut of a coded numeric column, from what each code counts at the node.
#pragma once

#include "nominal.hpp"
#include "numeric.hpp"
#include "tally.hpp"

namespace thriftwood {

// Two classes, whole cases: what one code counts.
struct Counted {
  std::uint32_t code;
  std::uint32_t cases;
  std::uint32_t ones;  // of the second class
};

// The best cut between the codes that occur, given in order. Cut::position becomes 1 + the last code on the left.
template <class I>
Cut best_counted_cut(std::span<const Counted> counts, std::uint32_t total, std::uint32_t ones, const I& impurity, const CutRules& rules) {
  Cut best;
  best.constant = counts.size() < 2;
  if (best.constant) return best;
  CountTally tally(total, ones);
  const double least = rules.min_side - 1e-9, most = rules.known - rules.min_side + 1e-9;
  const double tolerance = rules.tolerance * tally.unit(impurity);
  double to_beat = -infinity;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    tally.add(counts[i].cases, counts[i].ones);
    const double left = tally.left_weight();
    if (left > most) break;
    if (left < least) continue;
    if (rules.min_gap > 0.0 && rules.low[counts[i + 1].code] - rules.high[counts[i].code] <= rules.min_gap) continue;
    ++best.tried;
    const double score = tally.score(impurity);
    if (score > to_beat) {
      to_beat = score + tolerance;
      best.cost = score;
      best.position = counts[i].code + 1;
      best.next = counts[i + 1].code;
      best.left_weight = left;
    }
  }
  best.cost = best.position > 0 ? tally.cost(best.cost, impurity) : infinity;
  return best;
}

// Any classes, weights or numbers, from cells.
template <class I>
Cut best_cell_cut(const Target& target, const CategoryCells& cells, Cell known, const I& impurity, const CutRules& rules) {
  Cut best;
  std::vector<double> left(known.size(), 0.0), right(known.begin(), known.end());
  double left_weight = 0.0, left_size = 0.0;
  std::uint32_t last = 0;
  const double slack = target.size_slack();
  const double least = rules.min_side - slack, most = target.size_of(known, rules.known) - rules.min_side + slack;
  for (std::uint32_t code = 0; code < cells.categories(); ++code) {
    const Cell cell = cells.cell(code);
    const double weight = target.weight_of(cell);
    if (weight <= 0.0) continue;
    if (left_weight > 0.0) {
      best.constant = false;
      if (left_size > most) break;
      if (left_size >= least && (rules.min_gap == 0.0 || rules.low[code] - rules.high[last] > rules.min_gap)) {
        ++best.tried;
        const double cost = impurity.cost(left, left_weight) + impurity.cost(right, rules.known - left_weight);
        if (cost < best.cost - rules.tolerance) {
          best.cost = cost;
          best.position = last + 1;
          best.next = code;
          best.left_weight = left_weight;
        }
      }
    }
    for (std::size_t c = 0; c < left.size(); ++c) {
      left[c] += cell[c];
      right[c] -= cell[c];
    }
    left_weight += weight;
    left_size += target.size_of(cell, weight);
    last = code;
  }
  return best;
}

}  // namespace thriftwood
