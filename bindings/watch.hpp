// Long calls of the core ask Python now and then, on the calling thread, whether to go on.
//
// The GIL is released around growing, pruning, predicting, the ledger and trials. A Ctrl-C ends growing and pruning at once: what has parts
// that are done, such as a forest, keeps them, and everything else raises it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "basics/interruption.hpp"
#include "basics/stopping.hpp"

namespace nb = nanobind;

// Threads that help the main one hear no signals: they end when it says so.
inline thread_local bool helps_main = false;
inline std::atomic<bool> helpers_end{false};

// What the handlers of signals raised while the core worked, such as KeyboardInterrupt.
class Signals {
 public:
  // Lets Python handle what came; whether that raised something.
  bool raised() {
    if (helps_main) return helpers_end.load(std::memory_order_relaxed);
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) keep(nb::python_error());
    return raised_.has_value();
  }
  void keep(nb::python_error error) {
    if (!raised_) raised_.emplace(std::move(error));
  }
  bool interrupted() const { return raised_ && raised_->matches(PyExc_KeyboardInterrupt); }
  void raise_any() const {
    if (raised_) throw *raised_;
  }
  void raise_others() const {
    if (!interrupted()) raise_any();
  }

 private:
  std::optional<nb::python_error> raised_;
};

[[noreturn]] inline void raise_interrupt() {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

// Does work of the core without the GIL, while `asked` says whether it is to end.
template <class Work, class Asked>
auto listening(Work&& work, Asked&& asked) {
  const nb::gil_scoped_release unlocked;
  const thriftwood::Listener listener(std::forward<Asked>(asked));
  return work();
}

// Does work of the core without the GIL; raises what handlers of signals raise meanwhile.
template <class Work>
auto interruptible(Work&& work) {
  Signals signals;
  try {
    return listening(work, [&] { return signals.raised(); });
  } catch (const thriftwood::Interrupted&) {
    signals.raise_any();
    raise_interrupt();
  }
}

// The same for work that returns what is done when it is interrupted. `kept` tells whether that is worth something; Ctrl-C is raised if not,
// and other signals' errors always are.
template <class Work, class Kept>
auto interruptible_in_parts(Work&& work, Kept&& kept) {
  Signals signals;
  try {
    auto done = listening(work, [&] { return signals.raised(); });
    signals.raise_others();
    if (!kept(done)) signals.raise_any();
    return done;
  } catch (const thriftwood::Interrupted&) {
    signals.raise_any();
    raise_interrupt();
  }
}

// The same for work that has a Stop, which ends it in good order once Ctrl-C is pressed; work that has not ended by then is broken off.
template <class Work>
auto interruptible(Work&& work, thriftwood::Stop& stop, std::chrono::milliseconds grace) {
  try {
    return listening(work, [&] { return stop.asked_since(grace); });
  } catch (const thriftwood::Interrupted&) {
    raise_interrupt();
  }
}

// Tells Python how much of a long run is done. What Python raises ends the run.
class Watch {
 public:
  Watch(nb::object progress, std::size_t total) : progress_(std::move(progress)), total_(total) {}

  bool operator()(std::size_t done) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return true;
    next_ = now + pause;
    const nb::gil_scoped_acquire locked;
    try {
      tell(done);
      return true;
    } catch (nb::python_error& error) {
      signals_.keep(std::move(error));
      return false;
    }
  }

  void tell(std::size_t done) {
    if (!progress_.is_none()) progress_(done, total_);
  }

  Signals& signals() { return signals_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Taking the GIL for every small tree would cost more than the tree.
  static constexpr std::chrono::milliseconds pause{25};

  nb::object progress_;
  std::size_t total_;
  Clock::time_point next_ = Clock::now() + pause;
  Signals signals_;
};
