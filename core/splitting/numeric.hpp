// The best cut of one sorted numeric column at a node.
#pragma once

#include <cmath>
#include <span>

#include "presort.hpp"
#include "tally.hpp"

namespace thriftwood {

struct CutRules {
  double min_side = 0.0;          // least weight on each side
  double known = 0.0;             // weight of the cases with a known value
  double tolerance = 0.0;         // costs closer than this are a tie, and the lower cut stays
  double min_gap = 0.0;           // > 0: neighbouring values must differ by more, read from `column` or from `low` and `high`
  const Column* column = nullptr;
  const double* low = nullptr;    // by code
  const double* high = nullptr;
};

struct Cut {
  std::uint32_t position = 0;     // entries below the cut; 0 = no cut found
  std::uint32_t tried = 0;        // cuts that kept to the rules
  bool constant = true;           // the column has one value here
  double cost = infinity;         // of both sides
  double left_weight = 0.0;
};

template <class Tally, class I>
Cut best_cut(std::span<const Entry> entries, Tally& tally, const I& impurity, const CutRules& rules) {
  Cut best;
  // A side as light as min_side must count although sums of fractions are a little off.
  const double least = rules.min_side - 1e-9, most = rules.known - rules.min_side + 1e-9;
  const double tolerance = rules.tolerance * tally.unit(impurity);
  const auto n = static_cast<std::uint32_t>(entries.size());
  double to_beat = -infinity;
  if (n > 0) tally.add(entries[0] & row_mask);
  for (std::uint32_t i = 1; i < n; ++i) {
    const Entry entry = entries[i];
    const Row row = entry & row_mask;
    if (entry & new_value) {
      best.constant = false;
      const double left = tally.left_weight();
      if (left > most) break;
      if (left >= least &&
          (rules.min_gap == 0.0 || rules.column->number(row) - rules.column->number(entries[i - 1] & row_mask) > rules.min_gap)) {
        ++best.tried;
        const double score = tally.score(impurity);
        if (score > to_beat) {
          to_beat = score + tolerance;
          best.cost = score;
          best.position = i;
          best.left_weight = left;
        }
      }
    }
    tally.add(row);
  }
  best.cost = best.position > 0 ? tally.cost(best.cost, impurity) : infinity;
  return best;
}

// Half way between two values, but below the upper one whatever the rounding does.
inline double midpoint(double low, double high) {
  const double middle = low / 2.0 + high / 2.0;
  return middle >= high || middle < low ? low : middle;
}

}  // namespace thriftwood
