// Turning the room at the beginning of a function into what is wanted there, and back into nothing.
//
//   sled   8 bytes of nop. To count calls they become `inc counter`; to know who calls whom, a call of the function's stub.
//   stub   pushes the function's number and goes to the thunk, which saves registers and calls the recording function
//
// Counters and stubs must lie within 2 GB of the code that refers to them: `near` finds a free place.
#pragma once

#include <cstdint>
#include <vector>

#include "clarify/arena.hpp"
#include "elf_object.hpp"

namespace thriftwood::clarify {

using Entered = void (*)(std::uint32_t function, const std::uint64_t* slot) noexcept;

class Sleds {
 public:
  explicit Sleds(const ElfObject& object) : object_(object) {}

  // What a sled becomes when `write` is called.
  void count(std::uint64_t sled, std::uint64_t counter) { writes_.push_back({sled, counter, true}); }
  void call(std::uint64_t sled, std::uint64_t stub) { writes_.push_back({sled, stub, false}); }

  // A free place for `bytes` bytes in reach of the object's code; 0 when there is none.
  std::uint64_t near(std::uint64_t bytes) const;
  // Stubs that hand over these numbers, one after the other; the address of each. Empty when there is no place for them.
  std::vector<std::uint64_t> stubs(const std::vector<std::uint32_t>& numbers, Entered entered) const;

  // With `locked`, counters are counted for several threads at once. False when the code cannot be changed.
  bool write(bool locked) const;

 private:
  struct Write {
    std::uint64_t sled, target;
    bool counts;
  };
  const ElfObject& object_;
  std::vector<Write> writes_;
};

}  // namespace thriftwood::clarify
