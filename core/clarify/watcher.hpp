// Counting the patterns of a plan while only their functions are watched.
//
//   orders    the plan turned round, once per process: for each watched function what to do when it begins
//   mark      a bit of an open activation: one for each child (and each chain) that its patterns ask for
//   watcher   of one thread: the open activations of functions that have marks
//
// A pattern is counted when its last mark is made, so nothing happens when a function ends.
// Who called is checked by the caller of `enter`, because only it can know: natively the return address lies in the parent's code.
#pragma once

#include <bit>
#include <functional>
#include <map>

#include "arena.hpp"
#include "plan.hpp"

namespace thriftwood::clarify {

using Marks = std::uint64_t;

// Done in an activation of the parent when it calls the function that has this order.
struct CallOrder {
  std::uint32_t parent;       // a watched function
  Marks mark;                 // of the parent's activation; 0: none
  std::uint32_t grandparent;  // where the parent was called by this one (nobody: no such order) ...
  Marks chain;                // ... this mark of the grandparent's activation
};

constexpr std::uint32_t nobody = 0xffffffff;

// What happens when the marks of an activation come to include `wanted`: a line is counted, or (line: nobody) the activation that called
// it gets a mark, if it is one of `parent`. A mark that was given so is in no `wanted` of the second sort: patterns are two calls deep.
struct Completion {
  Marks wanted;
  std::uint32_t line;
  std::uint32_t parent = nobody;
  Marks passed = 0;
};

struct WatchedFunction {
  std::string name;
  std::vector<std::uint32_t> lines;      // counted at every call
  std::vector<CallOrder> calls;
  std::vector<Completion> completions;
  Marks marks = 0;                       // that its activations can have
  bool opens = false;                    // its activations must be known while they are open
  bool only_counts() const noexcept { return !opens && calls.empty(); }
  // Whether a call has any consequence. Most calls of a function that is only a child come from elsewhere.
  template <class CalledBy>
  bool concerned(CalledBy&& called_by) const noexcept {
    if (opens || !lines.empty()) return true;
    for (const CallOrder& order : calls) {
      if (called_by(order.parent)) return true;
    }
    return false;
  }
};

class Orders {
 public:
  // False when a function would need more than 64 marks.
  bool begin(const std::vector<Pattern>& patterns) {
    for (std::uint32_t line = 0; line < patterns.size(); ++line) {
      const auto& [kind, names, shape] = patterns[line];
      std::vector<std::uint32_t> numbers;
      for (const std::string& name : names) numbers.push_back(number_of(name));
      WatchedFunction& first = functions_[numbers[0]];
      Marks wanted = 0;
      if (kind == PatternKind::count) {
        first.lines.push_back(line);
        continue;
      }
      first.opens = true;
      if (kind == PatternKind::inside) {
        for (std::size_t i = 1; i < numbers.size(); ++i) wanted |= mark_of_call(numbers[0], numbers[i]);
      } else if (kind == PatternKind::tree) {
        wanted = marks_of_tree(numbers, shape);
      } else {
        follow(numbers[1], numbers[0]);
        wanted = new_mark(numbers[0]);
        functions_[numbers[2]].calls.push_back({numbers[1], 0, numbers[0], wanted});
      }
      functions_[numbers[0]].completions.push_back({wanted, line});
    }
    return !too_many_;
  }

  const std::vector<WatchedFunction>& functions() const noexcept { return functions_; }
  const WatchedFunction& operator[](std::uint32_t function) const noexcept { return functions_[function]; }
  // Asked for every function of a program when it starts, by plans of up to a thousand. (No hash map: those calculate with floats, which
  // native programs' arguments lie in the registers of.)
  std::uint32_t find(std::string_view name) const noexcept {
    const auto known = numbers_.find(name);
    return known == numbers_.end() ? nobody : known->second;
  }

 private:
  std::uint32_t number_of(const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(functions_.size()));
    if (is_new) functions_.emplace_back().name = name;
    return known->second;
  }
  // The activations of a child are known, and who called each.
  void follow(std::uint32_t child, std::uint32_t parent) {
    functions_[child].opens = true;
    functions_[child].calls.push_back({parent, 0, nobody, 0});
  }
  // A mark for each child: made by its call, or once it has called its own children.
  Marks marks_of_tree(const std::vector<std::uint32_t>& numbers, const std::vector<std::size_t>& shape) {
    Marks wanted = 0;
    std::size_t at = 1;
    for (const std::size_t below : shape) {
      const std::uint32_t child = numbers[at];
      if (below == 0) {
        wanted |= mark_of_call(numbers[0], child);
      } else {
        follow(child, numbers[0]);
        Marks called = 0;
        for (std::size_t i = at + 1; i <= at + below; ++i) called |= mark_of_call(child, numbers[i]);
        const Marks passed = new_mark(numbers[0]);
        functions_[child].completions.push_back({called, nobody, numbers[0], passed});
        wanted |= passed;
      }
      at += 1 + below;
    }
    return wanted;
  }
  Marks new_mark(std::uint32_t function) {
    Marks& marks = functions_[function].marks;
    if (marks == ~Marks{0}) {
      too_many_ = true;
      return 0;
    }
    const Marks mark = Marks{1} << std::countr_one(marks);
    marks |= mark;
    return mark;
  }
  // One mark however many patterns ask for the call.
  Marks mark_of_call(std::uint32_t parent, std::uint32_t child) {
    for (const CallOrder& order : functions_[child].calls) {
      if (order.parent == parent && order.mark) return order.mark;
    }
    const Marks mark = new_mark(parent);
    functions_[child].calls.push_back({parent, mark, nobody, 0});
    return mark;
  }

  std::vector<WatchedFunction> functions_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // by name
  bool too_many_ = false;
};

class Watcher {
 public:
  struct Frame {
    std::uint64_t stack, back;  // as in recorder.hpp
    Marks marks;
    std::uint32_t function;
    std::uint32_t caller;  // place of the caller's frame + 1; 0: not known
  };

  void begin(const Orders& orders, std::atomic<std::uint64_t>* counters, Arena& arena) noexcept {
    orders_ = &orders, counters_ = counters, arena_ = &arena;
  }

  std::uint64_t depth() const noexcept { return depth_; }
  const Frame& frame(std::uint64_t i) const noexcept { return frames_[i]; }
  const Frame& top() const noexcept { return frames_[depth_ - 1]; }
  void leave() noexcept { --depth_; }
  void leave_all() noexcept { depth_ = 0; }

  // `function` begins where nothing is known of its caller, and neither will be of its children.
  void enter_alone(std::uint32_t function) noexcept {
    for (const std::uint32_t line : (*orders_)[function].lines) count(line);
  }
  // `function` begins. `called_by(parent)`: does the call come from the code of this watched function?
  template <class CalledBy>
  void enter(std::uint32_t function, std::uint64_t stack, std::uint64_t back, CalledBy&& called_by) noexcept {
    const WatchedFunction& watched = (*orders_)[function];
    const std::uint64_t caller = follow_orders(function, called_by);
    if (watched.opens) push({stack, back, 0, function, static_cast<std::uint32_t>(caller)});
  }
  // The same where every function has a frame until it leaves: also one that is not watched (nobody).
  template <class CalledBy>
  void enter_each(std::uint32_t function, std::uint64_t stack, CalledBy&& called_by) noexcept {
    const std::uint64_t caller = function == nobody ? 0 : follow_orders(function, called_by);
    push({stack, 0, 0, function, static_cast<std::uint32_t>(caller)});
  }

 private:
  // The place of the caller's frame + 1, where an order asks for it.
  template <class CalledBy>
  std::uint64_t follow_orders(std::uint32_t function, CalledBy&& called_by) noexcept {
    enter_alone(function);
    // All orders that apply have the same parent: the one that called.
    std::uint64_t caller = 0;
    for (const CallOrder& order : (*orders_)[function].calls) {
      if (!caller && called_by(order.parent)) caller = frame_of(order.parent);
      if (!caller || frames_[caller - 1].function != order.parent) continue;
      Frame& parent = frames_[caller - 1];
      if (order.mark) make(parent, order.mark);
      if (order.chain && parent.caller && frames_[parent.caller - 1].function == order.grandparent) {
        make(frames_[parent.caller - 1], order.chain);
      }
    }
    return caller;
  }
  void push(const Frame& frame) noexcept {
    if (depth_ == frames_.size() && !frames_.reserve(depth_ + 1)) [[unlikely]]
      return arena_->no_room();
    frames_[depth_++] = frame;
  }
  void count(std::uint32_t line) noexcept { counters_[line].fetch_add(1, std::memory_order_relaxed); }
  void make(Frame& frame, Marks mark) noexcept {
    if (frame.marks & mark) return;
    const Marks before = frame.marks;
    frame.marks |= mark;
    for (const Completion& completion : (*orders_)[frame.function].completions) {
      const bool was = (before & completion.wanted) == completion.wanted;
      if (was || (frame.marks & completion.wanted) != completion.wanted) continue;
      if (completion.line != nobody) {
        count(completion.line);
      } else if (frame.caller && frames_[frame.caller - 1].function == completion.parent) {
        make(frames_[frame.caller - 1], completion.passed);
      }
    }
  }
  // The innermost open activation of a function, as its place + 1. It is calling right now, so whatever lies above it has ended.
  std::uint64_t frame_of(std::uint32_t function) noexcept {
    for (std::uint64_t i = depth_; i > 0; --i) {
      if (frames_[i - 1].function == function) {
        depth_ = i;
        return i;
      }
    }
    return 0;
  }

  const Orders* orders_ = nullptr;
  std::atomic<std::uint64_t>* counters_ = nullptr;
  Arena* arena_ = nullptr;
  Pages<Frame> frames_;
  std::uint64_t depth_ = 0;
};

}  // namespace thriftwood::clarify
