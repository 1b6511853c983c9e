// What a recorded Python process keeps: its profile file, the numbers of its functions, and a recorder for every thread.
//
// Everything here happens with Python's lock held, so callers take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clarify/arena.hpp"
#include "clarify/recorder.hpp"
#include "clarify/texts.hpp"

namespace thriftwood::clarify::python {

class Session {
 public:
  // False when the folder takes no file.
  bool begin(const char* folder, Mode mode);
  bool active() { return arena_.open(); }
  Mode mode() { return arena_.header().mode; }

  // The number of a function; equal names have one. Texts::none when the file cannot grow.
  std::uint32_t number(const std::string& name);
  // Where the calls of a function are counted; where nobody reads when the file cannot grow.
  std::uint64_t* counter(std::uint32_t function);
  // One counter per line of a plan.
  std::uint64_t* lines(std::uint32_t count);
  // What a file of source code was like; asked for once per file.
  bool has_build(std::string_view path) const { return builds_seen_.contains(std::string(path)); }
  void add_build(std::string_view path, std::string_view identity);

  // Of the calling thread; nullptr when there is no room for one.
  Recorder* recorder() {
    if (seat.era == era_) [[likely]]
      return seat.recorder;
    return take_seat();
  }
  // Counted up when everything that was open belongs to the past: a forked child begins with nothing open.
  std::uint64_t era() const { return era_; }
  void forked();
  void end();

 private:
  struct Seat {
    Recorder* recorder;
    std::uint64_t era;
  };
  // The model costs a few instructions where the usual one calls a function; 16 bytes fit the room that is kept for such libraries.
  static thread_local Seat seat __attribute__((tls_model("initial-exec")));
  static constexpr std::uint32_t counters_in_block = 512;

  Recorder* take_seat();
  friend struct Leaver;

  Arena arena_;
  std::unique_ptr<Texts> functions_, builds_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::string, bool> builds_seen_;
  std::vector<std::uint64_t*> counters_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
  std::vector<Recorder*> free_;  // of threads that have ended
  std::uint64_t era_ = 1;
  std::uint64_t spilled_ = 0;
};

extern Session& session;

}  // namespace thriftwood::clarify::python
