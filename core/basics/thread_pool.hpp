// The only file that starts threads. A ThreadPool lives inside one call of the core and is gone when the call returns, so a process
// may fork afterwards (after OpenMP the child would hang).
//
// Work is handed out by a shared counter; results must go to places that depend on the task's number alone, so that one thread
// and many give the same result.
//
// No sum depends on the number of threads. -ffast-math is never used, and -ffp-contract=off keeps machines with fused multiply-add on the
// same tree. What is drawn depends on the seed and the place of the draw, never on what was drawn before (random.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "interruption.hpp"

namespace thriftwood {

class ThreadPool {
 public:
  // threads <= 0 means one per core.
  explicit ThreadPool(int threads) : size_(resolve(threads)) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    if (workers_.empty()) return;
    stopping_.store(true, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  int size() const { return size_; }

  // Calls work(task, worker) for every task in 0..tasks-1; worker in 0..size-1 is the number of the thread, so that each can have a
  // workspace of its own, and 0 is the calling thread. Returns when all are done; the first exception is thrown again here. Not to be
  // called from inside `work`.
  void run(std::size_t tasks, const std::function<void(std::size_t, int)>& work) { run(tasks, work, nullptr); }

  // How many tasks were done before the work was interrupted, without a gap; all of them, if it was not.
  std::size_t run_until_interrupted(std::size_t tasks, const std::function<void(std::size_t, int)>& work) {
    std::vector<std::atomic<bool>> done(tasks);
    try {
      run(tasks, [&](std::size_t task, int worker) {
        work(task, worker);
        done[task].store(true, std::memory_order_relaxed);
      });
    } catch (const Interrupted&) {
    }
    return static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
  }

  // The same, while `watch` is called now and then on the calling thread: after each of its own tasks, and at least every
  // `watch_pause` while it waits for the others. Once it says false, tasks that nobody has begun are left out.
  void run(std::size_t tasks, const std::function<void(std::size_t, int)>& work, const std::function<bool()>& watch) {
    if (size_ == 1 || tasks <= 1) {
      for (std::size_t t = 0; t < tasks; ++t) {
        work(t, 0);
        poll(task_cells);
        if (watch && !watch()) return;
      }
      return;
    }
    start_workers();
    watch_ = watch ? &watch : nullptr;
    watching_ = watch_ != nullptr;
    listener_ = Listener::current();
    work_ = &work;
    tasks_ = tasks;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_tasks(0);
    if (watching_ || listener_ != nullptr) wait_watching();
    for (int left = busy_.load(std::memory_order_acquire); left > 0; left = busy_.load(std::memory_order_acquire))
      busy_.wait(left, std::memory_order_acquire);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  static constexpr std::chrono::milliseconds watch_pause{20};
  static constexpr std::size_t task_cells = std::size_t{1} << 13;  // what a task is at least, see `poll`
  static constexpr int most_threads = 256;  // more would only cost memory

  static int resolve(int threads) {
    if (threads > 0) return std::min(threads, most_threads);
    const unsigned cores = std::thread::hardware_concurrency();
    return cores > 0 ? static_cast<int>(cores) : 1;
  }

  void start_workers() {
    while (static_cast<int>(workers_.size()) + 1 < size_) {
      const int worker = static_cast<int>(workers_.size()) + 1;
      const unsigned seen = round_.load(std::memory_order_acquire);
      workers_.emplace_back([this, worker, seen] { serve(worker, seen); });
    }
  }

  void serve(int worker, unsigned seen) {
    while (true) {
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (stopping_.load(std::memory_order_acquire)) return;
      Listener::current() = listener_;
      take_tasks(worker);
      const bool watched =
          watch_ != nullptr || listener_ != nullptr;  // read first: after the last one has finished, the caller may begin another run
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      busy_.notify_all();
      if (!watched) continue;
      {
        const std::lock_guard lock(waiting_);
      }  // the caller has looked at busy_ and sleeps, or has yet to look
      finished_.notify_all();
    }
  }

  void ask_watch() {
    watching_ = false;  // if it throws
    watching_ = (*watch_)();
    if (!watching_) next_.store(tasks_);
  }

  void wait_watching() {
    try {
      std::unique_lock lock(waiting_);
      while (busy_.load(std::memory_order_acquire) > 0) {
        if (finished_.wait_for(lock, watch_pause) != std::cv_status::timeout) continue;
        if (watching_) ask_watch();
        listen();
      }
    } catch (...) {
      fail();
    }
  }

  void fail() {
    next_.store(tasks_);
    const std::lock_guard lock(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
  }

  void take_tasks(int worker) {
    try {
      for (std::size_t t = next_.fetch_add(1); t < tasks_; t = next_.fetch_add(1)) {
        (*work_)(t, worker);
        poll(task_cells);
        if (worker == 0 && watching_) ask_watch();
      }
    } catch (...) {
      fail();
    }
  }

  int size_;
  const std::function<void(std::size_t, int)>* work_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<int> busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> stopping_{false};
  const std::function<bool()>* watch_ = nullptr;
  bool watching_ = false;  // the calling thread's alone
  Listener* listener_ = nullptr;  // of the calling thread
  std::mutex waiting_;
  std::condition_variable finished_;
  std::mutex failure_lock_;
  std::exception_ptr failure_;
  std::vector<std::jthread> workers_;  // last: joined before the members above go
};

}  // namespace thriftwood
