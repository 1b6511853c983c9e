// The best cut of one sorted numeric column at a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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
  std::uint32_t next = 0;         // coded columns: the lowest code above the cut that occurs
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
      if (left >= least && (rules.min_gap == 0.0 || rules.column->number(row) - rules.column->number(entries[i - 1] & row_mask) > rules.min_gap)) {
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

// The same for two classes, whole cases and Gini, where it runs more often than anything else: the case count is the position, so the
// rules become the bounds of a loop, and d and left * right (see CountTally) are kept up by one addition each.
inline Cut best_gini_cut(std::span<const Entry> entries, const std::uint16_t* labels, std::int64_t ones, const CutRules& rules) {
  Cut best;
  const auto total = static_cast<std::int64_t>(entries.size());
  const double gini_cost = total > 0 ? Gini{}.cost_of_counts(static_cast<std::uint32_t>(total), static_cast<std::uint32_t>(ones)) : 0.0;
  const double tolerance = rules.tolerance * static_cast<double>(total) / 2.0;
  const double side = std::min(rules.min_side, static_cast<double>(total) + 1.0);  // a larger one has no room in a whole number
  const auto first = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(side - 1e-9)));
  const std::int64_t last = std::min(total - 1, static_cast<std::int64_t>(std::floor(static_cast<double>(total) - side + 1e-9)));
  const std::int64_t step[] = {-ones, total - ones};  // what a case of each class adds to d
  Entry seen = 0;
  std::int64_t d = 0, i = 0;
  for (; i < std::min(first, total); ++i) {
    if (i > 0) seen |= entries[static_cast<std::size_t>(i)];
    d += step[labels[entries[static_cast<std::size_t>(i)] & row_mask]];
  }
  double to_beat = -infinity, nearly = -infinity, best_score = 0.0;
  std::int64_t product = i * (total - i), growth = total - 2 * i - 1;
  for (; i <= last; ++i) {
    const Entry entry = entries[static_cast<std::size_t>(i)];
    if (entry & new_value) {
      ++best.tried;
      const auto square = static_cast<double>(d) * static_cast<double>(d), divisor = static_cast<double>(product);
      if (square > nearly * divisor) {  // most cuts are not worth a division
        if (const double score = square / divisor; score > to_beat) {
          to_beat = score + tolerance;
          nearly = to_beat * (1.0 - tie_tolerance);
          best_score = score;
          best.position = static_cast<std::uint32_t>(i);
        }
      }
    }
    d += step[labels[entry & row_mask]];
    product += growth;
    growth -= 2;
  }
  for (; i < total && best.tried == 0; ++i) seen |= entries[static_cast<std::size_t>(i)];
  best.constant = best.tried == 0 && (seen & new_value) == 0;
  best.left_weight = best.position;
  if (best.position > 0) best.cost = gini_cost - 2.0 * best_score / static_cast<double>(total);
  return best;
}

// Half way between two values, but below the upper one whatever the rounding does.
inline double midpoint(double low, double high) {
  const double middle = low / 2.0 + high / 2.0;
  return middle >= low && middle < high ? middle : low;  // also where infinities make it NaN
}

// The cut between two neighbouring values, moved as little as it takes for float32 copies of them to fall on the same sides; `at` is
// between them. Where float32 cannot tell them apart it stays.
inline double cut_for_copies(double at, double low, double high) {
  constexpr double most = std::numeric_limits<float>::max();
  if (low < -most || high > most) return at;
  const double least = std::max(low, static_cast<double>(static_cast<float>(low)));
  const double below = std::min(high, static_cast<double>(static_cast<float>(high)));
  if (least >= below || (at >= least && at < below)) return at;
  return at < least ? least : midpoint(least, below);
}

}  // namespace thriftwood
