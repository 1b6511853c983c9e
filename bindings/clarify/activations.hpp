// Activations of Python functions in a thread's recorder, generators and coroutines among them.
//
//   start      a function's body begins; of a generator at its first resumption, not when the generator is made
//   stretch    what a generator does between a resumption and the next suspension
//   starter    the activation that a generator was first resumed by: the generator is its child, and nobody else's. What the generator
//              calls while its starter runs it is seen in the starter's call tree; what it calls when others resume it is not
//
// A generator is one activation from start to end, with the children of all its stretches. While it is suspended it is counted as if it
// had ended, so that a process killed meanwhile, or a generator that nobody resumes, leaves the right counts.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "session.hpp"

namespace thriftwood::clarify::python {

class Activations {
 public:
  // Both give the number of the activation that is open now, for `close`. `place` tells frames apart; `attached`: the caller is the
  // activation on top.
  std::uint64_t open(Recorder& recorder, std::uint32_t function, bool attached, const void* place) noexcept {
    const std::uint64_t serial = ++serials_;
    recorder.enter(function, attached, serial, at(place));
    return serial;
  }
  void close(std::uint64_t serial) noexcept {
    Recorder* const recorder = session.recorder();  // asked again: it is another one in a forked child
    if (recorder && recorder->depth() && recorder->top().stack == serial) [[likely]] {
      recorder->leave();
    } else if (recorder) {
      close_late(*recorder, serial);
    }
  }
  static bool on_top(const Recorder& recorder, const void* place) noexcept { return recorder.depth() && recorder.top().back == at(place); }

  // The first stretch of a generator: as `open`, and its starter is remembered.
  std::uint64_t start(Recorder& recorder, std::uint32_t function, bool attached, const void* place) {
    forget_others();
    const std::uint64_t starter = attached && recorder.depth() ? recorder.top().stack : 0;
    generators_[place] = {nullptr, 0, 0, starter, false};
    return open(recorder, function, attached, place);
  }
  // A later one. 0 when its start was not seen.
  std::uint64_t resume(Recorder& recorder, bool attached, const void* place) {
    forget_others();
    const auto found = generators_.find(place);
    if (found == generators_.end() || !found->second.home) return 0;
    Generator& generator = found->second;
    if (generator.home != &recorder) move(generator, recorder);
    const bool by_starter = attached && recorder.depth() && recorder.top().stack == generator.starter;
    const std::uint64_t serial = generator.serial;
    generator.apart = by_starter && generator.shown != generator.whole;
    // The starter must not see what was called when others resumed it: apart, it goes on from what was shown.
    recorder.resume(generator.apart ? generator.shown : generator.whole, generator.whole, by_starter, serial, at(place));
    generator.shown_now = by_starter;
    return serial;
  }
  // Whether this is the frame of a generator that was begun and is suspended.
  bool is_suspended(const void* place) const {
    const auto found = generators_.find(place);
    return generators_era_ == session.era() && found != generators_.end() && found->second.home;
  }
  // The end of a stretch. `place` may be that of another frame soon once the generator has ended.
  void suspend(std::uint64_t serial, const void* place, bool ended) {
    Recorder* const recorder = session.recorder();
    const auto found = generators_.find(place);
    if (!recorder || found == generators_.end() || generators_era_ != session.era()) return;
    Generator& generator = found->second;
    if (!recorder->depth() || recorder->top().stack != serial) {
      close_late(*recorder, serial);
      generators_.erase(found);
      return;
    }
    const std::uint32_t state = recorder->top().state;
    generator.whole = recorder->ending();
    if (!generator.home || generator.shown_now) generator.shown = state;
    recorder->leave();
    generator.home = recorder;
    generator.serial = serial;
    if (ended) generators_.erase(found);
  }

 private:
  struct Generator {
    Recorder* home;  // whose states `whole` and `shown` are; none in the first stretch
    std::uint32_t whole, shown;  // with the children of all stretches; of those its starter ran
    std::uint64_t starter;
    bool apart;
    bool shown_now = true;
    std::uint64_t serial = 0;
  };
  static std::uint64_t at(const void* place) noexcept { return reinterpret_cast<std::uint64_t>(place); }

  // Frames that ended unseen lie above: end them too. Unknown numbers are of frames that began before a fork.
  static void close_late(Recorder& recorder, std::uint64_t serial) noexcept {
    for (std::uint64_t i = recorder.depth(); i-- > 0;) {
      if (recorder.frame(i).stack != serial) continue;
      while (recorder.depth() > i && !recorder.stopped()) recorder.leave();
      return;
    }
  }
  // A generator goes on in another thread, whose states have other numbers. Killed in between, it is counted in both.
  static void move(Generator& generator, Recorder& recorder) noexcept {
    const CallTree& from = generator.home->tree();
    CallTree& to = recorder.tree();
    const std::uint32_t root = to.root(from.state(generator.whole).function);
    const std::uint32_t whole = to.joined(root, from, generator.whole), shown = to.joined(root, from, generator.shown);
    recorder.count(whole);
    generator.home->take_back(generator.whole);
    generator.home = &recorder, generator.whole = whole, generator.shown = shown;
  }
  void forget_others() {
    if (generators_era_ == session.era()) return;
    generators_.clear();
    generators_era_ = session.era();
  }

  std::uint64_t serials_ = 0;
  std::unordered_map<const void*, Generator> generators_;
  std::uint64_t generators_era_ = 0;
};

extern Activations& activations;

}  // namespace thriftwood::clarify::python
