#include "optimal/rollouts.hpp"

#include "check.hpp"
#include "optimal/sample.hpp"
#include "plain_prices.hpp"

using namespace thriftwood;

namespace {

// Whether two of three numbers are alike, the third a little like the answer.
Sample alike() {
  std::vector<double> numbers;
  std::vector<Index> labels;
  for (int i = 0; i < 32; ++i) {
    const int a = i & 1, b = (i >> 1) & 1, answer = a != b;
    for (int value : {a, b, i % 5 == 0 ? 1 - answer : answer}) numbers.push_back(value);
    labels.push_back(answer);
  }
  return {3, numbers, labels, 10.0};
}

}  // namespace

TEST_CASE("rollouts ask for two tests that say nothing alone") {
  const Sample sample = alike();
  Stop never;
  const Prices prices(plain({0.5, 0.5, 0.9}));
  const OptimalOutline found = roll_out(sample.input(&prices), levels(5), never, 10);
  CHECK_NEAR(found.cost, 32.0, 1e-9);  // every case buys both
  CHECK(found.nodes.size() == 7);
  CHECK(found.lower <= found.cost);
}

TEST_CASE("the best single question is tried even where one question is") {
  const Sample sample = alike();
  Stop never;
  const Prices prices(plain({50.0, 50.0, 0.9}));
  const OptimalOutline found = roll_out(sample.input(&prices), levels(5), never, 1);
  CHECK_NEAR(found.cost, 32 * 0.9 + 7 * 10.0, 1e-9);
}

TEST_CASE("rollouts that are ended at once are a leaf") {
  const Sample sample = alike();
  Stop at_once(0.0);
  const OptimalOutline found = roll_out(sample.input(nullptr), levels(5), at_once, 10);
  CHECK(found.nodes.size() == 1);
  CHECK_NEAR(found.cost, 160.0, 1e-9);
}
