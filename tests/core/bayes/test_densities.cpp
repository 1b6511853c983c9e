#include "bayes/densities.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"

using namespace thriftwood;

namespace {

const double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("numbers have a normal density whose variance is smoothed by that of the column") {
  const Densities densities({0}, 2, 1.0);
  std::vector<double> learnt(densities.size(), 0.0);
  for (const double value : {1.0, 3.0}) densities.add(learnt, std::vector{value}, 0);
  densities.add(learnt, std::vector{8.0}, 1);
  std::vector<double> logs(2, 0.0);
  densities.score(learnt, 0, 2.0, logs);
  const double column = (9.0 + 1.0 + 16.0) / 3.0;  // about the mean, 4
  CHECK_NEAR(logs[0], -0.5 * std::log((2.0 + column) / 3.0), 1e-12);
  CHECK_NEAR(logs[1], -0.5 * (std::log(column / 2.0) + 36.0 / (column / 2.0)), 1e-12);
}

TEST_CASE("categories are smoothed, and what is missing or unknown tells nothing") {
  const Densities densities({3, 0}, 2, 1.0);
  std::vector<double> learnt(densities.size(), 0.0), logs(2, 0.0);
  densities.add(learnt, std::vector{0.0, none}, 0);
  densities.add(learnt, std::vector{0.0, none}, 0);
  densities.add(learnt, std::vector{2.0, none}, 1);
  densities.score(learnt, 0, 0.0, logs);
  CHECK_NEAR(logs[0], std::log(3.0 / 5.0), 1e-12);
  CHECK_NEAR(logs[1], std::log(1.0 / 4.0), 1e-12);
  const std::vector<double> before = logs;
  for (const double value : {none, -1.0, 3.0}) densities.score(learnt, 0, value, logs);
  densities.score(learnt, 1, 5.0, logs);  // no number was learnt
  CHECK(logs == before);
}

TEST_CASE("a column of equal numbers tells nothing, and far numbers stay finite") {
  const Densities densities({0}, 2);
  std::vector<double> same(densities.size(), 0.0), apart(densities.size(), 0.0), logs(2, 0.0);
  for (const Index label : {0, 1, 1}) densities.add(same, std::vector{0.1}, label);
  densities.score(same, 0, 7.0, logs);
  CHECK(logs[0] == 0.0);
  CHECK(logs[1] == 0.0);
  densities.add(apart, std::vector{0.0}, 0);
  densities.add(apart, std::vector{1.0}, 1);
  for (const double value : {1e300, -1e300, std::numeric_limits<double>::infinity()}) densities.score(apart, 0, value, logs);
  CHECK(std::isfinite(logs[0]));
  CHECK(std::isfinite(logs[1]));
}

TEST_CASE("densities of more classes are those that were learnt, at other places") {
  const Densities narrow({0, 2}, 2), wide({0, 2}, 3);
  std::mt19937 random(1);
  std::vector<double> learnt(narrow.size(), 0.0), moved(wide.size(), 0.0);
  const std::vector<Index> place{2, 0};
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> values{static_cast<double>(random() % 100), static_cast<double>(random() % 2)};
    const auto label = static_cast<Index>(random() % 2);
    narrow.add(learnt, values, label);
    wide.add(moved, values, place[static_cast<std::size_t>(label)]);
  }
  CHECK(narrow.widened(learnt, wide, place) == moved);
}

TEST_CASE("shares add up to 1, and are equal where no class is possible") {
  std::vector<double> logs{std::log(3.0), 0.0}, none_possible(2, -std::numeric_limits<double>::infinity());
  as_shares(logs);
  as_shares(none_possible);
  CHECK_NEAR(logs[0], 0.75, 1e-15);
  CHECK(none_possible == std::vector<double>({0.5, 0.5}));
}

TEST_CASE("densities refuse what cannot be") {
  CHECK_THROWS_AS(InputError, Densities({0}, 0));
  CHECK_THROWS_AS(InputError, Densities({-1}, 2));
  CHECK_THROWS_AS(InputError, Densities({0}, 2, 0.0));
  const Densities densities({0}, 2);
  CHECK(densities.possible(std::vector<double>(9, 0.0)));
  CHECK(!densities.possible(std::vector<double>(8, 0.0)));
  CHECK(!densities.possible(std::vector<double>(9, -1.0)));
}
