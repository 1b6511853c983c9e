#include "boosting/boost.hpp"

#include <algorithm>

#include "boosting/booster_ledger.hpp"
#include "boosting/case_prices.hpp"
#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

struct Planted {
  std::vector<std::vector<double>> columns;
  std::vector<Index> labels;
  Table table;

  explicit Planted(std::size_t n, double missing = 0.0) : columns(4, std::vector<double>(n)), labels(n) {
    Random random(5);
    for (auto& column : columns)
      for (double& x : column) x = unit(random);
    for (std::size_t i = 0; i < n; ++i) labels[i] = static_cast<Index>(columns[0][i] > 0.5) + static_cast<Index>(columns[1][i] > 0.7);
    for (auto& column : columns)
      for (double& x : column)
        if (unit(random) < missing) x = std::nan("");
    table.rows = n;
    for (const auto& column : columns) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
  }
  BoostInput input(const Prices* prices = nullptr) const { return {table, labels, 3, {}, {}, prices}; }
};

// Tests 0 and 1 share a resource; 2 and 3 are a group.
PriceList shared_prices() {
  PriceList list;
  list.price = {1.0, 1.0, 4.0, 4.0};
  list.needs_start = {0, 1, 2, 2, 2};
  list.needs = {0, 0};
  list.resource_price = {10.0};
  list.group = {-1, -1, 0, 0};
  list.after = {std::nan(""), std::nan(""), 2.0, 3.0};
  list.delayed = {0, 0, 0, 0};
  return list;
}

double accuracy(const Planted& cases, const Booster& booster, const Asking& how, int threads = 1) {
  std::vector<double> scores(cases.table.rows * 3);
  std::vector<Index> stages(cases.table.rows);
  score(booster, cases.table, how, threads, {scores, stages});
  std::size_t right = 0;
  for (std::size_t row = 0; row < cases.table.rows; ++row) {
    const auto own = scores.begin() + static_cast<std::ptrdiff_t>(row * 3);
    right += std::max_element(own, own + 3) - own == cases.labels[row];
  }
  return static_cast<double>(right) / static_cast<double>(cases.table.rows);
}

}  // namespace

TEST_CASE("a case pays for a test and a resource once, and less after another of a group") {
  const Planted cases(2);
  const Prices prices(shared_prices());
  CasePrices now(&prices, cases.table);
  CHECK(now.of(0)[0] == 11.0);
  now.buy(0, 0);
  CHECK(now.of(0)[0] == 0.0);
  CHECK(now.of(0)[1] == 1.0);
  CHECK(now.of(1)[1] == 11.0);
  now.buy(0, 2);
  CHECK(now.of(0)[3] == 3.0);
  CHECK(now.of(1)[3] == 4.0);
  now.buy(0, 2);
  CHECK(now.of(0)[2] == 0.0);
}

TEST_CASE("paid upfront, all cases have one basket") {
  const Planted cases(2);
  PriceList list = shared_prices();
  list.upfront = true;
  const Prices prices(list);
  CasePrices now(&prices, cases.table);
  now.buy(0, 0);
  CHECK(now.of(1)[1] == 1.0);
}

TEST_CASE("a booster learns, and threads change nothing") {
  const Planted cases(6000, 0.1);
  const Prices prices(shared_prices());
  BoostSettings settings;
  settings.rounds = 8;
  settings.cost_weight = 0.001;
  settings.row_share = 0.8;
  const Boosted one = boost(cases.input(&prices), settings);
  settings.threads = 3;
  const Boosted three = boost(cases.input(&prices), settings);
  CHECK(one.booster.stages.size() == three.booster.stages.size());
  for (std::size_t s = 0; s < one.booster.stages.size(); ++s) CHECK(one.booster.stages[s].values == three.booster.stages[s].values);
  validate(one.booster);
  CHECK(accuracy(cases, one.booster, {}) > 0.8);
  CHECK(accuracy(cases, one.booster, {0.9, &prices}, 2) > 0.7);
}

TEST_CASE("a bill has each test once, and stops when the answer is sure") {
  const Planted cases(500);
  const Prices prices(shared_prices());
  BoostSettings settings;
  settings.rounds = 20;
  settings.learning_rate = 0.3;
  settings.stop = 0.8;
  const Boosted learnt = boost(cases.input(&prices), settings);
  std::vector<double> scores(cases.table.rows * 3);
  std::vector<Index> stages(cases.table.rows);
  const auto ledger = [&](const Asking& how, int threads) {
    return keep_ledger(learnt.booster, how, prices, cases.table, threads, {scores, stages});
  };
  const Ledger all = ledger({}, 2), some = ledger({0.8, &prices}, 1);
  for (std::size_t row = 0; row < cases.table.rows; ++row) {
    CHECK(some.test_cost[row] <= all.test_cost[row]);
    std::vector<bool> seen(4, false);
    for (auto e = all.starts[row]; e < all.starts[row + 1]; ++e) {
      const auto test = static_cast<std::size_t>(all.entries[static_cast<std::size_t>(e)].test);
      CHECK(!seen[test]);
      seen[test] = true;
    }
  }
}

TEST_CASE("many rows at once are asked as one row by itself, whatever is delayed, missing or free") {
  const Planted cases(700, 0.2);
  for (const bool charged : {true, false}) {
    PriceList list = shared_prices();
    list.delayed = {0, 1, 1, 0};
    list.charge_missing = charged;
    const Prices prices(list);
    BoostSettings settings;
    settings.rounds = 15;
    settings.learning_rate = 0.3;
    const Booster booster = boost(cases.input(&prices), settings).booster;
    for (const Asking& how : {Asking{0.7, &prices}, Asking{0.7, nullptr}, Asking{}}) {
      std::vector<double> scores(cases.table.rows * 3), own(3);
      std::vector<Index> stages(cases.table.rows);
      score(booster, cases.table, how, 2, {scores, stages});
      bool same = true;
      for (std::size_t row = 0; row < cases.table.rows; ++row) {
        const std::size_t answered = ask(booster, TableRow{cases.table, static_cast<Row>(row)}, how, own);
        same = same && answered == static_cast<std::size_t>(stages[row]) &&
               std::equal(own.begin(), own.end(), scores.begin() + static_cast<std::ptrdiff_t>(3 * row));
      }
      CHECK(same);
    }
  }
}

TEST_CASE("a booster that is interrupted has its first stages") {
  const Planted cases(300), many(200000);
  BoostSettings settings;
  settings.rounds = 1 << 20;
  settings.row_share = 0.8;
  int questions = 0;
  const Listener listener([&] { return ++questions > 1; });
  const Boosted some = boost(cases.input(), settings);
  CHECK(some.interrupted && !some.booster.stages.empty());
  validate(some.booster);
  CHECK_THROWS_AS(Interrupted, boost(many.input(), settings));  // there is none
}

TEST_CASE("held-out cases end the rounds early") {
  const Planted cases(300);
  BoostSettings settings;
  settings.rounds = 50;
  std::vector<std::uint8_t> apart(300, 0);
  for (std::size_t row = 0; row < 60; ++row) apart[row] = 1;
  BoostInput input = cases.input();
  input.held_out = apart;
  settings.patience = 2;
  settings.learning_rate = 1.0;
  const Boosted learnt = boost(input, settings);
  CHECK(learnt.booster.stages.size() + 3 == learnt.held_out_loss.size());
}

TEST_CASE("what is no booster is refused") {
  const Planted cases(100);
  BoostSettings settings;
  settings.rounds = 1;
  Booster booster = boost(cases.input(), settings).booster;
  booster.stages[0].node(0).missing_route = route_fractional;
  CHECK_THROWS_AS(InputError, validate(booster));
  booster.stages.clear();
  booster.start = {};
  CHECK_THROWS_AS(InputError, validate(booster));
  BoostInput input = cases.input();
  input.classes = 2;
  CHECK_THROWS_AS(InputError, boost(input, settings));
}

TEST_CASE("a nominal column without any category fits a booster that never tests it") {
  Planted cases(100);
  const std::vector<Index> nothing(100, missing_code);
  cases.table.columns.push_back({Storage::Codes, nothing.data(), 1, 0, nullptr, 0});
  BoostSettings settings;
  settings.rounds = 1;
  const Booster booster = boost(cases.input(), settings).booster;
  check_fits(booster, cases.table);
  cases.table.columns.back().values = 2;
  CHECK_THROWS_AS(InputError, check_fits(booster, cases.table));
}
