#include <numeric>
#include <stdexcept>

#include "check.hpp"
#include "parallel.hpp"

using namespace thriftwood;

TEST_CASE("every task is done once, by any number of members") {
  for (const int threads : {1, 2, 7}) {
    Team team(threads);
    std::vector<int> done(1000, 0);
    bool known_member = true;
    std::mutex guard;
    team.run(done.size(), [&](std::size_t task, int member) {
      ++done[task];
      const std::lock_guard lock(guard);
      known_member = known_member && member >= 0 && member < team.size();
    });
    CHECK(done == std::vector<int>(1000, 1));
    CHECK(known_member);
  }
}

TEST_CASE("a team serves many rounds, and what one round wrote the next may read") {
  Team team(3);
  std::vector<long> sums(50, 0);
  for (int round = 1; round <= 2000; ++round)
    team.run(round % 3 == 0 ? 1 : sums.size(), [&](std::size_t task, int) { sums[task] += round; });
  long all = 0;
  for (int round = 1; round <= 2000; ++round) all += round % 3 == 0 ? 0 : round;
  CHECK(sums[49] == all);
  CHECK(sums[0] == 2000L * 2001 / 2);
}

TEST_CASE("no tasks, no work") {
  Team team(2);
  team.run(0, [](std::size_t, int) { throw std::logic_error("called"); });
  CHECK(team.size() == 2);
}

TEST_CASE("an exception reaches the caller, and the team goes on") {
  for (const int threads : {1, 4}) {
    Team team(threads);
    for (int round = 0; round < 100; ++round) {
      CHECK_THROWS_AS(std::domain_error, team.run(64, [](std::size_t task, int) {
        if (task % 16 == 5) throw std::domain_error("five");
      }));
      std::vector<int> done(64, 0);
      team.run(64, [&](std::size_t task, int) { done[task] = 1; });
      CHECK(std::accumulate(done.begin(), done.end(), 0) == 64);
    }
  }
}

TEST_CASE("a team of no stated size has at least one member") { CHECK(Team(0).size() >= 1); }
