// What start-up knows and the interposed functions of clarify_preload.cpp need: which objects have functions to record, and what was
// made of them.
#pragma once

#include <pthread.h>

#include <list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clarify/texts.hpp"
#include "elf_object.hpp"
#include "process.hpp"
#include "sleds.hpp"

namespace thriftwood::clarify {

// A program or library with sleds and what they became. One that was unloaded stays here: loaded again in its place, it counts on.
struct Instrumented {
  explicit Instrumented(ElfObject&& found) : object(std::move(found)), sleds(object) {}
  Instrumented(const Instrumented&) = delete;
  Instrumented& operator=(const Instrumented&) = delete;

  ElfObject object;
  Sleds sleds;
  std::vector<std::uint32_t> numbers;  // of its functions, where the code map has them; otherwise none
  bool loaded = true;
};

// Everything that start-up needs and the program's end must not destroy: threads may outlive main.
struct Runtime {
  Process whole;
  std::string folder, plan;
  Mode mode = Mode::off;
  bool sleds_written = false, threaded = false;
  std::list<Instrumented> objects;
  std::vector<Extent> hot, cold;  // by function
  std::set<std::pair<std::string, std::uint64_t>> known;  // objects looked at, and where they were
  unsigned long long changes = 0;  // objects ever loaded and unloaded, at the last look
  Texts functions{whole.arena, Kind::functions}, builds{whole.arena, Kind::builds};
  std::vector<Pattern> patterns;  // the plan
  pthread_key_t thread_end{};
};

extern Runtime* runtime;  // nullptr: nothing is to be recorded

// Makes the code of the functions known to all threads.
void publish_code();
// Turns the functions of an object into what the mode asks for. False when there is no room for it.
bool instrument(Instrumented& whole);
// It was unloaded: its code belongs to nobody.
void forget_code(Instrumented& whole);
// `found` lies in its place: the same as ever, or loaded again and to be written again. False when it is another build.
bool bring_back(Instrumented& whole, const ElfObject& found);

}  // namespace thriftwood::clarify
