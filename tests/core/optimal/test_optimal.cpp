#include "optimal/optimal.hpp"

#include "check.hpp"
#include "plain_prices.hpp"

using namespace thriftwood;

namespace {

// Numbers row by row, and what the two answers cost each row.
struct Sample {
  std::vector<double> numbers;
  std::vector<Index> labels;
  std::vector<double> costs;
  Table table;

  Sample(std::size_t columns, std::vector<double> values, std::vector<Index> classes, double mistake)
      : numbers(std::move(values)), labels(std::move(classes)) {
    table.rows = labels.size();
    for (std::size_t c = 0; c < columns; ++c)
      table.columns.push_back({Storage::Float64, numbers.data() + c, static_cast<std::ptrdiff_t>(columns), 0});
    for (Index label : labels) {
      costs.push_back(label == 0 ? 0.0 : mistake);
      costs.push_back(label == 1 ? 0.0 : mistake);
    }
  }
  OptimalInput input(const Prices* prices = nullptr) const { return {table, {}, costs, 2, prices}; }
};

// Whether two numbers are alike; each by itself says nothing.
Sample alike() { return {2, {0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0}, 10.0}; }

OptimalSettings levels(int depth) {
  OptimalSettings settings;
  settings.depth = depth;
  return settings;
}

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
  const Tree tree = to_tree(find_optimal(sample.input(), settings, never), sample.input(), settings, sample.labels);
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
