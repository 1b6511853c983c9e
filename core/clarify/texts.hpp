// Texts in the arena, numbered in the order they came: names of functions, builds of binaries.
#pragma once

#include <string_view>

#include "arena.hpp"

namespace thriftwood::clarify {

// Callers take turns (start-up of a process, or Python's own lock).
class Texts {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  Texts(Arena& arena, Kind kind) noexcept : arena_(arena), kind_(kind) {}

  // The number of the new text; `none` when the file cannot grow.
  std::uint32_t add(std::string_view text) noexcept {
    const std::uint64_t bytes = sizeof(std::uint32_t) + text.size();
    if (!chunk_ || used_ + bytes > room_) {
      room_ = bytes > usual_room ? bytes : usual_room;
      chunk_ = static_cast<Chunk*>(arena_.allocate(kind_, count_, sizeof(Chunk) + room_));
      used_ = 0;
      if (!chunk_) return none;
    }
    char* const at = reinterpret_cast<char*>(chunk_ + 1) + used_;
    const auto length = static_cast<std::uint32_t>(text.size());
    detail::copy_bytes(at, &length, sizeof length);
    detail::copy_bytes(at + sizeof length, text.data(), text.size());
    std::atomic_signal_fence(std::memory_order_seq_cst);
    chunk_->used = used_ += bytes;
    return count_++;
  }
  // In a forked child, after its arena: texts that the parent has added since do not count.
  void renew() noexcept {
    if (chunk_) chunk_->used = used_;
  }
  std::uint32_t size() const noexcept { return count_; }

 private:
  // Followed by texts, each with its length before it; `used` bytes of them are complete.
  struct Chunk {
    std::uint64_t used;
  };
  static constexpr std::uint64_t usual_room = 16 * 1024 - sizeof(Chunk) - sizeof(Block);

  Arena& arena_;
  Kind kind_;
  Chunk* chunk_ = nullptr;
  std::uint64_t room_ = 0, used_ = 0;  // of the chunk
  std::uint32_t count_ = 0;
};

}  // namespace thriftwood::clarify
