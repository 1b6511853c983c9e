// The sum of numbers, rounded once: 0.1 ten times is 1. Bills that people add up by hand come out as they expect.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace thriftwood {

// Shewchuk's algorithm, as in Python's math.fsum: the partial sums do not overlap, and together they are exact.
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double y : partials_) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0.0) partials_[kept++] = low;
      x = high;
    }
    partials_.resize(kept);
    partials_.push_back(x);
  }

  double value() const {
    if (partials_.empty()) return 0.0;
    std::size_t n = partials_.size();
    double high = partials_[--n], low = 0.0;
    while (n > 0 && low == 0.0) {
      const double x = high, y = partials_[--n];
      high = x + y;
      low = y - (high - x);
    }
    // Halfway between two numbers it is rounded by what is left.
    if (n > 0 && ((low < 0.0 && partials_[n - 1] < 0.0) || (low > 0.0 && partials_[n - 1] > 0.0))) {
      const double twice = 2.0 * low, x = high + twice;
      if (twice == x - high) high = x;
    }
    return high;
  }

 private:
  std::vector<double> partials_;  // from small to large
};

}  // namespace thriftwood
