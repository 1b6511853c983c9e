#include <atomic>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "basics/thread_pool.hpp"
#include "check.hpp"

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

TEST_CASE("a watch that says stop leaves out what nobody has begun") {
  for (const int threads : {1, 2, 5}) {
    Team team(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> done{0};
      int seen = 0;
      team.run(100000, [&](std::size_t, int) { ++done; }, [&] { return ++seen < 3; });
      CHECK(seen <= 3);  // never asked again
      CHECK(seen == 3 ? done >= 3 : done == 100000);
      team.run(50, [&](std::size_t, int) { ++done; });  // and the team goes on
      CHECK(done >= 50);
    }
  }
}

TEST_CASE("a watch is asked on the calling thread while others work") {
  Team team(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> others_turn{false}, asked{false};
  bool elsewhere = false;
  team.run(
      2,
      [&](std::size_t, int member) {
        if (member == 0) return;
        others_turn = true;
        while (!asked) std::this_thread::yield();  // would hang if nobody asked while waiting
      },
      [&] {
        elsewhere = elsewhere || std::this_thread::get_id() != caller;
        asked = asked || others_turn;
        return true;
      });
  CHECK(!elsewhere);
}

TEST_CASE("what a watch throws reaches the caller when the others are done") {
  for (const int threads : {1, 3}) {
    Team team(threads);
    std::atomic<int> under_way{0};
    CHECK_THROWS_AS(std::domain_error, team.run(
                                           1000,
                                           [&](std::size_t, int) {
                                             ++under_way;
                                             --under_way;
                                           },
                                           []() -> bool { throw std::domain_error("enough"); }));
    CHECK(under_way == 0);
  }
}
