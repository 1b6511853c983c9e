// Ctrl-C, or whatever else is to end a call of the core before it is done.
//
// Who calls the core makes a Listener, one for each call. Work that may take long calls `poll` now and then, on any thread of the call.
// The question to the outside (has Ctrl-C been pressed?) is put on the thread that made the Listener and no other, at most every 100
// milliseconds; once the answer is yes, `poll` throws Interrupted on every thread, and the call unwinds. Work that has parts which are
// worth something by themselves, such as the trees of a forest, catches it and returns those.
//
// To poll often costs nothing: it adds up the work done, in cells of a table, and does no more than that until there was a millisecond of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>

namespace thriftwood {

// Thrown by work that was asked to end.
struct Interrupted {};

class Listener {
 public:
  // The one that `poll` asks on this thread, until it is gone.
  explicit Listener(std::function<bool()> asked) : asked_(std::move(asked)), owner_(std::this_thread::get_id()), before_(current()) {
    current() = this;
  }
  ~Listener() { current() = before_; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // The one of this thread; null: nobody can end its work. A thread that helps another one takes over that one's.
  static Listener*& current() {
    thread_local Listener* listener = nullptr;
    return listener;
  }

  // Whether the work is to end.
  bool heard() {
    if (heard_.load(std::memory_order_relaxed)) return true;
    if (std::this_thread::get_id() != owner_) return false;
    const auto now = Clock::now();
    if (now < next_question_) return false;
    next_question_ = now + pause;
    if (!asked_()) return false;
    heard_.store(true, std::memory_order_relaxed);
    return true;
  }

  static constexpr std::chrono::milliseconds pause{100};

 private:
  using Clock = std::chrono::steady_clock;

  std::function<bool()> asked_;
  std::thread::id owner_;
  Listener* before_;
  Clock::time_point next_question_{};  // the first one is put at once
  std::atomic<bool> heard_{false};
};

// Cells from which on a step of some work polls by itself; work of smaller steps polls once for many.
inline constexpr std::size_t worth_polling = std::size_t{1} << 14;

inline constexpr std::size_t cells_unheard = std::size_t{1} << 18;  // about a millisecond

inline thread_local std::size_t cells_left = cells_unheard;

inline void listen_anew() { cells_left = cells_unheard; }

// Begins anew and throws Interrupted if the work of this thread is to end.
inline void listen() {
  listen_anew();
  if (Listener* const listener = Listener::current(); listener != nullptr && listener->heard()) throw Interrupted{};
}

// To be called by long work, with the number of cells looked at since, or about to be.
inline void poll(std::size_t cells) {
  if (cells < cells_left)
    cells_left -= cells;
  else
    listen();
}

}  // namespace thriftwood
