// A stretch of addresses: the code of a function, a segment, a stack.
#pragma once

#include <cstdint>

namespace thriftwood::clarify {

struct Extent {
  std::uint64_t begin = 0, end = 0;
  bool has(std::uint64_t address) const noexcept { return address - begin < end - begin; }
  bool operator==(const Extent&) const = default;
};

}  // namespace thriftwood::clarify
