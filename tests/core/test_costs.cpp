#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "costs.hpp"
#include "plain_prices.hpp"

using namespace thriftwood;

namespace {

// Two tests of a group (7, after 5; 10, after 8), a free one, and one of the group without a price after.
PriceList grouped() {
  PriceList list = plain({7, 10, 0, 4});
  list.group = {0, 0, -1, 0};
  list.after = {5, 8, none, none};
  return list;
}

}  // namespace

TEST_CASE("a test is paid once") {
  const Prices prices(plain({3, 0.5}));
  Basket basket(prices);
  CHECK(basket.eff(0) == 3.0);
  CHECK(basket.buy(0) == 3.0);
  CHECK(basket.has(0) && !basket.has(1));
  CHECK(basket.eff(0) == 0.0);
  CHECK(basket.buy(0) == 0.0);
  CHECK(basket.size() == 1);
  CHECK(basket.total() == 3.0);
}

TEST_CASE("a group discounts its later members, whoever came first") {
  const Prices prices(grouped());
  Basket basket(prices);
  CHECK(basket.buy(0) == 7.0);
  CHECK(basket.eff(1) == 8.0);
  CHECK(basket.eff(3) == 4.0);
  basket.undo(0);
  CHECK(basket.buy(3) == 4.0);  // a member without a discount of its own opens the group too
  CHECK(basket.eff(0) == 5.0);
  CHECK(prices.list_price(0) == 7.0);
}

TEST_CASE("functions called by two features are paid by the first") {
  PriceList list = plain({0, 0});  // E = {f: 100, g: 10, h: 1}; features {f, g} and {g, h}
  list.resource_price = {100, 10, 1};
  list.needs_start = {0, 2, 4};
  list.needs = {0, 1, 1, 2};
  const Prices prices(list);
  CHECK(prices.list_price(1) == 11.0);
  Basket basket(prices);
  CHECK(basket.buy(0) == 110.0);
  CHECK(basket.buy(1) == 1.0);
}

TEST_CASE("undoing restores every price to the last bit") {
  std::mt19937 random(3);
  PriceList list = plain({});
  std::uniform_real_distribution<double> price(0.0, 10.0);
  const int tests = 30;
  const int resources = 12;
  for (int r = 0; r < resources; ++r) list.resource_price.push_back(price(random));
  for (int t = 0; t < tests; ++t) {
    list.price.push_back(price(random));
    list.group.push_back(static_cast<Index>(random() % 4) - 1);
    list.after.push_back(list.group.back() >= 0 ? list.price.back() / 3 : none);
    list.delayed.push_back(0);
    for (Index r = 0; r < resources; ++r)
      if (random() % 4 == 0) list.needs.push_back(r);
    list.needs_start.push_back(static_cast<Index>(list.needs.size()));
  }
  const Prices prices(list);
  Basket basket(prices);
  for (int round = 0; round < 200; ++round) {
    Basket replayed(prices);
    for (const auto& purchase : basket.purchases()) replayed.buy(purchase.test);
    CHECK(replayed.total() == basket.total());
    for (Index t = 0; t < tests; ++t) CHECK(replayed.eff(t) == basket.eff(t));
    if (random() % 3 == 0)
      basket.undo(random() % (basket.size() + 1));
    else
      basket.buy(static_cast<Index>(random() % tests));
  }
}

TEST_CASE("a hundred thousand tests and resources are bought and undone at the cost of their needs") {
  const Index many = 100'000;
  PriceList list = plain(std::vector<double>(static_cast<std::size_t>(many), 1.0));
  list.resource_price.assign(static_cast<std::size_t>(many), 0.25);
  for (Index t = 0; t < many; ++t) {
    list.needs.push_back(t);
    if (t > 0) list.needs.push_back(t - 1);
    list.needs_start[static_cast<std::size_t>(t) + 1] = static_cast<Index>(list.needs.size());
  }
  const Prices prices(list);
  Basket basket(prices);
  for (Index t = 0; t < many; ++t) basket.buy(t);
  CHECK(basket.total() == 1.25 * many);
  basket.undo(1);
  CHECK(basket.total() == 1.25);
  CHECK(basket.eff(1) == 1.25);
  CHECK(basket.eff(2) == 1.5);
}

TEST_CASE("price lists that cannot be are refused") {
  auto broken = [](auto change) {
    PriceList list = grouped();
    list.resource_price = {1, 2};
    list.needs = {0, 1};
    list.needs_start = {0, 2, 2, 2, 2};
    change(list);
    return Prices(std::move(list));
  };
  CHECK(broken([](PriceList&) {}).groups() == 1);
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.price[1] = -1; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.price[1] = none; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.price[1] = infinity; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.after[0] = -2; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.resource_price[1] = -1; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs[1] = 2; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs[1] = -1; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs[1] = 0; }));  // the same resource twice
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs_start = {0, 3, 2, 2, 2}; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs_start = {0, 1, 1, 1, 1}; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.needs_start.pop_back(); }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.group[0] = 4; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.group[0] = -2; }));
  CHECK_THROWS_AS(InputError, broken([](PriceList& l) { l.delayed.pop_back(); }));
}
