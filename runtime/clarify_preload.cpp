// The library that a recorded or watched native program is started with (LD_PRELOAD). The environment says what is wanted:
//
//   THRIFTWOOD_CLARIFY_DIR    the folder for profile files
//   THRIFTWOOD_CLARIFY_MODE   fc (calls), ctp (call trees), watch (a plan), off
//   THRIFTWOOD_CLARIFY_PLAN   the plan, in mode watch
//
// A process without functions to record writes no file. Nothing is printed, and a program that cannot be recorded runs as ever: whoever started
// it sees that the file is missing.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "entry_hooks.hpp"
#include "runtime.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace thriftwood::clarify {

namespace {

void after_fork() {
  after_fork_of_hooks(true);
  Process& whole = runtime->whole;
  whole.latch.unlock();
  whole.arena.renew();
  runtime->functions.renew();
  runtime->builds.renew();
  whole.free = nullptr, whole.recorders = 0;
  this_thread = nullptr;  // calls that were open are the parent's
  whole.arena.header().threads = 1;
  whole.arena.publish();
}

void on_thread_end(void* rounds) {
  // Destructors of other keys may still run the program's functions: wait for the last round.
  const auto left = reinterpret_cast<std::uintptr_t>(rounds) - 1;
  if (left) {
    pthread_setspecific(runtime->thread_end, reinterpret_cast<void*>(left));
  } else {
    end_thread();
  }
}

// The stack of main may grow to a limit that is raised while it runs; the next 128 MB below it belong to nobody else.
constexpr std::uint64_t room_of_main = std::uint64_t{128} << 20;

void find_stack(std::uint64_t least = 0) {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    const std::uint64_t high = reinterpret_cast<std::uint64_t>(low) + size;
    this_stack = {high - std::max<std::uint64_t>(size, least), high};
  }
  pthread_attr_destroy(&attributes);
}

bool read_orders() {
  std::FILE* const file = std::fopen(runtime->plan.c_str(), "re");
  if (!file) return false;
  std::string text;
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, file)) text.append(piece, n);
  std::fclose(file);
  auto patterns = read_plan(text);
  if (!patterns) return false;
  runtime->patterns = std::move(*patterns);
  return runtime->whole.orders.begin(runtime->patterns);
}

// Reads the plan and makes its counters. False when there is no room for them.
bool begin_plan() {
  Process& whole = runtime->whole;
  if (!read_orders()) {
    whole.arena.header().trouble = Trouble::plan;
    return true;
  }
  const std::size_t lines = runtime->patterns.size();
  whole.counters = static_cast<std::atomic<std::uint64_t>*>(whole.arena.allocate(Kind::counters, 0, lines * 8 + 8, page));
  if (!whole.counters) return false;
  whole.arena.header().lines = static_cast<std::uint32_t>(lines);
  runtime->hot.resize(whole.orders.functions().size()), runtime->cold.resize(runtime->hot.size());
  return true;
}

// Makes the file when there is something to put in.
bool begin_process() {
  Process& whole = runtime->whole;
  if (process) return true;
  if (!whole.arena.create(runtime->folder.c_str(), runtime->mode)) return false;
  whole.mode = runtime->mode;
  whole.arena.header().threads = 1;
  const bool room = whole.mode != Mode::watch || begin_plan();
  whole.arena.publish();  // without room too: its header says why nothing was recorded
  if (!room) return false;
  publish_code();
  pthread_key_create(&runtime->thread_end, on_thread_end);
  pthread_atfork(before_fork_of_hooks, [] { after_fork_of_hooks(false); }, after_fork);
  process = &whole;
  return true;
}

// How often an object was loaded or unloaded so far.
unsigned long long changes_so_far() {
  unsigned long long count = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* data) {
    *static_cast<unsigned long long*>(data) = info->dlpi_adds + info->dlpi_subs;
    return 1;
  };
  ::dl_iterate_phdr(first, &count);
  return count;
}

// Code of libraries that are gone is left alone from now on: something else may lie there.
void forget_unloaded() {
  std::set<std::pair<std::string, std::uint64_t>> present;
  each_loaded([&](ElfObject& object) { present.emplace(object.path, object.base); });
  std::erase_if(runtime->known, [&](const auto& place) { return !present.contains(place); });
  for (Instrumented& one : runtime->objects) {
    if (one.loaded && !present.contains({one.object.path, one.object.base})) forget_code(one);
  }
}

// A new program or library: its functions become what the mode asks for.
void begin_object(ElfObject& object) {
  if (!find_functions(object) || !begin_process() || process->arena.header().trouble != Trouble::none) return;
  if (instrument(runtime->objects.emplace_back(std::move(object)))) {
    runtime->sleds_written = true;
  } else {
    runtime->objects.pop_back();
    if (process->arena.header().trouble == Trouble::none) process->arena.header().trouble = Trouble::reaching;
  }
}

// Programs and libraries that came and went since the last look. One thread looks at a time; what it does may lead here again.
void look_for_objects() {
  static std::atomic<bool> looking{false};
  const unsigned long long count = changes_so_far();
  if (count == runtime->changes || looking.exchange(true)) return;
  runtime->changes = count;
  forget_unloaded();
  each_loaded([](ElfObject& object) {
    if (object.path.empty()) return;
    bool met = !runtime->known.emplace(object.path, object.base).second;
    for (Instrumented& one : runtime->objects) {
      if (one.object.path != object.path || one.object.base != object.base) continue;
      if (bring_back(one, object)) return;
      met = false;  // another build of it
    }
    if (!met) begin_object(object);
  });
  looking = false;
}

Mode mode_of(const char* text) {
  const std::string_view mode = text ? text : "";
  return mode == "fc" ? Mode::counts : mode == "ctp" ? Mode::trees : mode == "watch" ? Mode::watch : Mode::off;
}

// Runs before any constructor of the program or its libraries (the library is linked with -z initfirst), when libc does not know
// the environment yet; so it is the one that the loader hands over.
__attribute__((constructor)) void start(int, char**, char** environment) {
  const auto value = [&](std::string_view name) -> const char* {
    for (char** entry = environment; entry && *entry; ++entry) {
      const std::string_view text = *entry;
      if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=') return *entry + name.size() + 1;
    }
    return nullptr;
  };
  const Mode mode = mode_of(value("THRIFTWOOD_CLARIFY_MODE"));
  const char* const folder = value("THRIFTWOOD_CLARIFY_DIR");
  const char* const plan = value("THRIFTWOOD_CLARIFY_PLAN");
  if (mode == Mode::off || !folder || (mode == Mode::watch && !plan)) return;
  runtime = new Runtime;
  runtime->mode = mode;
  runtime->folder = folder;
  if (plan) runtime->plan = plan;
  find_stack(room_of_main);
  look_for_objects();
}

// The child of a vfork ends in its parent's memory, which goes on.
void mark_exit() {
  if (!process) return;
  Header& header = process->arena.header();
  if (header.pid == static_cast<std::uint64_t>(quiet_call(SYS_getpid))) header.exited = 1;
}

__attribute__((destructor)) void stop() { mark_exit(); }

// ---- threads ----

// A function of pthread_create returns a pointer, one of C11's thrd_create a number.
template <class Result>
using Body = Result (*)(void*);

template <class Result>
struct Beginning {
  Body<Result> function;
  void* argument;
};

template <class Result>
Result begin(void* argument) {
  const auto beginning = *static_cast<Beginning<Result>*>(argument);
  delete static_cast<Beginning<Result>*>(argument);
  find_stack();
  std::atomic_ref<std::uint32_t>(process->arena.header().threads).fetch_add(1);
  pthread_setspecific(runtime->thread_end, reinterpret_cast<void*>(std::uintptr_t{PTHREAD_DESTRUCTOR_ITERATIONS}));
  return beginning.function(beginning.argument);
}

// Starts a thread by `create`, which is given the function and its argument.
template <class Result, class Create>
int create_thread(Body<Result> function, void* argument, Create&& create) {
  if (runtime) look_for_objects();
  if (!process) return create(function, argument);
  if (!runtime->threaded) {
    runtime->threaded = true;  // nobody else is running yet
    for (const Instrumented& one : runtime->objects) {
      if (one.loaded && !one.sleds.write(true)) process->arena.header().trouble = Trouble::reaching;
    }
  }
  auto* const beginning = new Beginning<Result>{function, argument};
  const int outcome = create(begin<Result>, static_cast<void*>(beginning));
  if (outcome != 0) delete beginning;
  return outcome;
}

}  // namespace

bool begin_hooked_process() {
  if (!runtime || runtime->sleds_written) return false;
  return begin_process() && process->arena.header().trouble == Trouble::none;
}

std::uint32_t add_function(const std::string& name) { return runtime->functions.add(name); }
void add_build(const std::string& build) { runtime->builds.add(build); }

}  // namespace thriftwood::clarify

using namespace thriftwood::clarify;

EXPORTED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, Body<void*>, void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create_thread<void*>(function, argument, [&](Body<void*> body, void* handed) { return real(thread, attributes, body, handed); });
}

// Not declared by <threads.h>, which older systems do not have.
EXPORTED int thrd_create(pthread_t* thread, int (*function)(void*), void* argument) {
  using Create = int (*)(pthread_t*, Body<int>, void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "thrd_create"));
  return create_thread<int>(function, argument, [&](Body<int> body, void* handed) { return real(thread, body, handed); });
}

// A library that the program loads while it runs is asked for its functions by dlsym: the moment to look at it. The real dlsym goes by who
// calls it, so it is gone to with the caller's return address on the stack and not called.
extern "C" __attribute__((used)) void* thriftwood_clarify_dlsym() {
  static void* const real = [] {
    void* const found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    return found ? found : dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  }();
  if (runtime) look_for_objects();
  return real;
}
asm(R"(
    .pushsection .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    pushq %rdi
    pushq %rsi
    subq $8, %rsp
    call thriftwood_clarify_dlsym
    addq $8, %rsp
    popq %rsi
    popq %rdi
    jmp *%rax
    .size dlsym, . - dlsym
    .popsection
)");

// Ends that pass by destructors but are orderly.
EXPORTED [[noreturn]] void _exit(int status) {
  mark_exit();
  for (;;) ::syscall(SYS_exit_group, status);
}
EXPORTED [[noreturn]] void _Exit(int status) { _exit(status); }
