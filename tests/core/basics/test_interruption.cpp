// Work that is asked to end: on the thread that listens, on those that help it, and not before somebody asks.
#include "basics/interruption.hpp"

#include <atomic>
#include <thread>

#include "basics/thread_pool.hpp"
#include "check.hpp"

using namespace thriftwood;

namespace {

// Polls until it is interrupted.
void work_forever() {
  while (true) poll(cells_unheard);
}

}  // namespace

TEST_CASE("nobody listens, nobody is interrupted") {
  for (int i = 0; i < 1000; ++i) poll(cells_unheard);
  const Listener deaf([] { return false; });
  for (int i = 0; i < 1000; ++i) poll(cells_unheard);
  CHECK(Listener::current() == &deaf);
}

TEST_CASE("little work is not interrupted, as nobody is asked") {
  int questions = 0;
  const Listener listener([&] { return ++questions > 0; });
  listen_anew();
  for (std::size_t cells = 1; cells < cells_unheard; ++cells) poll(1);
  CHECK(questions == 0);
  CHECK_THROWS_AS(Interrupted, poll(1));
  CHECK_THROWS_AS(Interrupted, listen());  // from then on at every question
  CHECK(questions == 1);
}

TEST_CASE("the inner listener is asked until it is gone") {
  const Listener outer([] { return false; });
  {
    const Listener inner([] { return true; });
    CHECK_THROWS_AS(Interrupted, listen());
  }
  listen();
  CHECK(Listener::current() == &outer);
}

TEST_CASE("threads that help end as well, and only the caller puts the question") {
  ThreadPool pool(4);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> others{0}, ended{0};
    const std::thread::id caller = std::this_thread::get_id();
    const Listener listener([&] {
      others += std::this_thread::get_id() != caller;
      return true;
    });
    CHECK_THROWS_AS(Interrupted, pool.run(4, [&](std::size_t, int) {
      try {
        work_forever();
      } catch (const Interrupted&) {
        ++ended;
        throw;
      }
    }));
    CHECK(ended.load() >= 1);
    CHECK(others.load() == 0);
  }
  std::vector<int> done(64, 0);  // and the pool goes on
  pool.run(64, [&](std::size_t task, int) { done[task] = 1; });
  CHECK(std::find(done.begin(), done.end(), 0) == done.end());
}

TEST_CASE("a caller that waits for others hears it, too") {
  ThreadPool pool(2);
  std::atomic<bool> begun{false}, waiting{false};
  const Listener listener([&] { return waiting.load(); });
  CHECK_THROWS_AS(Interrupted, pool.run(2, [&](std::size_t, int worker) {
    if (worker == 0) {
      while (!begun) std::this_thread::yield();  // or it might do both tasks
      waiting = true;
      return;
    }
    begun = true;
    work_forever();
  }));
}

TEST_CASE("the first tasks without a gap are those that count") {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    CHECK(pool.run_until_interrupted(100, [](std::size_t, int) {}) == 100);
    const std::size_t done = pool.run_until_interrupted(100, [](std::size_t task, int) {
      if (task == 40) throw Interrupted{};
    });
    CHECK(done == 40);
  }
}
