// Impurities and merits, on the fourteen days of golf.
#include <array>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "criteria/criterion.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/leaf_cost.hpp"
#include "criteria/smoothed_cost.hpp"
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
  CHECK_NEAR(merit(GainRatio{}, offer(0.246750, split_information(outlook, 0.0, 14.0)), rules).value, 0.156428, 1e-6);
  CHECK(merit(GainRatio{}, offer(0.048127, split_information(wind, 0.0, 14.0)), rules).tier < 0);
  CHECK_NEAR(GainRatio::merit(offer(0.770951, split_information(sunny, 0.0, 5.0)), {}).value, 0.794016, 1e-6);
}

TEST_CASE("a gain a little below the average is enough, a split of almost no information is not") {
  const MeritRules rules{0.5, 0.001};
  CHECK(merit(GainRatio{}, offer(0.4991, 1.0), rules).tier == 0);
  CHECK(merit(GainRatio{}, offer(0.4989, 1.0), rules).tier < 0);
  CHECK(merit(GainRatio{}, offer(0.6, 0.0009), rules).tier < 0);
  CHECK(merit(GainRatio{}, offer(0.6, 0.0011), rules).tier == 0);
}

TEST_CASE("the gini index with a loss matrix sees both directions as one") {
  const std::array<double, 2> days{9.0, 5.0}, empty{};
  const std::array<double, 4> one_way{0.0, 5.0, 1.0, 0.0}, other_way{0.0, 1.0, 5.0, 0.0};
  CHECK_NEAR(GiniLoss{one_way}.cost(days, 14.0) / 14.0, 1.377551, 5e-7);
  CHECK_NEAR(GiniLoss{one_way}.cost(days, 14.0), GiniLoss{other_way}.cost(days, 14.0), 1e-12);
  CHECK_NEAR(GiniLoss{}.cost(days, 14.0), Gini{}.cost(days, 14.0), 1e-12);
  CHECK(GiniLoss{one_way}.cost(empty, 0.0) == 0.0);
  const std::array<double, 3> three{0.5, 0.3, 0.2};
  const std::array<double, 9> uneven{0.0, 1.0, 4.0, 2.0, 0.0, 1.0, 6.0, 3.0, 0.0};
  CHECK_NEAR(GiniLoss{uneven}.cost(three, 1.0), 1.69, 1e-12);
  CHECK(DecreaseOnly::merit(offer(-0.0005, 1.0), {}).tier < 0);
  CHECK(DecreaseOnly::merit(offer(0.25, 1.0), {}).value == 0.25);
}

TEST_CASE("what mistakes cost about nine against five") {
  const std::array<double, 2> days{9.0, 5.0}, pure{0.0, 4.0}, empty{};
  const std::array<double, 4> hundred{0.0, 100.0, 100.0, 0.0}, uneven{0.0, 10.0, 30.0, 0.0};
  CHECK(LeafCost{}.cost(days, 14.0) == 5.0);
  CHECK(LeafCost{hundred}.cost(days, 14.0) == 500.0);
  CHECK(LeafCost{uneven}.cost(days, 14.0) == 90.0);  // "no" costs 9 * 10, "yes" 5 * 30
  CHECK_NEAR(SmoothedCost{hundred}.cost(days, 14.0), 642.857143, 5e-7);
  CHECK_NEAR(SmoothedCost{uneven}.cost(days, 14.0), 2.0 * 90.0 * 150.0 / 240.0, 1e-12);
  for (const auto& loss : {std::span<const double>(), std::span<const double>(hundred)}) {
    CHECK(LeafCost{loss}.cost(pure, 4.0) == 0.0);
    CHECK(LeafCost{loss}.cost(empty, 0.0) == 0.0);
    CHECK(SmoothedCost{loss}.cost(pure, 4.0) == 0.0);
    CHECK(SmoothedCost{loss}.cost(empty, 0.0) == 0.0);
  }
}

TEST_CASE("an answer is drawn with a chance in inverse proportion to what it costs") {
  const std::array<double, 3> cell{1.0, 1.0, 0.0};
  CHECK_NEAR(SmoothedCost{}.cost(cell, 2.0), 3.0 / (1.0 + 1.0 + 0.5), 1e-15);
}

TEST_CASE("no split makes a smoothed cost larger, and it is never below the leaf cost") {
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      for (int c = 0; c < 6; ++c) {
        const std::array<double, 3> left{1.0 * a, 1.0 * b, 2.0}, right{1.0 * c, 3.0, 1.0 * a},
            whole{left[0] + right[0], left[1] + right[1], left[2] + right[2]};
        const std::array<double, 9> loss{0, 3, 7, 1, 0, 5, 2, 2, 0};
        const SmoothedCost smoothed{loss};
        const double parts = smoothed.cost(left, a + b + 2.0) + smoothed.cost(right, c + a + 3.0),
                     together = smoothed.cost(whole, 2.0 * a + b + c + 5.0);
        CHECK(parts <= together * (1.0 + 1e-12));
        CHECK(LeafCost{loss}.cost(whole, 2.0 * a + b + c + 5.0) <= together * (1.0 + 1e-12));
      }
}

TEST_CASE("regrets count from the best answer for each class") {
  const std::array<double, 4> benefits{-5.0, 1.0, 10.0, 3.0};
  CHECK((regrets(benefits, 2) == std::vector<double>{0.0, 6.0, 7.0, 0.0}));
  CHECK(regrets({}, 2).empty());
}

TEST_CASE("a test is worth what it saves beyond what the cases pay") {
  Offer humidity = offer(100.0 / 14.0, 1.0);
  humidity.price = 2.0;
  CHECK_NEAR(14.0 * TotalCost{}.merit(humidity, {}).value, 72.0, 1e-12);
  humidity.known = 0.5;  // only they pay
  CHECK_NEAR(14.0 * TotalCost{}.merit(humidity, {}).value, 86.0, 1e-12);
  MeritRules upfront;
  upfront.paid_by_all = true;
  upfront.reach = 0.5;  // twice as many cases pay as are at the node
  CHECK_NEAR(14.0 * TotalCost{}.merit(humidity, upfront).value, 44.0, 1e-12);
  humidity.known = 1.0;
  humidity.price = humidity.gain;  // no more than it costs: the leaf is simpler
  CHECK(TotalCost{}.merit(humidity, {}).tier < 0);
  humidity.price = 10.0;
  CHECK_NEAR(14.0 * TotalCost{.allow_negative = true}.merit(humidity, {}).value, -40.0, 1e-12);
}

TEST_CASE("PM of the golf table, by gain ratio and by gain") {
  Offer outlook = offer(0.246750, 1.577406), humidity = offer(0.151836, 1.0);
  outlook.price = 4.0;
  humidity.price = 2.0;
  outlook.saving = humidity.saving = 20.0;
  const Pm by_gain{Information::Gain};
  CHECK_NEAR(Pm{}.merit(outlook, {}).value, 0.458096, 2e-6);
  CHECK_NEAR(Pm{}.merit(humidity, {}).value, 0.739880, 5e-6);
  CHECK_NEAR(by_gain.merit(outlook, {}).value, 0.746124, 5e-6);
  outlook.saving = 0.0;
  CHECK(Pm{}.merit(outlook, {}).tier < 0);
  humidity.split_info = 0.0009;
  CHECK(Pm{}.merit(humidity, {}).tier < 0);
  CHECK(by_gain.merit(humidity, {}).tier == 0);
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
  CHECK(per_expense(0.1, 0.0).tier == 1);
  CHECK(per_expense(0.0, 0.0).tier < 0);
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
  for (double exponent : {1e3, 1e4, 1e6, 1e12}) {
    const Offer cheap = priced(0.1, 0.5), dear = priced(0.9, 0.51), free = priced(0.01, 0.0), useless = priced(0.0, 0.25);
    const auto orders = [&](auto criterion) {
      const auto merit = [&](const Offer& one) { return criterion.merit(one, {}); };
      CHECK(better(merit(cheap), merit(dear)));
      CHECK(!better(merit(dear), merit(cheap)));
      CHECK(better(merit(free), merit(cheap)));
      CHECK(better(merit(cheap), merit(useless)));
      CHECK(better(merit(priced(0.2, 0.5)), merit(cheap)));  // of equal prices the larger gain
      CHECK(!better(merit(cheap), merit(cheap)));
      CHECK(better(merit(cheap), no_merit));
    };
    orders(Idx{exponent});
    orders(Eg2{exponent});
    orders(CsC45{exponent});
  }
}

TEST_CASE("scaled merits compare as their values would") {
  for (double exponent : {0.0, 0.5, 1.0, 40.0, 200.0, 260.0, 400.0})
    for (double price : {0.1, 0.2, 9.0})
      for (double other : {0.1, 0.15, 9.0, 11.0}) {
        const Idx idx{exponent};
        Offer a = offer(0.3, 1.0), b = offer(0.2, 1.0);
        a.price = price;
        b.price = other;
        const double difference = std::log(0.3 / 0.2) - exponent * std::log(price / other);
        CHECK(better(idx.merit(a, {}), idx.merit(b, {})) == (difference > 1e-9));
        CHECK(better(idx.merit(b, {}), idx.merit(a, {})) == (difference < -1e-9));
      }
}
