// Squared error: the sum of squared distances from the mean. Cells are (weight, weight * y, weight * y^2).
#pragma once

#include "facts.hpp"
#include "gain.hpp"
#include "impurity.hpp"

namespace thriftwood {

struct SquaredError {
  double cost(Cell cell, double weight) const {
    if (weight <= 0.0) return 0.0;
    const double spread = cell[2] - cell[1] * cell[1] / weight;
    return spread > 0.0 ? spread : 0.0;  // rounding may leave a tiny negative
  }
};

namespace declared {
inline constexpr Declaration<Gain> squared_error{{
    .name = "squared_error",
    .impurity = ImpurityName::SquaredError,
    .formula = "decrease of sum (y - mean)^2",
    .reference = "Breiman, Friedman, Olshen & Stone 1984",
}};
}  // namespace declared

}  // namespace thriftwood
