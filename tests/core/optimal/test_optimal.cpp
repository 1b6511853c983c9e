#include "optimal/optimal.hpp"

#include "check.hpp"
#include "optimal/sample.hpp"
#include "plain_prices.hpp"

using namespace thriftwood;

namespace {

// Whether two numbers are alike; each by itself says nothing.
Sample alike() { return {2, {0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0}, 10.0}; }

}  // namespace

TEST_CASE("two tests that say nothing alone are asked together where that pays") {
  const Sample sample = alike();
  Stop never;
  const Prices cheap(plain({1.0, 2.0})), dear(plain({5.0, 6.0}));
  const OptimalOutline asked = find_optimal(sample.input(&cheap), levels(2), never);
  CHECK_NEAR(asked.cost, 12.0, 1e-9);  // four cases buy both
  CHECK(asked.exact());
  CHECK(asked.nodes.size() == 7);
  const OptimalOutline unasked = find_optimal(sample.input(&dear), levels(2), never);
  CHECK_NEAR(unasked.cost, 20.0, 1e-9);  // two mistakes
  CHECK(unasked.nodes.size() == 1);
}

TEST_CASE("an outline becomes a tree that knows its cases") {
  const Sample sample = alike();
  Stop never;
  const OptimalSettings settings = levels(2);
  const Tree tree = to_tree(find_optimal(sample.input(), settings, never), sample.input(), settings, sample.labels, 2);
  validate(tree);
  CHECK(tree.size() == 7);
  CHECK(tree.node(0).weight == 4.0 && tree.node(0).risk == 20.0);
  for (Index i = 0; i < tree.size(); ++i) CHECK(!tree.node(i).leaf() || tree.node(i).risk == 0.0);
}

TEST_CASE("a search that is ended at once has a tree and a bound") {
  const Sample sample = alike();
  Stop at_once(0.0);
  const OptimalOutline found = find_optimal(sample.input(), levels(4), at_once);
  CHECK(found.lower <= found.cost);
  CHECK(found.cost <= 20.0);
}

TEST_CASE("what cannot be searched is refused") {
  const Sample sample = alike();
  Stop never;
  PriceList list = plain({1.0, 1.0});
  list.upfront = true;
  const Prices upfront(list);
  CHECK_THROWS_AS(InputError, find_optimal(sample.input(&upfront), levels(2), never));
  OptimalSettings settings = levels(2);
  settings.missing = Missing::Fractional;
  CHECK_THROWS_AS(InputError, find_optimal(sample.input(), settings, never));
  settings = levels(2);
  settings.memory = 100;
  CHECK_THROWS_AS(InputError, find_optimal(sample.input(), settings, never));
}
