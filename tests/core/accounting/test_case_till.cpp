#include "accounting/case_till.hpp"

#include "basics/exact_sum.hpp"
#include "check.hpp"
#include "plain_prices.hpp"
#include "pruning/hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

using Tests = std::vector<Index>;

// Test 0; below it test 1 on one side, test 2 on the other.
Tree small_tree() { return tree_of(cut(0, 0, cut(1, 0, leaf({1, 0}), leaf({0, 1})), cut(2, 0, leaf({1, 0}), leaf({0, 1}))), {0, 0, 0}); }

// Tests 0 and 1 at 100, or 1 and 2 after the other.
PriceList twins() {
  PriceList list = plain({100, 100, 5});
  list.group = {0, 0, -1};
  list.after = {1, 2, none};
  return list;
}

PriceList free_if_missing(PriceList list) {
  list.charge_missing = false;
  return list;
}

}  // namespace

TEST_CASE("sums are rounded once") {
  ExactSum sum;
  CHECK(sum.value() == 0.0);
  for (int i = 0; i < 10; ++i) sum.add(0.1);
  CHECK(sum.value() == 1.0);
  sum.add(1e100);
  sum.add(1.0);
  sum.add(-1e100);
  CHECK(sum.value() == 2.0);
}

TEST_CASE("a given test is free, is not ordered, and opens no discount") {
  const Prices prices(twins());
  CaseTill till(prices);
  till.give(0);
  CHECK(till.had(0) && !till.has(0));
  CHECK(till.price(Tests({0, 1})) == 100.0);
  till.order(Tests({0, 1, 2}));
  CHECK(till.spent() == 105.0);
  CHECK(till.entries().size() == 2);
}

TEST_CASE("a delayed test is ordered with the tests below it that have no answer yet") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 1, 2});
  list.delayed = {1, 0, 0};
  const Prices prices(list);
  CaseTill till(prices);
  CHECK(till.ordered_at(tree, 0, 0) == Tests({0, 1, 2}));
  till.give(1);
  CHECK(till.ordered_at(tree, 0, 0) == Tests({0, 2}));
  CHECK(till.ordered_at(tree, 0, 2) == Tests({2}));  // as a surrogate
  till.order(Tests({0, 2}));
  CHECK(till.ordered_at(tree, 0, 0) == Tests({0, 2}));  // bought or not
  list.upfront = true;
  const Prices upfront(list);
  CHECK(CaseTill(upfront).ordered_at(tree, 0, 0).empty());
  CHECK(CaseTill(upfront).ordered_at(tree, 0, 1) == Tests({1}));
}

TEST_CASE("a test without a value stays paid") {
  const Prices prices(twins());
  CaseTill till(prices);
  till.answer(0, false);
  till.order_with(0, Tests({0, 1}));
  CHECK(till.spent() == 102.0);
}

TEST_CASE("where missing values are free, a test without a value is taken off with the discount it gave") {
  const Prices prices(free_if_missing(twins()));
  CaseTill till(prices);
  till.order(Tests({0, 1, 2}));
  CHECK(till.spent() == 107.0);
  till.answer(0, false);
  CHECK(till.spent() == 105.0);
  CHECK(till.entries()[0].test == 1);
  till.order_with(0, Tests({0, 2}));
  CHECK(till.spent() == 105.0);
  till.answer(1, true);
  CHECK(till.spent() == 105.0);
  CaseTill other(prices);
  other.answer(0, false);
  other.order_with(0, Tests({0, 1, 2}));  // it brings nothing along
  CHECK(other.spent() == 0.0);
}

TEST_CASE("the most that a bill can come to has the discounts that may be lost") {
  const Prices charged(twins()), prices(free_if_missing(twins()));
  CHECK(CaseTill(charged).most(Tests({0, 1})) == 102.0);
  // If either is missing the other pays 100; together they cost 100 and at most 2.
  CHECK(CaseTill(prices).most(Tests({0, 1})) == 102.0);
  PriceList list = twins();
  list.price = {2, 100, 5};
  list.after = {1, 1, none};
  const Prices uneven(free_if_missing(list));
  CaseTill till(uneven);
  CHECK(till.price(Tests({0, 1})) == 3.0);
  CHECK(till.most(Tests({0, 1})) == 101.0);  // without test 0, test 1 pays 100
  till.order(Tests({0}));
  CHECK(till.most(Tests({1})) == 101.0);
  till.answer(0, true);
  CHECK(till.most(Tests({1})) == 3.0);
}

TEST_CASE("a walk through a tree buys as the ledger does") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 1, 2});
  list.delayed = {1, 0, 0};
  const Prices prices(free_if_missing(list));
  CaseTill till(prices);
  till.answer(1, false);
  till.ask(tree, 0, 0);
  CHECK(till.spent() == 6.0);
  CHECK(till.had(1) && !till.has(1));
  const CaseTill copy = till;
  till.ask(tree, tree.node(0).first_child, 1);
  CHECK(copy.spent() == till.spent());
}
