// What happens when a watched or recorded function begins. Reached from a thunk in the middle of the program's code, so this file is
// compiled to use general registers only: the vector registers hold the program's arguments.
//
// Nothing tells when a function ends. A frame is known to be over when the stack has been unwound past it (by return, exception or
// longjmp): its return address lies at or below that of the function that begins now, or is no longer there.
//
// Below a caller that takes room on the stack as it runs (alloca, arrays of any size), return addresses of calls that are over may lie
// untouched. Such a caller goes by rbp, which tells its own return address: what began below it before this call is over.
//
// Who called is told from the return address less one: behind a call that never returns, another function may begin.
#include "process.hpp"

#include <new>

namespace thriftwood::clarify {

Process* process = nullptr;
__thread Thread* this_thread = nullptr;
__thread Extent this_stack;

Thread* begin_thread() noexcept {
  const SignalsWait wait;
  Process& whole = *process;
  whole.latch.lock();
  Thread* thread = whole.free;
  if (thread) whole.free = thread->next_free;
  const std::uint32_t number = thread ? 0 : whole.recorders++;
  whole.latch.unlock();
  if (!thread) {
    const long at = quiet_call(SYS_mmap, nullptr, round_up(sizeof(Thread), page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    if (detail::failed(at)) {
      whole.arena.no_room();
      return nullptr;
    }
    thread = new (reinterpret_cast<void*>(at)) Thread;
    if (whole.mode == Mode::trees && !thread->recorder.begin(whole.arena, number)) return nullptr;
    if (whole.mode == Mode::watch) thread->watcher.begin(whole.orders, whole.counters, whole.arena);
  }
  thread->stack = this_stack;
  thread->busy_at = 0;
  return this_thread = thread;
}

void end_thread() noexcept {
  const SignalsWait wait;
  Thread* const thread = this_thread;
  if (!thread) return;
  this_thread = nullptr;
  if (process->mode == Mode::trees) thread->recorder.leave_all();
  thread->watcher.leave_all();
  process->latch.lock();
  thread->next_free = process->free;
  process->free = thread;
  process->latch.unlock();
}

namespace {

template <class Frames>
[[gnu::always_inline]] inline void leave_ended(Frames& frames, std::uint64_t stack) noexcept {
  while (frames.depth() > 0) {
    const auto& top = frames.top();
    if (top.stack > stack && *reinterpret_cast<const std::uint64_t*>(top.stack) == top.back) return;
    frames.leave();
  }
}

template <class Frames, class NumberOf>
[[gnu::always_inline]] inline void leave_to_base(Frames& frames, std::uint64_t base, std::uint64_t call, const CodeMap& code,
                                                 NumberOf&& number_of) noexcept {
  const std::uint64_t own = base + 8;  // where a function that goes by rbp has its return address
  if (frames.depth() == 0 || base % 16 != 0 || own <= frames.top().stack || own > frames.frame(0).stack) [[likely]]
    return;
  std::uint64_t low = 0, high = frames.depth() - 1;  // outer frames lie higher on the stack
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (frames.frame(middle).stack > own) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (frames.frame(low).stack != own || !code.has(number_of(frames.frame(low)), call)) return;
  while (frames.depth() > low + 1) frames.leave();
}

// The call came from another function than the one on top. If that is an open one, what lies above it has ended.
[[gnu::noinline]] bool leave_to_caller(Recorder& recorder, std::uint32_t caller) noexcept {
  if (caller == nobody) return false;
  std::uint64_t at = recorder.depth();
  while (at > 0 && recorder.function_of(recorder.frame(at - 1)) != caller) --at;
  if (at == 0) return false;
  while (recorder.depth() > at) recorder.leave();
  return true;
}

}  // namespace
}  // namespace thriftwood::clarify

using namespace thriftwood::clarify;

extern "C" void thriftwood_clarify_tree(std::uint32_t function, const std::uint64_t* slot, std::uint64_t base) noexcept {
  Thread* thread = this_thread;
  if (!thread && !(thread = begin_thread())) [[unlikely]]
    return;
  const auto stack = reinterpret_cast<std::uint64_t>(slot);
  const Busy busy(*thread, stack);
  if (!busy) [[unlikely]]
    return;
  Recorder& recorder = thread->recorder;
  if (!thread->owns(stack)) [[unlikely]] {
    // On a stack of its own (a signal handler's, a coroutine's), where comparing addresses says nothing: it counts, alone.
    recorder.enter(function, false);
    recorder.leave();
    return;
  }
  leave_ended(recorder, stack);
  const std::uint64_t back = *slot;
  const CodeMap& code = *process->code.load(std::memory_order_relaxed);
  const std::uint64_t call = back - 1;
  leave_to_base(recorder, base, call, code, [&](const Frame& frame) { return recorder.function_of(frame); });
  const bool attached =
      recorder.depth() > 0 && (code.has(recorder.function_of(recorder.top()), call) || leave_to_caller(recorder, code.function_at(call)));
  recorder.enter(function, attached, stack, back);
}

extern "C" void thriftwood_clarify_watch(std::uint32_t function, const std::uint64_t* slot, std::uint64_t base) noexcept {
  const std::uint64_t back = *slot;
  const CodeMap& code = *process->code.load(std::memory_order_relaxed);
  const auto called_by = [&](std::uint32_t parent) { return code.has(parent, back - 1); };
  if (!process->orders[function].concerned(called_by)) return;
  Thread* thread = this_thread;
  if (!thread && !(thread = begin_thread())) [[unlikely]]
    return;
  const auto stack = reinterpret_cast<std::uint64_t>(slot);
  const Busy busy(*thread, stack);
  if (!busy) [[unlikely]]
    return;
  if (!thread->owns(stack)) [[unlikely]] {
    thread->watcher.enter_alone(function);
    return;
  }
  leave_ended(thread->watcher, stack);
  leave_to_base(thread->watcher, base, back - 1, code, [](const Watcher::Frame& frame) { return frame.function; });
  thread->watcher.enter(function, stack, back, called_by);
}
