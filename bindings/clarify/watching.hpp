// Counting the patterns of a plan in a Python process: what happens when a watched function begins.
//
// An open activation goes by its frame, which is its own as long as it is open, over all suspensions of a generator too. So nothing has
// to happen when a function ends: the next activation in the same place begins anew, and a caller that is no watched function is told by
// its code. A generator is a child of the activation that began it; what it calls counts for that activation's chains while that
// activation runs it, as in activations.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

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
    if (!orders_.begin(*patterns)) return false;
    for (const WatchedFunction& function : orders_.functions()) {
      passes_on_.push_back(std::ranges::any_of(function.completions, [](const Completion& c) { return c.line == nobody; }));
    }
    return true;
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
    open_[own.frame] = {own.code, function, 0, passes_on_[function] ? Marks{0} : ~Marks{0}, ++serials_, starter};
  }

 private:
  struct Open {
    const void* code;
    std::uint32_t function;
    Marks marks;
    Marks shown;  // those made while its starter ran it: what the starter's patterns may ask for
    std::uint64_t serial;
    std::uint64_t starter;  // serial of the activation that called it; 0: of no watched function
  };

  Open* find(Place place) {
    const auto found = open_.find(place.frame);
    return found != open_.end() && found->second.code == place.code ? &found->second : nullptr;
  }
  template <class Above>
  void make(Open& open, Marks mark, Above&& above) {
    if (open.marks & open.shown & mark) return;
    const Marks before = open.marks, shown_before = open.shown;
    open.marks |= mark;
    for (const Completion& completion : orders_[open.function].completions) {
      if (!(completion.wanted & mark)) continue;
      if (completion.line != nobody) {
        if (is_new(before, open.marks, completion.wanted)) ++counters_[completion.line];
      } else if (Open* const grandparent = above(completion.parent)) {
        open.shown |= mark;
        if (is_new(shown_before, open.shown, completion.wanted)) make(*grandparent, completion.passed, above);
      }
    }
  }
  static bool is_new(Marks before, Marks now, Marks wanted) { return (before & wanted) != wanted && (now & wanted) == wanted; }

  Orders orders_;
  std::vector<bool> passes_on_;  // by function: whether a complete activation gives its caller a mark
  std::uint32_t lines_ = 0;
  std::uint64_t* counters_ = nullptr;
  std::unordered_map<const void*, Open> open_;
  std::uint64_t serials_ = 0;
};

extern Watching& watching;

}  // namespace thriftwood::clarify::python
