// What one thread is doing: its open activations and the call tree that the ended ones are counted in. Both lie in the file.
//
//   frame     an open activation
//   attached  a frame whose caller is the frame below it. Of a function that was called from elsewhere (from code that is not recorded)
//             the caller is not known: it is nobody's child, so that watching a few functions later sees the same children.
//
// A reader ends the open frames from the top down, as returning would have done.
#pragma once

#include "arena.hpp"
#include "call_tree.hpp"

namespace thriftwood::clarify {

struct Frame {
  std::uint64_t stack;  // where the return address lies, for callers that have no way of seeing a function leave
  std::uint64_t back;   // the return address
  std::uint32_t state;
  std::uint32_t attached;
};
static_assert(sizeof(Frame) == 24);

struct RecorderHead {
  std::uint64_t depth;   // open frames
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
    stopped_ = !tree_.begin(arena, number, head_->tree) || !frames_.reserve(1, 0);
    return !stopped_;
  }

  // `attached`: the activation on top called it.
  void enter(std::uint32_t function, bool attached = true, std::uint64_t stack = 0, std::uint64_t back = 0) noexcept {
    push(tree_.root(function), attached, stack, back);
  }
  // An activation that left in `state` goes on, as generators do. Left, it was counted as if it had ended.
  void resume(std::uint32_t state, bool attached, std::uint64_t stack = 0, std::uint64_t back = 0) noexcept {
    push(state, attached, stack, back);
    if (!stopped_) tree_.take_back(state);
  }
  // The activation on top ended. Nothing happens when none is open.
  void leave() noexcept {
    if (stopped_ || head_->depth == 0) [[unlikely]] return;
    const std::uint64_t top = head_->depth - 1;
    const std::uint32_t state = frames_[top].state;
    if (frames_[top].attached) [[likely]] {
      const std::uint32_t next = tree_.step(frames_[top - 1].state, state);
      if (!next) [[unlikely]] {
        stopped_ = true;
        return;
      }
      frames_[top - 1].state = next;
    }
    head_->depth = top;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    tree_.end(state);
  }
  void leave_all() noexcept {
    while (!stopped_ && head_->depth > 0) leave();
  }

  // Whether the file could not grow: from then on nothing is recorded, and the header says so.
  bool stopped() const noexcept { return stopped_; }
  std::uint64_t depth() const noexcept { return head_->depth; }
  const Frame& frame(std::uint64_t i) const noexcept { return frames_[i]; }
  const Frame& top() const noexcept { return frames_[head_->depth - 1]; }
  std::uint32_t function_of(const Frame& frame) const noexcept { return tree_.state(frame.state).function; }
  const CallTree& tree() const noexcept { return tree_; }
  CallTree& tree() noexcept { return tree_; }

 private:
  void push(std::uint32_t state, bool attached, std::uint64_t stack, std::uint64_t back) noexcept {
    const std::uint64_t depth = head_->depth;
    if (stopped_ || !state || (depth == frames_.capacity() && !frames_.reserve(depth + 1, depth))) [[unlikely]] {
      stopped_ = true;
      return;
    }
    frames_[depth] = Frame{stack, back, state, attached && depth > 0};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    head_->depth = depth + 1;
  }

  RecorderHead* head_ = nullptr;
  Pool<Frame> frames_;
  CallTree tree_;
  bool stopped_ = false;
};

}  // namespace thriftwood::clarify
