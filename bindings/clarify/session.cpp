#include "session.hpp"

#include <mutex>

namespace thriftwood::clarify::python {

Session& session = *new Session;  // threads may outlast the end of main
thread_local Session::Seat Session::seat{nullptr, 0};

// Threads end without Python's lock, so the list they leave their recorder on has its own.
static Latch leaving;

// Hands the recorder on when its thread ends: a program of a thousand short threads needs a few recorders.
struct Leaver {
  Recorder* recorder = nullptr;
  std::uint64_t era = 0;
  ~Leaver() {
    const std::lock_guard lock(leaving);
    if (recorder && era == session.era_) session.free_.push_back(recorder);
  }
};

bool Session::begin(const char* folder, Mode mode) {
  if (!arena_.create(folder, mode)) return false;
  functions_ = std::make_unique<Texts>(arena_, Kind::functions);
  builds_ = std::make_unique<Texts>(arena_, Kind::builds);
  arena_.header().threads = mode == Mode::trees ? 0 : 1;  // counters do not ask who counts
  if (mode != Mode::watch) arena_.publish();  // otherwise once it has its lines
  return true;
}

std::uint32_t Session::number(const std::string& name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  const std::uint32_t number = functions_->add(name);
  if (number != Texts::none) numbers_.emplace(name, number);
  return number;
}

std::uint64_t* Session::counter(std::uint32_t function) {
  while (function != Texts::none && function / counters_in_block >= counters_.size()) {
    const auto first = static_cast<std::uint32_t>(counters_.size()) * counters_in_block;
    auto* block = static_cast<std::uint64_t*>(arena_.allocate(Kind::counters, first, counters_in_block * sizeof(std::uint64_t), 64));
    if (!block) return &spilled_;
    counters_.push_back(block);
  }
  if (function == Texts::none) return &spilled_;
  return counters_[function / counters_in_block] + function % counters_in_block;
}

std::uint64_t* Session::lines(std::uint32_t count) {
  auto* block = static_cast<std::uint64_t*>(arena_.allocate(Kind::counters, 0, count * sizeof(std::uint64_t), 64));
  if (block) arena_.header().lines = count;
  arena_.publish();
  return block;
}

void Session::add_build(std::string_view path, std::string_view identity) {
  builds_seen_.emplace(path, true);
  if (identity.empty()) return;
  std::string text(path);
  text += '\t';
  text += identity;
  builds_->add(text);
}

Recorder* Session::take_seat() {
  static thread_local Leaver leaver;
  Recorder* recorder = nullptr;
  {
    const std::lock_guard lock(leaving);
    if (!free_.empty()) {
      recorder = free_.back();
      free_.pop_back();
    }
  }
  if (!recorder) {
    auto fresh = std::make_unique<Recorder>();
    if (fresh->begin(arena_, static_cast<std::uint32_t>(recorders_.size()))) {
      recorder = fresh.get();
      recorders_.push_back(std::move(fresh));
    }
  }
  if (recorder) ++arena_.header().threads;
  leaver.recorder = recorder;
  leaver.era = era_;
  seat = {recorder, era_};
  return recorder;
}

void Session::forked() {
  if (!active()) return;
  leaving.unlock();  // its holder may not have come along; forking itself happens outside of it
  const Mode mode = this->mode();
  arena_.renew();
  functions_->renew();
  builds_->renew();
  arena_.header().threads = mode == Mode::trees ? 0 : 1;
  arena_.publish();
  recorders_.clear();
  free_.clear();
  ++era_;
}

void Session::end() {
  if (active()) arena_.header().exited = 1;
}

}  // namespace thriftwood::clarify::python
