// Turning the room at the beginning of a function into what is wanted there.
//
//   sled   8 instructions of one byte that do nothing. To count calls they become `inc counter`; to know who calls whom, a call of the
//          function's stub; where nothing is wanted, one instruction of 8 bytes that does nothing, which costs less.
//   stub   pushes the function's number and goes to the thunk, which saves registers and calls the recording function
//
// Counters and stubs must lie within 2 GB of the code that refers to them: `near` finds a free place.
#pragma once

#include <cstdint>
#include <vector>

#include "clarify/arena.hpp"
#include "elf_object.hpp"

namespace thriftwood::clarify {

using Entered = void (*)(std::uint32_t function, const std::uint64_t* slot, std::uint64_t base) noexcept;

class Sleds {
 public:
  explicit Sleds(const ElfObject& object) : object_(object) {}

  // What a sled becomes when `write` is called.
  void count(std::uint64_t sled, std::uint64_t counter) { writes_.push_back({Content::count, sled, counter}); }
  void call(std::uint64_t sled, std::uint64_t stub) { writes_.push_back({Content::call, sled, stub}); }
  void nothing(std::uint64_t sled) { writes_.push_back({Content::nothing, sled, 0}); }

  // A free place for `bytes` bytes in reach of the object's code; 0 when there is none.
  std::uint64_t near(std::uint64_t bytes) const;
  // Stubs that hand over these numbers, one after the other; the address of each. Empty when there is no place for them.
  std::vector<std::uint64_t> stubs(const std::vector<std::uint32_t>& numbers, Entered entered) const;

  // With `locked`, counters are counted for several threads at once. False when the code cannot be changed, or is none of these sleds.
  bool write(bool locked) const;
  // Whether every place has what `write` puts there: not so in a library that was unloaded and loaded again.
  bool written() const;

 private:
  enum class Content { count, call, nothing };
  struct Write {
    Content content;
    std::uint64_t sled, target;
  };
  static void encode(const Write& write, bool locked, std::uint8_t (&code)[8]);
  static bool holds(const Write& write);
  const ElfObject& object_;
  std::vector<Write> writes_;
};

}  // namespace thriftwood::clarify
