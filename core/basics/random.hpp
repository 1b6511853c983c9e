// Random numbers without a state: what is drawn depends on a key alone, never on what was drawn before or by which thread.
//
//   key   64 well-mixed bits. A tree has one (the seed), a node one made from its parent's and its place below it, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftwood {

using Key = std::uint64_t;

// Stafford's variant of the finisher of MurmurHash3, as in SplitMix64: every bit of the argument moves half of the bits of the result.
constexpr Key mixed(Key x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The key of the member `number` of what `parent` stands for.
constexpr Key key_below(Key parent, std::uint64_t number) { return mixed(parent + 0x9e3779b97f4a7c15u * (number + 1)); }

// In [0, 1).
constexpr double unit_draw(Key key) { return static_cast<double>(mixed(key ^ 0xd1b54a32d192ed03u) >> 11) * 0x1p-53; }

// One of the numbers 0 .. n - 1; by less than n / 2^64 uneven.
constexpr std::size_t draw_below(Key key, std::size_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(mixed(key ^ 0xd1b54a32d192ed03u)) * n >> 64);
}

// One of the numbers 0 .. weights.size() - 1, in proportion to its weight; where no weight is above 0, each is as likely as the others.
inline std::size_t draw(std::span<const double> weights, Key key) {
  double total = 0.0;
  for (double weight : weights) total += weight > 0.0 ? weight : 0.0;
  const double at = unit_draw(key);
  if (!(total > 0.0)) return static_cast<std::size_t>(at * static_cast<double>(weights.size()));
  double left = at * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0.0)) continue;
    last = i;
    left -= weights[i];
    if (left < 0.0) break;
  }
  return last;  // rounding may leave a little beyond the last
}

}  // namespace thriftwood
