// When long work is to end early: its time is up, or somebody asked for it.
//
// Any thread may ask `reached`. The question to the outside (has Ctrl-C been pressed?) is put only by the thread that made the Stop,
// and at most every 20 milliseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

#include "interruption.hpp"
#include "types.hpp"

namespace thriftwood {

class Stop {
 public:
  enum class Why : std::uint8_t { No, Time, Asked };

  // `seconds` from now; infinity: no limit.
  explicit Stop(double seconds = infinity, std::function<bool()> asked = {})
      : started_(Clock::now()), seconds_(seconds), asked_(std::move(asked)), owner_(std::this_thread::get_id()) {}

  bool reached() {
    if (why() != Why::No) return true;
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - started_).count() >= seconds_) {
      note_time();
    } else if (is_asked(now)) {
      note_asked(now);
    }
    return why() != Why::No;
  }

  // For work that nothing can be had without: it goes on when the time is up, and throws Interrupted when somebody asks.
  void throw_if_asked() {
    if (is_asked(Clock::now())) throw Interrupted{};
  }

  // Seconds; infinity: no limit.
  double left() const { return seconds_ - std::chrono::duration<double>(Clock::now() - started_).count(); }

  // Whether somebody asked for the end so long ago, or has asked again: what was to be finished should be by now, whatever time is left.
  bool asked_since(std::chrono::milliseconds grace) {
    const auto now = Clock::now();
    const bool before = asked_at_ != Clock::time_point{};
    if (is_asked(now)) {
      if (before) return true;
      note_asked(now);
    }
    return asked_at_ != Clock::time_point{} && now >= asked_at_ + grace;
  }

  Why why() const { return why_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_asked(Clock::time_point now) {
    if (!asked_ || std::this_thread::get_id() != owner_ || now < next_question_) return false;
    next_question_ = now + std::chrono::milliseconds(20);
    return asked_();
  }
  // Whoever asks is told so, also after the time was up.
  void note_asked(Clock::time_point now) {
    asked_at_ = now;
    why_.store(Why::Asked, std::memory_order_relaxed);
  }
  void note_time() {
    Why none = Why::No;
    why_.compare_exchange_strong(none, Why::Time, std::memory_order_relaxed);
  }

  Clock::time_point started_;
  double seconds_;
  std::function<bool()> asked_;
  std::thread::id owner_;
  Clock::time_point next_question_{};
  Clock::time_point asked_at_{};  // the owner's alone
  std::atomic<Why> why_{Why::No};
};

}  // namespace thriftwood
