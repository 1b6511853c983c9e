#include "splitting/exact_numbers.hpp"

#include <limits>

#include "check.hpp"

using namespace thriftwood;

TEST_CASE("the mean is the nearest whole unit, wherever units are counted from") {
  NumberSums sums;
  for (std::int64_t number : {-7, -6, -6}) sums.add(number);
  CHECK(sums.mean() == -6);  // -19 / 3
  NumberSums half;
  for (std::int64_t number : {-1, 0}) half.add(number);
  CHECK(half.mean() == 0);  // -1 / 2, up
  for (std::int64_t shift : {-1000000007ll, 5ll, 1ll << 50}) {
    CHECK(sums.from(shift).mean() + shift == sums.mean());
    CHECK(half.from(shift).mean() + shift == half.mean());
  }
}

TEST_CASE("sums measured from elsewhere are those of the numbers from there") {
  NumberSums sums, moved;
  for (std::int64_t number : {3, 8, -20}) {
    sums.add(number, 4);
    moved.add(number - 11, 4);
  }
  const NumberSums found = sums.from(11);
  CHECK(found.weight == moved.weight && found.sum == moved.sum && found.squares == moved.squares);
}

TEST_CASE("steps keep the digits of a double where the range allows it") {
  const NumberGrid grid = number_grid(-3.0, 5.0, 1000);
  CHECK(grid.step == 0x1p-47);  // a range of 8 is below 2^4, and 51 bits are kept
  CHECK(grid.origin == -3.0 && grid.weight_step == 1.0);
  CHECK(grid.number(grid.units(grid.rounded(0.1))) == grid.rounded(0.1));
  CHECK_NEAR(grid.rounded(0.1), 0.1, 0x1p-48);
  CHECK(number_grid(-3.0, 5.0, 1u << 30).step == 0x1p-42);               // a billion rows: 46 bits
  CHECK(number_grid(-3.0, 5.0, 1000, 0x1p-43).step == 0x1p-31);          // weights of all bits: 53 together, and 35 for numbers
  CHECK(number_grid(-3.0, 5.0, 1000, 0x1p-43).weight_step == 0x1p-43);
  CHECK(number_grid(-3.0, 5.0, 1000, 1.0, 7.0).step == 0x1p-47);         // weights of whole numbers: as where all count 1
  CHECK(number_grid(-3.0, 5.0, 1000, 0x1p-20, 1.0).step == 0x1p-43);     // 30 bits together, and 47 for numbers
  CHECK(number_grid(-3.0, 5.0, 1000, 8.0, 8.0).step == 0x1p-47);         // each counts 8: as where each counts 1
}

TEST_CASE("steps are no finer than the last digit of the largest number") {
  const NumberGrid far = number_grid(1e15, 1e15 + 1.0, 10);
  CHECK(far.step == 0.125);
  CHECK(far.rounded(1e15 + 0.5) == 1e15 + 0.5);
  const NumberGrid alike = number_grid(0.1, 0.1, 10);
  CHECK(alike.rounded(0.1) == 0.1);
  CHECK(number_grid(0.0, 0.0, 10).exact());
  CHECK(number_grid(0.0, 1e-300, 10).rounded(1e-300) == 0.0);  // its square is nothing
}

TEST_CASE("numbers so large that their distances or sums are not are refused") {
  CHECK_THROWS_AS(InputError, number_grid(-1.7e308, 1.7e308, 10));
  CHECK_THROWS_AS(InputError, number_grid(0.0, std::numeric_limits<double>::max(), 10));
  CHECK(number_grid(0.0, 1e308, 10).exact());
}

TEST_CASE("a node of equal numbers is constant, and its centre is that number") {
  const NumberGrid grid = number_grid(0.1, 0.9, 10);
  NumberSums sums;
  for (int i = 0; i < 3; ++i) sums.add(grid.units(grid.rounded(0.3)));
  const Summary same = summary_of(grid, sums, 0);
  CHECK(same.constant && same.centre == grid.rounded(0.3) && same.cell[2] == 0.0);
  sums.add(grid.units(grid.rounded(0.3)) + 1);
  CHECK(!summary_of(grid, sums, 0).constant);
}
