// Columns of few codes side by side, so that one look at a case counts it for all of them: two classes, whole cases, small tables.
//
//   lane    16 bits for one code of one column
//   strip   the lanes of one row, four to a word: in the lane of every code it has, 1 in the lower byte and its class in the upper
//
// Lanes do not overflow into each other, so strips are added up by words (the compiler adds several words at once), and the sum over the
// cases of a node is what every code counts there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "target.hpp"

namespace thriftwood {

using Strip = std::array<std::uint64_t, 8>;
inline constexpr Index lanes_of_a_strip = 32;
inline constexpr std::size_t most_rows_in_strips = 4096;  // they stay in the nearest caches, and 16 bits count them

// What the lanes count, 16 bits each.
struct StripSums {
  Strip cases, ones;

  std::uint32_t cases_in(Index lane) const { return field(cases, lane); }
  std::uint32_t ones_in(Index lane) const { return field(ones, lane); }

 private:
  static std::uint32_t field(const Strip& strip, Index lane) { return strip[static_cast<std::size_t>(lane / 4)] >> (lane % 4 * 16) & 0xffff; }
};

struct Strips {
  std::vector<Strip> of_row;      // empty: nothing is in the strips
  std::vector<Index> first_lane;  // by feature: the lane of its first code ("missing" has its last one); -1: not in the strips

  Index lane_of(Index feature) const { return of_row.empty() ? -1 : first_lane[static_cast<std::size_t>(feature)]; }
  StripSums sums(std::span<const Row> rows) const;
};

struct Columns;

// Lays as many columns of few codes as there is room for, if they are worth it.
Strips lay_strips(const Columns& columns, const Target& target);

}  // namespace thriftwood
