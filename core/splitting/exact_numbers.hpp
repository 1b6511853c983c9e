// Sums of numbers to predict that do not depend on the order of their terms.
//
// Where bins are used, numbers are rounded once to multiples of a power of two, and sums of them and of their squares are whole numbers of
// that step: 128 bits, never rounded. So it does not matter how cases lie in shards, which of two branches was counted and which came of a
// subtraction, or whether a node's cases were in memory at all. A sum is rounded once, when a cell is made of it.
//
//   step      a share of 2^-51 of the numbers' range where every case counts 1 or another whole number (2^-47 for a billion cases), 2^-35
//             where weights need all 53 bits of a double; or the last digit of the largest number, if that is coarser
//   units     a number as a count of steps from the origin, which is about the least of them
#pragma once

#include <cstdint>
#include <span>

#include "target.hpp"

namespace thriftwood {

__extension__ using Int128 = __int128;

// Of cases, in units: what they weigh, their numbers and the squares of these.
struct NumberSums {
  std::int64_t weight = 0;
  Int128 sum = 0, squares = 0;

  void add(std::int64_t number) {
    ++weight;
    sum += number;
    squares += static_cast<Int128>(number) * number;
  }
  void add(std::int64_t number, std::int64_t times) {
    const Int128 product = static_cast<Int128>(number) * times;
    weight += times;
    sum += product;
    squares += product * number;
  }
  void add(const NumberSums& more) {
    weight += more.weight;
    sum += more.sum;
    squares += more.squares;
  }
  // The same cases, their numbers measured from another one.
  NumberSums from(std::int64_t centre) const {
    const Int128 c = centre;
    return {weight, sum - c * weight, squares - 2 * c * sum + c * c * weight};
  }
  // The mean, rounded to whole units.
  std::int64_t mean() const;
};

// What numbers from `lowest` to `highest` are to be multiples of, so that sums over so many rows are exact. `weight_step`: what weights are
// multiples of, none above `largest`. The fewer bits their sum needs, the more are left for numbers.
NumberGrid number_grid(double lowest, double highest, std::size_t rows, double weight_step = 1.0, double largest = 1.0);

// Rounds the numbers of a target, whose weights are multiples of `weight_step` and none above `largest`, and notes by what.
void round_numbers(Target& target, double weight_step, double largest);

// Writes what sums are in the target's own measure.
void write_cell(const NumberGrid& grid, const NumberSums& sums, std::span<double> cell);

// What a node knows about cases of these sums, which were measured from `base`, in units from the origin: without weight and cost.
Summary summary_of(const NumberGrid& grid, const NumberSums& sums, std::int64_t base);

}  // namespace thriftwood
