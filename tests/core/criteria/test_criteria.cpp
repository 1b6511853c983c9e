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

TEST_CASE("only a clear difference decides") {
  CHECK(clearly_greater(1.0 + 1e-11, 1.0));
  CHECK(!clearly_greater(1.0 + 1e-13, 1.0));
  CHECK(!clearly_greater(1.0, 1.0));
  CHECK(clearly_greater(-1.0, -infinity));
  CHECK(!clearly_greater(-infinity, -infinity));
  CHECK(clearly_greater(-1.0 + 1e-11, -1.0));
  CHECK(!clearly_greater(-1.0 + 1e-13, -1.0));
}

TEST_CASE("powers of prices that are no doubles still tell prices apart") {
  const auto priced = [](double gain, double price) {
    Offer made = offer(gain, 1.0);
    made.price = price;
    return made;
  };
  MeritRules rules;
  for (double exponent : {1e3, 1e4, 1e6, 1e12}) {
    rules.gamma = rules.w = exponent;
    const Offer cheap = priced(0.1, 0.5), dear = priced(0.9, 0.51), free = priced(0.01, 0.0), useless = priced(0.0, 0.25);
    const auto orders = [&](auto criterion) {
      const auto merit = [&](const Offer& one) { return criterion.merit(one, rules); };
      CHECK(better(merit(cheap), merit(dear)));
      CHECK(!better(merit(dear), merit(cheap)));
      CHECK(better(merit(free), merit(cheap)));
      CHECK(better(merit(cheap), merit(useless)));
      CHECK(better(merit(priced(0.2, 0.5)), merit(cheap)));  // of equal prices the larger gain
      CHECK(!better(merit(cheap), merit(cheap)));
      CHECK(better(merit(cheap), no_merit));
    };
    orders(Idx{});
    orders(Eg2{});
    orders(CsC45{});
  }
}

TEST_CASE("scaled merits compare as their values would") {
  MeritRules rules;
  for (double exponent : {0.0, 0.5, 1.0, 40.0, 200.0, 260.0, 400.0})
    for (double price : {0.1, 0.2, 9.0})
      for (double other : {0.1, 0.15, 9.0, 11.0}) {
        rules.gamma = exponent;
        Offer a = offer(0.3, 1.0), b = offer(0.2, 1.0);
        a.price = price;
        b.price = other;
        const double difference = std::log(0.3 / 0.2) - exponent * std::log(price / other);
        CHECK(better(Idx::merit(a, rules), Idx::merit(b, rules)) == (difference > 1e-9));
        CHECK(better(Idx::merit(b, rules), Idx::merit(a, rules)) == (difference < -1e-9));
      }
}
