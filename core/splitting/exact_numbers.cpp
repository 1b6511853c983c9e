#include "exact_numbers.hpp"

#include <cmath>

namespace thriftwood {

namespace {

constexpr int most_number_bits = 51;  // numbers and their distances stay whole numbers that a double holds
constexpr int sum_bits = 124;         // of a sum of squares; squares are of distances of up to twice the range
constexpr double least_step = 0x1p-500;  // squares of less are nothing to a double

}  // namespace

std::int64_t NumberSums::mean() const {
  if (weight <= 0) return 0;
  const Int128 twice = 2 * static_cast<Int128>(weight), raised = 2 * sum + weight;
  const Int128 quotient = raised / twice;
  return static_cast<std::int64_t>(raised % twice < 0 ? quotient - 1 : quotient);
}

NumberGrid number_grid(double lowest, double highest, std::size_t rows, double weight_step, double largest_weight) {
  int counted = 0;  // bits of all weights together: 53 at most, see exact_grid
  std::frexp(largest_weight / weight_step * static_cast<double>(rows), &counted);
  const int bits = std::min(most_number_bits, (sum_bits - counted) / 2);
  const double range = highest / 2.0 - lowest / 2.0, largest = std::max(std::abs(lowest), std::abs(highest));
  int of_range = 0, of_largest = 0;
  std::frexp(range, &of_range);
  std::frexp(largest, &of_largest);
  NumberGrid grid;
  grid.step = largest > 0.0 ? std::ldexp(1.0, of_largest - 53) : 1.0;
  if (range > 0.0) grid.step = std::max(grid.step, std::ldexp(1.0, of_range + 1 - bits));
  grid.step = std::max(grid.step, least_step);
  grid.weight_step = weight_step;
  grid.origin = grid.rounded(lowest);
  if (!std::isfinite(grid.rounded(highest) - grid.origin)) throw InputError("The target's numbers are too large to be summed.");
  return grid;
}

void round_numbers(Target& target, double weight_step, double largest) {
  double lowest = infinity, highest = -infinity;
  for (std::size_t row = 0; row < target.rows(); ++row) {
    if (!target.unit() && target.weights[row] <= 0.0) continue;
    lowest = std::min(lowest, target.numbers[row]);
    highest = std::max(highest, target.numbers[row]);
  }
  if (lowest > highest) return;  // no case counts
  target.grid = number_grid(lowest, highest, target.rows(), weight_step, largest);
  for (double& number : target.numbers) number = target.grid.rounded(number);
}

void write_cell(const NumberGrid& grid, const NumberSums& sums, std::span<double> cell) {
  cell[0] = static_cast<double>(sums.weight) * grid.weight_step;
  cell[1] = static_cast<double>(sums.sum) * grid.step * grid.weight_step;
  cell[2] = static_cast<double>(sums.squares) * grid.step * grid.step * grid.weight_step;
}

Summary summary_of(const NumberGrid& grid, const NumberSums& sums, std::int64_t base) {
  const std::int64_t mean = sums.mean();
  const NumberSums own = sums.from(mean);
  Summary summary;
  summary.cell.assign(3, 0.0);
  write_cell(grid, own, summary.cell);
  summary.centre = grid.number(base + mean);
  summary.constant = own.squares == 0;
  return summary;
}

}  // namespace thriftwood
