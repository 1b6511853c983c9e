#include "basics/random.hpp"

#include <vector>

#include "check.hpp"

using namespace thriftwood;

namespace {

// Of how far counts of draws are from what their weights promise.
double chi_square(const std::vector<double>& weights, int draws, Key seed) {
  std::vector<double> counts(weights.size(), 0.0);
  for (int i = 0; i < draws; ++i) counts[draw(weights, key_below(seed, static_cast<std::uint64_t>(i)))] += 1.0;
  double total = 0.0, sum = 0.0;
  for (double weight : weights) total += weight;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = draws * weights[i] / total;
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

}  // namespace

TEST_CASE("draws follow their weights") {
  // The 99.9 % points of chi-square are 16.27 with 3 degrees of freedom and 20.52 with 5.
  for (Key seed : {1u, 2u, 3u}) {
    CHECK(chi_square({0.037306, 0.010231, 0.036994, 0.022615}, 40000, seed) < 16.27);
    CHECK(chi_square({1, 1, 1, 1, 1, 1}, 40000, seed) < 20.52);
  }
  CHECK(chi_square({0.02, 0.01, 0.01, 0.01}, 40000, 4) > 0.0);
}

TEST_CASE("what has no weight is drawn only where nothing has any") {
  const std::vector<double> some{0, 2, 0, -1, 3, 0}, none{0, 0, 0};
  std::vector<int> counts(3, 0);
  for (Key key = 0; key < 3000; ++key) {
    const std::size_t one = draw(some, key);
    CHECK(one == 1 || one == 4);
    ++counts[draw(none, key)];
  }
  for (int count : counts) CHECK(count > 850);
  CHECK(draw(std::vector<double>{7}, 99) == 0);
}

TEST_CASE("keys differ by parent and by number, and draws are in [0, 1)") {
  std::vector<Key> keys;
  double sum = 0.0;
  for (Key parent = 0; parent < 40; ++parent)
    for (std::uint64_t number = 0; number < 50; ++number) {
      keys.push_back(key_below(parent, number));
      const double at = unit_draw(keys.back());
      CHECK(at >= 0.0 && at < 1.0);
      sum += at;
    }
  CHECK_NEAR(sum / 2000, 0.5, 0.03);
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i] == keys[j]) CHECK(false);
}
