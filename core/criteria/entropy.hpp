// Entropy: the bits needed to tell the class of a case. -sum p log2 p (Quinlan 1986).
#pragma once

#include <cmath>
#include <cstdint>

#include "facts.hpp"
#include "gain.hpp"
#include "impurity.hpp"

namespace thriftwood {

struct Entropy {
  // table[n] = n log2 n for every whole weight that can occur, or null when weights are not whole. Looking a value up costs
  // about a tenth of a logarithm, and the table is filled by the same expression, so both give the same bits.
  const double* table = nullptr;

  static double plain(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }
  double x_log_x(double x) const { return table != nullptr ? table[static_cast<std::size_t>(x)] : plain(x); }

  double cost(Cell cell, double weight) const {
    double sum = x_log_x(weight);
    for (double w : cell) sum -= x_log_x(w);
    return sum;
  }

  double cost_of_counts(std::uint32_t total, std::uint32_t ones) const { return table[total] - table[ones] - table[total - ones]; }
};

namespace declared {
inline constexpr Declaration<Gain> entropy{{
    .name = "entropy",
    .formula = "G",
    .reference = "Quinlan 1986",
}};
}  // namespace declared

}  // namespace thriftwood
