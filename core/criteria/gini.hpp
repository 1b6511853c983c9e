// Gini: the chance that two cases drawn from the cell differ in class. 1 - sum p^2 (Breiman et al. 1984).
#pragma once

#include <cstdint>

#include "facts.hpp"
#include "gain.hpp"
#include "impurity.hpp"

namespace thriftwood {

struct Gini {
  double cost(Cell cell, double weight) const {
    if (weight <= 0.0) return 0.0;
    double squares = 0.0;
    for (double w : cell) squares += w * w;
    return weight - squares / weight;
  }

  // Two classes, whole cases: `ones` of `total` are of the second class. One division instead of two sums.
  double cost_of_counts(std::uint32_t total, std::uint32_t ones) const {
    const double p = ones, q = static_cast<double>(total) - p;
    return 2.0 * p * q / static_cast<double>(total);
  }
};

namespace declared {
inline constexpr Declaration<Gain> gini{{
    .name = "gini",
    .impurity = ImpurityName::Gini,
    .formula = "decrease of 1 - sum p^2",
    .reference = "Breiman, Friedman, Olshen & Stone 1984",
}};
}  // namespace declared

}  // namespace thriftwood
