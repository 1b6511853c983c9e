// Some of the units, and their sums: what a leaf for them would cost, and what no tree for them can do without.
#pragma once

#include <algorithm>
#include <vector>

#include "cases.hpp"

namespace thriftwood::optimal {

struct Part {
  std::vector<std::uint32_t> units;  // ascending
  SetKey key;
  double weight = 0.0;
  double floor = 0.0;
  std::vector<double> total;         // per answer: what it costs all of them
  std::vector<double> pull;          // per answer: the regrets of the units that it is the cheapest for

  // Sums up the units.
  void measure(const Cases& cases);
};

// What a leaf costs whose answers cost `total`; without the fee.
inline double answers_cost(const Cases& cases, const double* total, double weight) {
  const std::size_t n = cases.answers;
  double least = infinity;
  if (cases.prior_weight <= 0.0) {
    for (std::size_t a = 0; a < n; ++a) least = std::min(least, total[a]);
    return least;
  }
  for (std::size_t a = 0; a < n; ++a) least = std::min(least, total[a] + cases.prior_weight * cases.prior_cost[a]);
  return least * weight / (weight + cases.prior_weight);
}

inline double leaf_cost(const Cases& cases, const Part& part) {
  return part.units.empty() ? 0.0 : answers_cost(cases, part.total.data(), part.weight) + cases.leaf_fee;
}

// No tree costs these units less, whatever is asked. With a prior, leaves of weight w cost at least c m w / (w + m), where c is what the
// answer costs that the prior holds cheapest; dividing a leaf never makes that less.
inline double floor_of(const Cases& cases, const Part& part) {
  const double shrunk = (1.0 - 1e-12) * part.weight * cases.prior_weight * cases.prior_least;  // rounded outward
  return cases.prior_weight <= 0.0 ? part.floor : std::max(part.floor, shrunk / (part.weight + cases.prior_weight));
}

// Which branch of a question about a column takes its missing values: the last one.
inline std::size_t missing_branch(const CaseColumn& column) { return column.asking == Asking::Every ? column.values : 2; }

// The branches of a question about a part: left and right, or one for every category; then that of missing values. Some may be empty.
void divide(const Cases& cases, const Part& part, const Question& question, std::vector<Part>& branches);

// No tree with so many tests on a way costs less, whatever tests cost: of more answers than leaves, some are not given.
double least_cost(const Cases& cases, const Part& part, int depth);

}  // namespace thriftwood::optimal
