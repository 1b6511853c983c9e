// Who has offspring.
#include "evolution/selection.hpp"

#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

TEST_CASE("copies to expect go by the distance from the worst cost") {
  const auto copies = expected_copies(std::vector<double>{40, 35, 30, 50}, 50);
  const std::vector<double> wanted{8.0 / 9.0, 4.0 / 3.0, 16.0 / 9.0, 0};
  for (std::size_t i = 0; i < 4; ++i) CHECK_NEAR(copies[i], wanted[i], 1e-12);
  // Of four parents the second is one or two, the third one or two, and the last is none.
  CHECK(sample_evenly(copies, 4, 0.0) == std::vector<std::size_t>({0, 1, 1, 2}));
  CHECK(sample_evenly(copies, 4, 0.5) == std::vector<std::size_t>({0, 1, 2, 2}));
}

TEST_CASE("where nobody is better than another, everybody has one copy") {
  for (const double cost : {7.0, 0.0, std::numeric_limits<double>::infinity()})
    CHECK(expected_copies(std::vector<double>(3, cost), cost) == std::vector<double>(3, 1.0));
}

TEST_CASE("everybody comes as often as expected, rounded down or up") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + below(random, 60);
    std::vector<double> costs(n);
    for (double& cost : costs) cost = below(random, 4) ? unit(random) : 1.0;
    const auto copies = expected_copies(costs, 1.0);
    const auto places = sample_evenly(copies, n, unit(random));
    CHECK(places.size() == n);
    CHECK(std::is_sorted(places.begin(), places.end()));
    for (std::size_t i = 0; i < n; ++i) {
      const auto times = static_cast<double>(std::count(places.begin(), places.end(), i));
      CHECK(times >= std::floor(copies[i] - 1e-9));
      CHECK(times <= std::ceil(copies[i] + 1e-9));
    }
  }
}

TEST_CASE("fewer are drawn in the same proportions") {
  CHECK(sample_evenly(std::vector<double>{3, 0, 1}, 2, 0.0) == std::vector<std::size_t>({0, 0}));
  CHECK(sample_evenly(std::vector<double>{3, 0, 1}, 2, 0.75) == std::vector<std::size_t>({0, 2}));
}
