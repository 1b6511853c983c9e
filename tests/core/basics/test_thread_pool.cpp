#include <atomic>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "basics/thread_pool.hpp"
#include "check.hpp"

using namespace thriftwood;

TEST_CASE("every task is done once, by any number of workers") {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    std::vector<int> done(1000, 0);
    bool known_worker = true;
    std::mutex guard;
    pool.run(done.size(), [&](std::size_t task, int worker) {
      ++done[task];
      const std::lock_guard lock(guard);
      known_worker = known_worker && worker >= 0 && worker < pool.size();
    });
    CHECK(done == std::vector<int>(1000, 1));
    CHECK(known_worker);
  }
}

TEST_CASE("a pool serves many rounds, and what one round wrote the next may read") {
  ThreadPool pool(3);
  std::vector<long> sums(50, 0);
  for (int round = 1; round <= 2000; ++round) pool.run(round % 3 == 0 ? 1 : sums.size(), [&](std::size_t task, int) { sums[task] += round; });
  long all = 0;
  for (int round = 1; round <= 2000; ++round) all += round % 3 == 0 ? 0 : round;
  CHECK(sums[49] == all);
  CHECK(sums[0] == 2000L * 2001 / 2);
}

TEST_CASE("no tasks, no work") {
  ThreadPool pool(2);
  pool.run(0, [](std::size_t, int) { throw std::logic_error("called"); });
  CHECK(pool.size() == 2);
}

TEST_CASE("an exception reaches the caller, and the pool goes on") {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 100; ++round) {
      CHECK_THROWS_AS(std::domain_error, pool.run(64, [](std::size_t task, int) {
        if (task % 16 == 5) throw std::domain_error("five");
      }));
      std::vector<int> done(64, 0);
      pool.run(64, [&](std::size_t task, int) { done[task] = 1; });
      CHECK(std::accumulate(done.begin(), done.end(), 0) == 64);
    }
  }
}

TEST_CASE("a pool of no stated size has at least one worker") { CHECK(ThreadPool(0).size() >= 1); }

TEST_CASE("a watch that says stop leaves out what nobody has begun") {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> done{0};
      int seen = 0;
      pool.run(100000, [&](std::size_t, int) { ++done; }, [&] { return ++seen < 3; });
      CHECK(seen <= 3);  // never asked again
      CHECK(seen == 3 ? done >= 3 : done == 100000);
      pool.run(50, [&](std::size_t, int) { ++done; });  // and the pool goes on
      CHECK(done >= 50);
    }
  }
}

TEST_CASE("a watch is asked on the calling thread while others work") {
  ThreadPool pool(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> others_turn{false}, asked{false};
  bool elsewhere = false;
  pool.run(
      2,
      [&](std::size_t, int worker) {
        if (worker == 0) return;
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
    ThreadPool pool(threads);
    std::atomic<int> under_way{0};
    CHECK_THROWS_AS(std::domain_error, pool.run(
                                           1000,
                                           [&](std::size_t, int) {
                                             ++under_way;
                                             --under_way;
                                           },
                                           []() -> bool { throw std::domain_error("enough"); }));
    CHECK(under_way == 0);
  }
}
