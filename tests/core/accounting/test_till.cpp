#include "accounting/till.hpp"

#include <algorithm>

#include "check.hpp"
#include "plain_prices.hpp"
#include "pruning/hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

// A case that lacks the values of some tests.
struct Lacking {
  std::vector<Index> tests;

  bool missing(Index test) const { return std::find(tests.begin(), tests.end(), test) != tests.end(); }
};

const Lacking nothing{{}};

// Test 0; below it test 1 on one side, and test 2 with test 1 below it on the other. Test 3 is a surrogate of the root.
Tree small_tree() {
  Tree tree = tree_of(cut(0, 0, cut(1, 0, leaf({1, 0}), leaf({0, 1})), cut(2, 0, leaf({1, 0}), cut(1, 0, leaf({0, 1}), leaf({1, 1})))), {0, 0, 0, 0});
  Surrogate surrogate;
  surrogate.feature = 3;
  tree.surrogates.push_back(surrogate);
  tree.node(0).n_surrogates = 1;
  validate(tree);
  return tree;
}

Index right_of_root(const Tree& tree) { return tree.node(0).first_child + 1; }

std::vector<Index> bought(const Till& till) {
  std::vector<Index> tests;
  for (const Bought& entry : till.entries()) tests.push_back(entry.test);
  return tests;
}

using Tests = std::vector<Index>;

}  // namespace

TEST_CASE("a test is bought when it is asked for, and free once it was") {
  const Tree tree = small_tree();
  const Prices prices(plain({4, 1, 2, 8}));
  TestsBelow below(tree);
  Till till(prices);
  till.ask(nothing, below, 0, 0);
  CHECK(till.had(0) && !till.had(2));
  till.ask(nothing, below, right_of_root(tree), 2);
  till.ask(nothing, below, 0, 0);
  CHECK(bought(till) == Tests({0, 2}));
  CHECK(till.cost() == 6.0);
  till.open();
  CHECK(till.cost() == 0.0 && till.entries().empty() && !till.had(0));
}

TEST_CASE("resources are paid by the first test that needs them, and a group is dearer for its first") {
  PriceList list = plain({4, 1, 2, 8});
  list.needs_start = {0, 1, 2, 2, 2};
  list.needs = {0, 0};
  list.resource_price = {10};
  list.group = {-1, -1, 0, 0};
  list.after = {none, none, 1, 5};
  const Prices prices(list);
  Till till(prices);
  till.order(nothing, Tests({1, 0, 3, 2}));
  CHECK(till.entries()[0].cost == 11.0);
  CHECK(till.entries()[1].cost == 4.0);
  CHECK(till.entries()[2].cost == 8.0);
  CHECK(till.entries()[3].cost == 1.0);
}

TEST_CASE("a delayed test orders its subtree in pre-order, its own test first, without surrogates") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 1, 2, 8});
  list.delayed = {1, 0, 1, 1};
  const Prices prices(list);
  TestsBelow below(tree);
  Till till(prices);
  till.ask(nothing, below, 0, 0);
  CHECK(bought(till) == Tests({0, 1, 2}));
  CHECK(till.cost() == 7.0);
  till.open();
  till.ask(nothing, below, right_of_root(tree), 2);
  CHECK(bought(till) == Tests({2, 1}));
}

TEST_CASE("a surrogate is bought alone, delayed or not") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 1, 2, 8});
  list.delayed = {0, 0, 0, 1};
  const Prices prices(list);
  TestsBelow below(tree);
  Till till(prices);
  till.ask(Lacking{{0}}, below, 0, 0);
  till.ask(Lacking{{0}}, below, 0, 3);
  CHECK(bought(till) == Tests({0, 3}));
}

TEST_CASE("what is missing was ordered and is charged, unless missing values are free") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 1, 2, 8});
  list.delayed = {1, 0, 0, 0};
  const Lacking root{{0}}, below_it{{1}};
  TestsBelow below(tree);
  const Prices charged(list);
  Till strict(charged);
  strict.ask(root, below, 0, 0);
  CHECK(strict.cost() == 7.0);
  list.charge_missing = false;
  const Prices prices(list);
  Till till(prices);
  till.ask(root, below, 0, 0);  // unavailable, so it delays nothing
  CHECK(till.had(0) && !till.had(1));
  CHECK(till.cost() == 0.0);
  till.open();
  CHECK(!till.had(0));
  till.ask(below_it, below, 0, 0);
  CHECK(bought(till) == Tests({0, 2}));
  CHECK(till.had(1));  // ordered along, and found to be unavailable
}

TEST_CASE("upfront, what cannot be had is not carried where missing values are free") {
  PriceList list = plain({4, 1, 2, 8});
  list.charge_missing = false;
  const Prices prices(list);
  Till till(prices);
  till.order(Lacking{{2}}, Tests({0, 1, 2}));
  CHECK(bought(till) == Tests({0, 1}));
}

TEST_CASE("a case that is spread over branches pays by share, with a basket of its own in each") {
  const Tree tree = small_tree();
  PriceList list = plain({4, 10, 6, 8});
  list.group = {-1, 0, 0, -1};
  list.after = {none, 3, 2, none};
  const Prices prices(list);
  TestsBelow below(tree);
  Till till(prices);
  till.ask(nothing, below, 0, 0);
  const Till::Mark split = till.mark();
  till.ask(nothing, below, 1, 1, 0.25);
  CHECK(till.had(1));
  till.back_to(split);
  CHECK(till.had(0) && !till.had(1));
  const Index right = right_of_root(tree);
  till.ask(nothing, below, right, 2, 0.75);
  till.ask(nothing, below, tree.node(right).first_child + 1, 1, 0.75);
  CHECK(bought(till) == Tests({0, 1, 2}));
  CHECK(till.entries()[1].share == 1.0);
  CHECK_NEAR(till.entries()[1].cost, 0.25 * 10 + 0.75 * 3, 1e-12);
  CHECK(till.entries()[2].share == 0.75);
  CHECK_NEAR(till.cost(), 4 + 0.25 * 10 + 0.75 * (6 + 3), 1e-12);
  till.open();
  till.ask(nothing, below, 1, 1);
  CHECK(till.entries().size() == 1 && till.entries()[0].cost == 10.0);
}

TEST_CASE("several trees share a till: a delayed test that was ordered brings nothing along") {
  const Tree first = small_tree();
  const Tree second = tree_of(cut(2, 0, leaf({1, 0}), cut(3, 0, leaf({0, 1}), leaf({1, 1}))), {0, 0, 0, 0});
  PriceList list = plain({4, 1, 2, 8});
  list.delayed = {0, 0, 1, 0};
  const Prices prices(list);
  TestsBelow below_first(first), below_second(second);
  Till till(prices);
  till.ask(nothing, below_first, right_of_root(first), 2);
  till.ask(nothing, below_second, 0, 2);
  CHECK(bought(till) == Tests({2, 1}));
  till.ask(nothing, below_second, second.node(0).first_child + 1, 3);
  CHECK(till.cost() == 11.0);
}
