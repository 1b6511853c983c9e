// What one thread is doing: its open activations and the call tree that the ended ones are counted in. Both lie in the file.
//
//   frame     an open activation
//   attached  a frame whose caller is the frame below it. Of a function that was called from elsewhere (from code that is not recorded)
//             the caller is not known: it is nobody's child, so that watching a few functions later sees the same children.
//
// A reader ends the open frames from the top down, as returning would have done. A frame is closed and the count of its state goes up,
// or a frame goes on and the count goes down: two changes, and a kill may come between them. So one word says both (`Open`): how many
// frames are open, whose count goes with the last change, and whether that count is odd once it is made. A reader that finds it otherwise
// makes it.
#pragma once

#include "arena.hpp"
#include "call_tree.hpp"

namespace thriftwood::clarify {

struct Frame {
  std::uint64_t stack;  // where the return address lies, for callers that have no way of seeing a function leave
  std::uint64_t back;   // the return address
  std::uint32_t state;
  std::uint32_t caller;  // bit 0: attached; above it another state whose children it has too, though its caller must not see them; or 0
  bool attached() const noexcept { return caller & 1; }
  std::uint32_t besides() const noexcept { return caller >> 1; }
};
static_assert(sizeof(Frame) == 24);

// Bits 0 to 30: open frames; 31: the count goes down; 32: it is odd then; 33 to 63: the state, 0 for none. The file cannot hold more:
// at most 64 GiB (arena_file.hpp), and a pool of 2^31 frames or states would need 48 or 64 besides the one it grows from.
struct Open {
  static constexpr std::uint64_t frames(std::uint64_t depth) noexcept { return depth; }
  static constexpr std::uint64_t depth_of(std::uint64_t open) noexcept { return open & 0x7fffffff; }
  static constexpr std::uint32_t state_of(std::uint64_t open) noexcept { return static_cast<std::uint32_t>(open >> 33); }
  static constexpr bool goes_down(std::uint64_t open) noexcept { return open >> 31 & 1; }
  // Whether the count that goes with it is not made yet.
  static constexpr bool waits(std::uint64_t open, std::uint64_t count) noexcept { return state_of(open) && ((count ^ open >> 32) & 1); }
  static constexpr std::uint64_t counted(std::uint64_t depth, std::uint32_t state, std::uint64_t count) noexcept {
    return depth | (count & 1) << 32 | std::uint64_t{state} << 33;
  }
  static constexpr std::uint64_t taken_back(std::uint64_t depth, std::uint32_t state, std::uint64_t count) noexcept {
    return counted(depth, state, count) | std::uint64_t{1} << 31;
  }
};

struct RecorderHead {
  std::uint64_t open;    // as in Open
  std::uint64_t frames;  // offset of the lowest
  CallTreeHead tree;
};

class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // In this arena, under a number of its own. False when there is no room.
  bool begin(Arena& arena, std::uint32_t number) noexcept {
    head_ = static_cast<RecorderHead*>(arena.allocate(Kind::recorder, number, sizeof(RecorderHead), 64));
    if (!head_) return false;
    frames_.begin(arena, Kind::frames, number, &head_->frames);
    arena_ = &arena, depth_ = 0;
    stopped_ = !tree_.begin(arena, number, head_->tree) || !frames_.reserve(1, 0);
    return !stopped_;
  }

  // `attached`: the activation on top called it.
  void enter(std::uint32_t function, bool attached = true, std::uint64_t stack = 0, std::uint64_t back = 0) noexcept {
    if (push(tree_.root(function), attached, stack, back)) [[likely]]
      publish(Open::frames(depth_));
  }
  // An activation that left, counted as if it had ended in the state `counted`, goes on from `state`, as generators do. Its caller sees
  // only what `state` has; what `counted` has besides is its own.
  void resume(std::uint32_t state, std::uint32_t counted, bool attached, std::uint64_t stack = 0, std::uint64_t back = 0) noexcept {
    if (push(state, attached, stack, back, state == counted ? 0 : counted)) [[likely]]
      take_back(counted);
  }
  // The state that the activation on top counts for if it ends now; 0 when there is no room.
  std::uint32_t ending() noexcept {
    const Frame& frame = frames_[depth_ - 1];
    return frame.besides() ? joined(frame) : frame.state;
  }
  // The activation on top ended. Nothing happens when none is open.
  void leave() noexcept {
    if (depth_ == 0) [[unlikely]]
      return;
    const std::uint32_t counted = ending();
    const std::uint64_t top = depth_ - 1;
    if (frames_[top].attached()) [[likely]] {
      const std::uint32_t next = tree_.step(frames_[top - 1].state, frames_[top].state);
      if (!next) [[unlikely]]
        return stop();
      frames_[top - 1].state = next;
    }
    if (!counted) [[unlikely]]
      return stop();
    depth_ = top;
    count(counted);
  }
  // An activation that is not open is counted, or counted no more.
  void count(std::uint32_t state) noexcept {
    publish(Open::counted(depth_, state, tree_.state(state).ended + 1));
    tree_.end(state);
  }
  void take_back(std::uint32_t state) noexcept {
    publish(Open::taken_back(depth_, state, tree_.state(state).ended - 1));
    tree_.take_back(state);
  }
  void leave_all() noexcept {
    while (depth() > 0) leave();
  }
  // A signal handler jumped out of a change: what was not published has not happened, and the count that goes with what was is made.
  void recover() noexcept {
    if (stopped_) return;
    const std::uint64_t open = head_->open;
    const std::uint32_t state = Open::state_of(open);
    depth_ = Open::depth_of(open);
    if (!Open::waits(open, tree_.state(state).ended)) return;
    if (Open::goes_down(open)) {
      tree_.take_back(state);
    } else {
      tree_.end(state);
    }
  }

  bool begun() const noexcept { return head_ != nullptr; }
  // Whether there was no room: from then on nothing is recorded or open, and the header says so.
  bool stopped() const noexcept { return stopped_; }
  std::uint64_t depth() const noexcept { return depth_; }
  const Frame& frame(std::uint64_t i) const noexcept { return frames_[i]; }
  const Frame& top() const noexcept { return frames_[depth_ - 1]; }
  std::uint32_t function_of(const Frame& frame) const noexcept { return tree_.state(frame.state).function; }
  const CallTree& tree() const noexcept { return tree_; }
  CallTree& tree() noexcept { return tree_; }

 private:
  bool push(std::uint32_t state, bool attached, std::uint64_t stack, std::uint64_t back, std::uint32_t besides = 0) noexcept {
    if (stopped_) [[unlikely]]
      return false;
    if (!state || (depth_ == frames_.capacity() && !frames_.reserve(depth_ + 1, depth_))) [[unlikely]] {
      stop();
      return false;
    }
    frames_[depth_] = Frame{stack, back, state, (attached && depth_ > 0) | besides << 1};
    ++depth_;
    return true;
  }
  [[gnu::noinline]] std::uint32_t joined(const Frame& frame) noexcept { return tree_.joined(frame.besides(), tree_, frame.state); }
  void stop() noexcept {
    stopped_ = true, depth_ = 0;
    arena_->no_room();
  }
  // What was written before is in the file before it, and what is written next after it.
  void publish(std::uint64_t open) noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    head_->open = open;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  Arena* arena_ = nullptr;
  RecorderHead* head_ = nullptr;
  Pool<Frame> frames_;
  CallTree tree_;
  std::uint64_t depth_ = 0;
  bool stopped_ = false;
};

}  // namespace thriftwood::clarify
