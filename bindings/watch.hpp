// Long calls of the core ask Python now and then, on the calling thread, whether to go on.
//
// The GIL is released around growing, pruning, predicting, the ledger and trials. A Ctrl-C ends growing and pruning at once: what has parts
// that are done, such as a forest, keeps them, and everything else raises it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "basics/interruption.hpp"
#include "basics/stopping.hpp"

namespace nb = nanobind;

[[noreturn]] inline void raise_interrupt() {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

// Threads of Python that work for another one. Python gives signals to its main thread alone: who waits for the helpers ends them, and what
// they do in the core ends as if Ctrl-C had been pressed there.
class Helpers {
 public:
  // Makes the calling thread a helper, for as long as it lives.
  void join() const { own() = ended_; }
  void end() { ended_->store(true, std::memory_order_relaxed); }

  static bool is_helper() { return own() != nullptr; }
  // Of the helpers that this thread belongs to.
  static bool are_ended() { return own()->load(std::memory_order_relaxed); }

 private:
  using Flag = std::shared_ptr<std::atomic<bool>>;  // a thread may outlive who started it

  static Flag& own() {
    thread_local Flag flag;
    return flag;
  }

  Flag ended_ = std::make_shared<std::atomic<bool>>(false);
};

// What ended the core's work: what handlers of signals raised, such as KeyboardInterrupt, or the end of the helpers.
class Signals {
 public:
  // Lets Python handle what came; whether the work is to end.
  bool raised() {
    if (Helpers::is_helper()) return helped_ = Helpers::are_ended();
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) keep(nb::python_error());
    return raised_.has_value();
  }
  void keep(nb::python_error error) {
    if (!raised_) raised_.emplace(std::move(error));
  }
  bool interrupted() const { return helped_ || (raised_ && raised_->matches(PyExc_KeyboardInterrupt)); }
  void raise_any() const {
    if (raised_) throw *raised_;
    if (helped_) raise_interrupt();
  }
  void raise_others() const {
    if (!interrupted()) raise_any();
  }

 private:
  bool helped_ = false;  // a helper's end
  std::optional<nb::python_error> raised_;
};

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

// The same for work that returns what is done when it is interrupted: that, and whether it was. A Ctrl-C that comes with the last part is
// told as well. Other signals' errors are raised.
template <class Work>
auto interruptible_in_parts(Work&& work) {
  Signals signals;
  try {
    auto done = listening(work, [&] { return signals.raised(); });
    signals.raise_others();
    return std::pair(std::move(done), signals.interrupted());
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
