#include "entry_hooks.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "elf_object.hpp"
#include "process.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace thriftwood::clarify {

namespace {

constexpr std::uint32_t counters_in_block = 4096;

// Names, numbers and counters of the functions met so far; for all threads, behind a lock. Each thread remembers the numbers it asked for.
class Directory {
 public:
  // The number of the function at this address, in watch mode the plan's; `nobody`: not to be recorded.
  std::uint32_t number_of(std::uint64_t address) {
    const std::lock_guard lock(guard_);
    const auto known = numbers_.find(address);
    if (known != numbers_.end()) return known->second;
    const std::string name = name_of(address);
    std::uint32_t number = nobody;
    if (process->mode == Mode::watch) {
      number = process->orders.find(name);
    } else if (!name.empty()) {
      number = add_function(name);
      if (process->mode == Mode::counts && !add_counter(number)) number = nobody;
    }
    return numbers_[address] = number;
  }
  void before_fork() { guard_.lock(); }
  void after_fork(bool child) {
    if (child) {
      new (&guard_) std::recursive_mutex;  // its owner has another number in the child
    } else {
      guard_.unlock();
    }
  }
  std::atomic<std::uint64_t>& counter(std::uint32_t number) const { return blocks_[number / counters_in_block][number % counters_in_block]; }

 private:
  struct Loaded {
    ElfObject object;
    std::unique_ptr<Symbols> symbols;
  };
  // Room for as many blocks as there can be: other threads read it while one is added.
  static constexpr std::uint32_t most_blocks = 1024;

  std::string name_of(std::uint64_t address) {
    Loaded* found = find(address);
    if (!found) {
      loaded_.clear();
      each_loaded([&](ElfObject& object) { loaded_.push_back({std::move(object), nullptr}); });
      found = find(address);
    }
    if (!found) return {};
    if (!found->symbols) {
      found->symbols = std::make_unique<Symbols>(found->object);
      add_build(found->object.basename + "\t" + found->object.build);
      add_planned(*found->symbols);
    }
    return found->symbols->name_at(address);
  }
  // The functions of the plan that a binary has, called or not: a reader must know that a count of 0 was watched for.
  static void add_planned(const Symbols& symbols) {
    if (process->mode != Mode::watch) return;
    for (const WatchedFunction& function : process->orders.functions()) {
      if (symbols.has(function.name)) add_function(function.name);
    }
  }
  Loaded* find(std::uint64_t address) {
    for (Loaded& one : loaded_) {
      if (address >= one.object.low && address < one.object.high) return &one;
    }
    return nullptr;
  }
  bool add_counter(std::uint32_t number) {
    const std::uint32_t block = number / counters_in_block;
    if (block >= most_blocks) return false;
    if (blocks_[block]) return true;
    void* const made = process->arena.allocate(Kind::counters, block * counters_in_block, counters_in_block * 8, page);
    return (blocks_[block] = static_cast<std::atomic<std::uint64_t>*>(made)) != nullptr;
  }

  std::recursive_mutex guard_;  // a signal handler may fork while its own thread is in here
  std::vector<Loaded> loaded_;
  std::map<std::uint64_t, std::uint32_t> numbers_;
  std::atomic<std::uint64_t>* blocks_[most_blocks]{};
};

// Stays when the program ends: its last functions may still come here.
Directory& directory() {
  static auto* const all = new Directory;
  return *all;
}

// The calling thread, ready to record; nullptr when nothing is to be recorded.
Thread* recording_thread() {
  static std::atomic<bool> refused{false};
  if (this_thread) return this_thread;
  if (refused) return nullptr;
  const SignalsWait wait;  // a handler must not come here while its thread decides
  static const bool recording = (directory(), begin_hooked_process());
  if (recording) return begin_thread();
  refused = true;
  return nullptr;
}

std::uint32_t number_of(Thread& thread, void* function) {
  const auto address = reinterpret_cast<std::uint64_t>(function);
  if (const std::uint32_t known = thread.numbers.find(address)) return known == nobody ? nobody : known - 1;
  const std::uint32_t number = directory().number_of(address);
  thread.numbers.insert(address, number == nobody ? nobody : number + 1);
  return number;
}

// A longjmp passes by the hooks of the functions it leaves: their frames lie below the one that begins. Functions that were inlined into
// each other share a frame, so only what lies truly below is over.
template <class Frames>
void leave_below(Frames& frames, std::uint64_t stack) {
  while (frames.depth() > 0 && frames.top().stack < stack) frames.leave();
}

// The function that ends is the innermost open one of its number; a longjmp may have left others above it.
template <class Frames, class NumberOf>
void leave_function(Frames& frames, std::uint32_t number, std::uint64_t stack, NumberOf&& number_of_frame) {
  leave_below(frames, stack);
  if (frames.depth() > 0 && number_of_frame(frames.top()) == number) frames.leave();
}

}  // namespace

void before_fork_of_hooks() { directory().before_fork(); }
void after_fork_of_hooks(bool child) { directory().after_fork(child); }

}  // namespace thriftwood::clarify

using namespace thriftwood::clarify;

// `stack` is where the function's own frame ends, as the hook is called from it.
EXPORTED void __cyg_profile_func_enter(void* function, void*) {
  Thread* const thread = recording_thread();
  if (!thread) return;
  const auto stack = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
  const Busy busy(*thread, stack);
  if (!busy) return;
  const std::uint32_t number = number_of(*thread, function);
  if (process->mode == Mode::watch) {
    // Every function has a frame here, so the caller is the one on top.
    Watcher& watcher = thread->watcher;
    leave_below(watcher, stack);
    const std::uint32_t caller = watcher.depth() > 0 ? watcher.top().function : nobody;
    watcher.enter_each(number, stack, [&](std::uint32_t parent) { return parent == caller; });
  } else if (number == nobody) {
    return;
  } else if (process->mode == Mode::counts) {
    directory().counter(number).fetch_add(1, std::memory_order_relaxed);
  } else {
    leave_below(thread->recorder, stack);
    thread->recorder.enter(number, true, stack);
  }
}

EXPORTED void __cyg_profile_func_exit(void* function, void*) {
  Thread* const thread = this_thread;
  if (!thread || process->mode == Mode::counts) return;
  const auto stack = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
  const Busy busy(*thread, stack);
  if (!busy) return;
  const std::uint32_t number = number_of(*thread, function);
  if (process->mode == Mode::watch) {
    leave_function(thread->watcher, number, stack, [](const Watcher::Frame& frame) { return frame.function; });
  } else {
    Recorder& recorder = thread->recorder;
    leave_function(recorder, number, stack, [&](const Frame& frame) { return recorder.function_of(frame); });
  }
}
