// Counting the patterns of a plan in a Python process: what happens when a watched function begins.
//
// An open activation goes by its frame, which is its own as long as it is open, over all suspensions of a generator too. So nothing has
// to happen when a function ends: the next activation in the same place begins anew, and a caller that is no watched function is told by
// its code. A generator is a child of the activation that began it; what it calls counts for that activation's chains while that
// activation runs it, as in activations.hpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "clarify/plan.hpp"
#include "clarify/watcher.hpp"

namespace thriftwood::clarify::python {

struct Place {
  const void* frame;
  const void* code;
};

class Watching {
 public:
  // False when the text is no plan, or asks too much of one function.
  bool begin(std::string_view text) {
    const auto patterns = read_plan(text);
    if (!patterns) return false;
    lines_ = static_cast<std::uint32_t>(patterns->size());
    return orders_.begin(*patterns);
  }
  std::uint32_t lines() const noexcept { return lines_; }
  void count_in(std::uint64_t* counters) noexcept { counters_ = counters; }
  const Orders& orders() const noexcept { return orders_; }
  void forget_open() noexcept { open_.clear(); }

  // `caller(1)` and `caller(2)` are the places of the frame below and of the one below that; asked only where a pattern needs them.
  template <class Caller>
  void started(std::uint32_t function, Place own, Caller&& caller) {
    const WatchedFunction& watched = orders_[function];
    for (const std::uint32_t line : watched.lines) ++counters_[line];
    if (watched.only_counts()) return;
    Open* parent = nullptr;
    Place below{nullptr, nullptr};
    if (!watched.calls.empty()) {
      below = caller(1);
      parent = find(below);
    }
    // The activation of this function that called the parent; null if it was called otherwise.
    const auto above = [&](std::uint32_t wanted) -> Open* {
      Open* const grandparent = find(caller(2));
      const bool is_it = grandparent && grandparent->function == wanted && grandparent->serial == parent->starter;
      return is_it ? grandparent : nullptr;
    };
    for (const CallOrder& order : watched.calls) {
      if (!parent || parent->function != order.parent) continue;
      if (order.mark) make(*parent, order.mark, above);
      if (!order.chain) continue;
      if (Open* const grandparent = above(order.grandparent)) make(*grandparent, order.chain, above);
    }
    if (!watched.opens) return;
    const std::uint64_t starter = parent ? parent->serial : 0;
    open_[own.frame] = {own.code, function, 0, ++serials_, starter};
  }

 private:
  struct Open {
    const void* code;
    std::uint32_t function;
    Marks marks;
    std::uint64_t serial;
    std::uint64_t starter;  // serial of the activation that called it; 0: of no watched function
  };

  Open* find(Place place) {
    const auto found = open_.find(place.frame);
    return found != open_.end() && found->second.code == place.code ? &found->second : nullptr;
  }
  template <class Above>
  void make(Open& open, Marks mark, Above&& above) {
    if (open.marks & mark) return;
    const Marks before = open.marks;
    open.marks |= mark;
    for (const Completion& completion : orders_[open.function].completions) {
      const bool was = (before & completion.wanted) == completion.wanted;
      if (was || (open.marks & completion.wanted) != completion.wanted) continue;
      if (completion.line != nobody) {
        ++counters_[completion.line];
      } else if (Open* const grandparent = above(completion.parent)) {
        make(*grandparent, completion.passed, above);  // counts lines only: see Completion
      }
    }
  }

  Orders orders_;
  std::uint32_t lines_ = 0;
  std::uint64_t* counters_ = nullptr;
  std::unordered_map<const void*, Open> open_;
  std::uint64_t serials_ = 0;
};

extern Watching& watching;

}  // namespace thriftwood::clarify::python
