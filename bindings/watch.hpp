// Long calls of the core ask Python now and then, on the calling thread, whether to go on.
//
// The GIL is released around growing, pruning, predicting, the ledger and trials. A Ctrl-C begins no further trial and keeps those that
// are done.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace nb = nanobind;

// What Python raised is kept: a Ctrl-C ends the run in peace, anything else is raised once the work under way is over.
class Watch {
 public:
  Watch(nb::object progress, std::size_t total) : progress_(std::move(progress)), total_(total) {}

  bool operator()(std::size_t done) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return true;
    next_ = now + pause;
    const nb::gil_scoped_acquire locked;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      tell(done);
      return true;
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
      return false;
    }
  }

  void tell(std::size_t done) {
    if (!progress_.is_none()) progress_(done, total_);
  }

  bool interrupted() const { return raised_ && raised_->matches(PyExc_KeyboardInterrupt); }
  void raise_others() const {
    if (raised_ && !interrupted()) throw *raised_;
  }
  void raise_any() const {
    if (raised_) throw *raised_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Taking the GIL for every small tree would cost more than the tree.
  static constexpr std::chrono::milliseconds pause{25};

  nb::object progress_;
  std::size_t total_;
  Clock::time_point next_ = Clock::now() + pause;
  std::optional<nb::python_error> raised_;
};
