// The expected cost of the fourteen days: Outlook 4, Temp 1, Humidity 2, Wind 0.5, and 20 for a mistake.
#include "pruning/expected_cost.hpp"

#include <cmath>

#include "check.hpp"
#include "hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

Prices prices(std::vector<double> each, bool upfront = false) {
  PriceList list;
  const std::size_t n = each.size();
  list.price = std::move(each);
  list.needs_start.assign(n + 1, 0);
  list.group.assign(n, -1);
  list.after.assign(n, std::nan(""));
  list.delayed.assign(n, 0);
  list.upfront = upfront;
  return Prices(std::move(list));
}

std::vector<double> mistake(double cost) { return {0, cost, cost, 0}; }
Tree root() { return tree_of(leaf({9, 5}), {3, 3, 2, 2}); }
Tree outlook() { return tree_of(multiway(0, {leaf({2, 3}), leaf({4, 0}), leaf({3, 2})}), {3, 3, 2, 2}); }
const std::vector<double> golf_prices{4, 1, 2, 0.5};

}  // namespace

TEST_CASE("expected errors of fourteen days, five of them wrong") { CHECK_NEAR(ErrorBound(0.25, ZRule::Table).upper(14, 5), 6.794993, 5e-7); }

TEST_CASE("a leaf at 135.899863 is cheaper than Outlook at 209.014789") {
  const Prices paid = prices(golf_prices);
  CHECK_NEAR(expected_cost(root(), &paid, mistake(20), 0.25), 135.899863, 1e-6);
  CHECK_NEAR(expected_cost(outlook(), &paid, mistake(20), 0.25), 209.014789, 1e-6);
  CHECK(prune_expected_cost(outlook(), &paid, mistake(20), 0.25).size() == 1);
}

TEST_CASE("without prices a split stays that saves expected errors, and a tie goes to the leaf") {
  const Tree useful = tree_of(cut(0, 1.5, leaf({40, 1}), leaf({2, 50})), {0});
  CHECK(prune_expected_cost(useful, nullptr, {}, 0.25).size() == 3);
  const Prices dear = prices({1.0}), cheap = prices({0.1});
  CHECK(prune_expected_cost(useful, &dear, {}, 0.25).size() == 1);
  CHECK(prune_expected_cost(useful, &cheap, {}, 0.25).size() == 3);
  const Tree nothing = tree_of(cut(0, 1.5, leaf({0, 0}), leaf({3, 5})), {0});
  CHECK_NEAR(expected_cost(nothing, nullptr, {}, 0.25), expected_cost(tree_of(leaf({3, 5}), {0}), nullptr, {}, 0.25), 1e-12);
  CHECK(prune_expected_cost(nothing, nullptr, {}, 0.25).size() == 1);
}

TEST_CASE("mistakes cost what the leaf's own mistakes cost") {
  // Answer 0; class 1 then costs 2, class 2 costs 8. Of three errors two are of class 1: 4 each.
  const std::vector<double> loss{0, 9, 9, 2, 0, 9, 8, 9, 0};
  const std::vector<double> mixed{20, 2, 1}, pure{20, 0, 0};
  const ExpectedCost cost(nullptr, loss, 3, 0.25);
  const ErrorBound bound(0.25, ZRule::Table);
  CHECK_NEAR(cost.mistakes(mixed), 4 * bound.upper(23, 3), 1e-9);
  CHECK_NEAR(cost.mistakes(pure), 5 * bound.upper(20, 0), 1e-9);  // (2 + 8) / 2
  CHECK_NEAR(cost.mistakes(mixed, 2), bound.upper(23, 22) * (20 * 9 + 2 * 9) / 22, 1e-9);
  CHECK(cost.mistakes(std::vector<double>{0, 0, 0}) == 0.0);
  // Right answers may cost something too, or earn it: no mistake, but part of what a tree costs.
  const std::vector<double> benefit{-1, 5, 5, 0};
  const double expected = bound.upper(10, 0);
  CHECK_NEAR(ExpectedCost(nullptr, benefit, 2, 0.25).mistakes(std::vector<double>{10, 0}), 5 * expected, 1e-9);
  CHECK_NEAR(expected_cost(tree_of(leaf({10, 0}), {0}), nullptr, benefit, 0.25), 5 * expected - 10, 1e-9);
}

TEST_CASE("what every answer costs a class alike is part of the cost and of no decision") {
  const Prices paid = prices({0.1});
  const Tree tree = tree_of(cut(0, 1.5, leaf({40, 1}), leaf({2, 50})), {0});
  for (double more : {-30.0, 0.0, 30.0}) {
    const std::vector<double> loss{0 + more, 1 + more, 1, 0};
    CHECK(prune_expected_cost(tree, &paid, loss, 0.25).size() == 3);
    CHECK_NEAR(expected_cost(tree, &paid, loss, 0.25), expected_cost(tree, &paid, mistake(1), 0.25) + 42 * more, 1e-9);
  }
}

TEST_CASE("a test paid on the path is free below, and upfront everywhere") {
  // x0, then x1 on both sides, then x0 again.
  const auto twice = [] { return cut(1, 0.5, leaf({30, 0}), cut(0, 2.5, leaf({0, 30}), leaf({30, 0}))); };
  const Tree tree = tree_of(cut(0, 1.5, twice(), twice()), {0, 0});
  const std::vector<double> no_loss{0, 0, 0, 0};
  const Prices sequential = prices({3, 5}), upfront = prices({3, 5}, true);
  CHECK_NEAR(expected_cost(tree, &sequential, no_loss, 0.25), 180 * 3 + 180 * 5, 1e-9);
  CHECK_NEAR(expected_cost(tree, &upfront, no_loss, 0.25), 180 * 8, 1e-9);
  CHECK(prune_expected_cost(tree, &sequential, no_loss, 0.25).size() == 1);
  CHECK(prune_expected_cost(tree, &upfront, no_loss, 0.25).size() == 1);
}

TEST_CASE("upfront a test is saved only if nothing else asks it") {
  // x1 is worth its price on the left, where it tells 60 cases apart; on the right it tells 2 of 42, and costs no more.
  const Tree tree = tree_of(cut(0, 1.5, cut(1, 0.5, leaf({30, 0}), leaf({0, 30})), cut(1, 0.5, leaf({20, 0}), leaf({1, 21}))), {0, 0});
  const Prices upfront = prices({0, 0.1}, true), sequential = prices({0, 0.6});
  CHECK(prune_expected_cost(tree, &upfront, {}, 0.25).size() == 7);
  const Tree weak = tree_of(cut(0, 1.5, cut(1, 0.5, leaf({30, 0}), leaf({0, 30})), cut(1, 0.5, leaf({18, 5}), leaf({5, 16}))), {0, 0});
  CHECK(prune_expected_cost(weak, &upfront, {}, 0.25).size() == 7);  // 11.8 errors expected instead of 23.9, for nothing
  CHECK(prune_expected_cost(weak, &sequential, {}, 0.25).size() == 1);
  const Prices dear = prices({0, 5}, true);
  CHECK(prune_expected_cost(tree, &dear, {}, 0.25).size() == 1);
}

TEST_CASE("what does not fit is refused") {
  const Prices paid = prices({1, 1});
  CHECK_THROWS_AS(InputError, expected_cost(root(), &paid, {}, 0.25));
  CHECK_THROWS_AS(InputError, expected_cost(root(), nullptr, std::vector<double>{0, 1, 1}, 0.25));
  CHECK_THROWS_AS(InputError, expected_cost(root(), nullptr, {}, 0.0));
  Tree numbers = tree_of(leaf({1.5}), {0});
  numbers.regression = true;
  CHECK_THROWS_AS(InputError, prune_expected_cost(numbers, nullptr, {}, 0.25));
}
