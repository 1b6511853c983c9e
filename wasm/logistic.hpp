// Logistic regression with a ridge, for what everybody's tests tell together: the least of src/thriftwood/baselines/logistic.py.
#pragma once

#include <span>
#include <vector>

#include "basics/types.hpp"

namespace thriftwood::face {

// Rows of numbers, the first of each 1.
struct Design {
  std::size_t width = 0;
  std::vector<double> numbers;

  std::size_t rows() const { return numbers.size() / width; }
  const double* row(std::size_t i) const { return numbers.data() + i * width; }
};

// Coefficients, [class * width + column]; of two classes those of the second alone.
std::vector<double> fit_logistic(const Design& design, std::span<const Index> labels, std::size_t classes);

// [row * classes + class]
std::vector<double> logistic_shares(const Design& design, std::span<const double> coefficients, std::size_t classes);

}  // namespace thriftwood::face
