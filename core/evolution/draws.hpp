// A sequence of random numbers that depends on its key alone: the same key gives the same numbers in any thread.
#pragma once

#include <cstddef>

#include "../basics/random.hpp"

namespace thriftwood {

class Draws {
 public:
  explicit Draws(Key key) : key_(key) {}

  // In [0, 1).
  double unit() { return unit_draw(key_below(key_, drawn_++)); }
  bool chance(double probability) { return unit() < probability; }
  // One of 0 .. n - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(unit() * static_cast<double>(n)); }

 private:
  Key key_;
  std::uint64_t drawn_ = 0;
};

}  // namespace thriftwood
