// Impurities and merits, on the fourteen days of golf.
#include <array>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "criteria/criterion.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/squared_error.hpp"
#include "splitting/nominal.hpp"

using namespace thriftwood;

namespace {

Offer offer(double gain, double split_info) {
  Offer made;
  made.admissible = true;
  made.gain = gain;
  made.split_info = split_info;
  return made;
}

}  // namespace

TEST_CASE("the impurity of nine against five") {
  const std::array<double, 2> days{9.0, 5.0};
  CHECK_NEAR(Entropy{}.cost(days, 14.0) / 14.0, 0.940286, 5e-7);
  CHECK_NEAR(Gini{}.cost(days, 14.0) / 14.0, 0.459184, 5e-7);
}

TEST_CASE("a pure cell and an empty one cost nothing") {
  const std::array<double, 3> pure{0.0, 7.5, 0.0}, empty{};
  CHECK(Gini{}.cost(pure, 7.5) == 0.0);
  CHECK(Entropy{}.cost(pure, 7.5) == 0.0);
  CHECK(Gini{}.cost(empty, 0.0) == 0.0);
  CHECK(Entropy{}.cost(empty, 0.0) == 0.0);
  CHECK(SquaredError{}.cost(empty, 0.0) == 0.0);
}

TEST_CASE("counts of two classes cost what their cells cost") {
  std::vector<double> table(41);
  for (std::size_t n = 0; n < table.size(); ++n) table[n] = Entropy::plain(static_cast<double>(n));
  for (std::uint32_t total = 1; total <= 40; ++total)
    for (std::uint32_t ones = 0; ones <= total; ++ones) {
      const std::array<double, 2> cell{static_cast<double>(total - ones), static_cast<double>(ones)};
      CHECK_NEAR(Gini{}.cost_of_counts(total, ones), Gini{}.cost(cell, total), 1e-12);
      CHECK_NEAR(Entropy{table.data()}.cost_of_counts(total, ones), Entropy{table.data()}.cost(cell, total), 1e-12);
      CHECK(Entropy{table.data()}.cost(cell, total) == Entropy{}.cost(cell, total));
    }
}

TEST_CASE("the squared error of the worked example") {
  const std::vector<double> numbers{1, 2, 2, 8, 9, 12};
  std::array<double, 3> cell{};
  for (double y : numbers) {
    cell[0] += 1;
    cell[1] += y;
    cell[2] += y * y;
  }
  CHECK_NEAR(SquaredError{}.cost(cell, 6.0), 105.333333, 5e-7);
}

TEST_CASE("gain ratios of the golf tree") {
  const double outlook[] = {5.0, 4.0, 5.0}, wind[] = {8.0, 6.0}, sunny[] = {2.0, 3.0}, known[] = {5.0, 3.0, 5.0};
  CHECK_NEAR(split_information(outlook, 0.0, 14.0), 1.577406, 5e-7);
  CHECK_NEAR(split_information(wind, 0.0, 14.0), 0.985228, 5e-7);
  CHECK_NEAR(split_information(known, 1.0, 14.0), 1.809200, 5e-7);
  const MeritRules rules{0.147438, 0.001};
  CHECK_NEAR(GainRatio::merit(offer(0.246750, split_information(outlook, 0.0, 14.0)), rules).value, 0.156428, 1e-6);
  CHECK(GainRatio::merit(offer(0.048127, split_information(wind, 0.0, 14.0)), rules).tier < 0);
  CHECK_NEAR(GainRatio::merit(offer(0.770951, split_information(sunny, 0.0, 5.0)), {}).value, 0.794016, 1e-6);
}

TEST_CASE("a gain a little below the average is enough, a split of almost no information is not") {
  const MeritRules rules{0.5, 0.001};
  CHECK(GainRatio::merit(offer(0.4991, 1.0), rules).tier == 0);
  CHECK(GainRatio::merit(offer(0.4989, 1.0), rules).tier < 0);
  CHECK(GainRatio::merit(offer(0.6, 0.0009), rules).tier < 0);
  CHECK(GainRatio::merit(offer(0.6, 0.0011), rules).tier == 0);
}

TEST_CASE("prices count less and less down the tree") {
  // The root and the Sunny node of the fourteen days: Outlook costs 4, Temp 1, Humidity 2, Wind 0.5.
  MeritRules rules;
  rules.price_unit = 4.0;
  const auto value = [&](double gain, double price) {
    Offer made = offer(gain, 1.0);
    made.price = price;
    return Lasc::merit(made, rules).value;
  };
  CHECK_NEAR(value(0.2467498, 4.0), 0.246750, 1e-6);
  CHECK_NEAR(value(0.0292226, 1.0), 0.116890, 1e-6);
  CHECK_NEAR(value(0.1518355, 2.0), 0.303671, 1e-6);
  CHECK_NEAR(value(0.0481270, 0.5), 0.385016, 1e-6);
  const double temp = 0.5709506, humidity = 0.9709506, wind = 0.0199731;
  const double alphas[] = {0.1, 1.0, 4.0};
  const double worth[][3] = {{1.765577, 1.768840, 0.094835}, {0.779835, 1.182027, 0.029052}, {0.578003, 0.978914, 0.020262}};
  for (std::size_t i = 0; i < 3; ++i) {
    rules.price_weight = std::pow(5.0 / 14.0, alphas[i]);
    CHECK_NEAR(value(temp, 1.0), worth[i][0], 1e-6);
    CHECK_NEAR(value(humidity, 2.0), worth[i][1], 1e-6);
    CHECK_NEAR(value(wind, 0.5), worth[i][2], 1e-6);
  }
  rules.price_weight = 1.0;
  CHECK(Lasc::worth(0.1, 0.0).tier == 1);
  CHECK(Lasc::worth(0.0, 0.0).tier < 0);
}

TEST_CASE("only a clear difference decides") {
  CHECK(clearly_greater(1.0 + 1e-11, 1.0));
  CHECK(!clearly_greater(1.0 + 1e-13, 1.0));
  CHECK(!clearly_greater(1.0, 1.0));
  CHECK(clearly_greater(-1.0, -infinity));
  CHECK(!clearly_greater(-infinity, -infinity));
  CHECK(clearly_greater(-1.0 + 1e-11, -1.0));
  CHECK(!clearly_greater(-1.0 + 1e-13, -1.0));
}
