// What the parts of the preloaded library share: one recorded process and its threads.
#pragma once

#include <atomic>
#include <csignal>

#include "clarify/arena.hpp"
#include "clarify/recorder.hpp"
#include "clarify/watcher.hpp"
#include "extent.hpp"

namespace thriftwood::clarify {

// Where the code of functions lies. Made anew when a library is loaded; threads may still look at the one before.
struct CodeMap {
  struct Part {
    Extent code;
    std::uint32_t function;
  };
  const Part* parts;  // by address
  std::uint64_t size;
  const Extent* hot;   // by function
  const Extent* cold;

  bool has(std::uint32_t function, std::uint64_t address) const noexcept { return hot[function].has(address) || cold[function].has(address); }
  // Whose code an address belongs to; `nobody` for code that is not recorded.
  std::uint32_t function_at(std::uint64_t address) const noexcept {
    std::uint64_t low = 0, high = size;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (parts[middle].code.end <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < size && parts[low].code.has(address) ? parts[low].function : nobody;
  }
};

struct Thread {
  Recorder recorder;
  Watcher watcher;
  Extent stack;                // empty where it is not known
  std::uint64_t busy_at = 0;  // stack pointer of the event being recorded; 0: none
  detail::Lookup<std::uint64_t, detail::HashStep> numbers;  // address of a function -> its number + 1 (entry_hooks.cpp)
  Thread* next_free = nullptr;

  bool owns(std::uint64_t address) const noexcept { return !stack.end || stack.has(address); }
  // A signal handler jumped out of an event.
  void recover() noexcept {
    if (recorder.begun()) recorder.recover();
  }
};

struct Process {
  Arena arena;
  Mode mode = Mode::off;
  std::atomic<const CodeMap*> code{nullptr};
  Orders orders;
  std::atomic<std::uint64_t>* counters = nullptr;  // of the plan's lines
  Latch latch;                                     // of what follows
  Thread* free = nullptr;                          // recorders of threads that have ended
  std::uint32_t recorders = 0;
};

extern Process* process;  // nullptr: nothing is recorded
extern __thread Thread* this_thread __attribute__((tls_model("initial-exec")));
extern __thread Extent this_stack __attribute__((tls_model("initial-exec")));

// No signal handler runs meanwhile: it could need the latch that its own thread holds.
class SignalsWait {
 public:
  SignalsWait() noexcept {
    const std::uint64_t all = ~std::uint64_t{0};
    quiet_call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, sizeof before_);
  }
  ~SignalsWait() { quiet_call(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  std::uint64_t before_ = 0;
};

// A recorder for the calling thread; nullptr when there is no room.
Thread* begin_thread() noexcept;
// The calling thread is over: what it has open ends, and its recorder is free for another thread.
void end_thread() noexcept;

// Marks a stretch in which the thread's tables change: a signal handler that runs in between is not recorded. One that jumps out of it
// leaves the mark behind, which the next event recognises that a handler could not have come to: it lies on the thread's own stack where
// the mark is on another, or there is no room for a signal's frame between the two (red zone 128, registers 512, context and cause 432).
class Busy {
 public:
  Busy(Thread& thread, std::uint64_t stack) noexcept : thread_(thread), free_(!thread.busy_at || is_left_over(stack)) {
    if (!free_) return;
    if (thread_.busy_at) [[unlikely]]
      thread_.recover();
    thread_.busy_at = stack;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Busy() {
    if (!free_) return;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_.busy_at = 0;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  explicit operator bool() const noexcept { return free_; }

 private:
  bool is_left_over(std::uint64_t stack) const noexcept {
    const bool here = thread_.owns(stack), there = thread_.owns(thread_.busy_at);
    return here == there ? thread_.busy_at <= stack + signal_frame : here;
  }

  static constexpr std::uint64_t signal_frame = 128 + 512 + 432;

  Thread& thread_;
  bool free_;
};

}  // namespace thriftwood::clarify

// Called by the thunk of a sled: `function` begins, its return address lies at `slot`, and `base` is in its caller's register rbp.
extern "C" void thriftwood_clarify_tree(std::uint32_t function, const std::uint64_t* slot, std::uint64_t base) noexcept;
extern "C" void thriftwood_clarify_watch(std::uint32_t function, const std::uint64_t* slot, std::uint64_t base) noexcept;
