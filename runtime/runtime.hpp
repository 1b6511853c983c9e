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

// Everything that start-up needs and the program's end must not destroy: threads may outlive main.
struct Runtime {
  Process whole;
  std::string folder, plan;
  Mode mode = Mode::off;
  bool sleds_written = false, threaded = false;
  std::list<ElfObject> objects;  // with sleds
  std::vector<Sleds> sleds;
  std::vector<Range> hot, cold;  // by function
  std::set<std::pair<std::string, std::uint64_t>> known;  // objects looked at, and where they were
  unsigned long long loaded = 0;
  Texts functions{whole.arena, Kind::functions}, builds{whole.arena, Kind::builds};
  std::vector<Pattern> patterns;  // the plan
  pthread_key_t thread_end{};
};

extern Runtime* runtime;  // nullptr: nothing is to be recorded

// Makes the code of the functions known to all threads.
void publish_code();
// Turns the functions of an object into what the mode asks for. False when there is no room for it.
bool instrument(ElfObject& object);

}  // namespace thriftwood::clarify
