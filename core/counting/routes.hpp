// The way of every row of a shard to the node it belongs to, and what is to be done with it there.
//
//   station   a split on the way: by the code of its feature, where to next
//   goal      a node whose cases are counted or gathered
//
// Rows are led from the root in every round. A round needs nothing that an earlier one left behind, so whoever counts keeps no state: a
// worker that was lost is replaced by another, and gives the same numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "coding.hpp"

namespace thriftwood {

struct Routes {
  static constexpr std::uint32_t goal = 0x80000000u;      // goals are numbered from here
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  std::uint32_t start = nowhere;
  std::vector<Index> feature;        // of every station
  std::vector<std::uint64_t> first;  // of every station: where its table begins in `next`
  std::vector<std::uint32_t> next;   // by code: a station, a goal, or nowhere
  std::uint32_t goals = 0;
  std::vector<Index> features;       // that are to be counted

  // Numbers counted for one goal.
  std::size_t cells(const Coding& coding) const;
};

// Throws InputError unless every row of a table of that coding can be led by these routes.
void check_routes(const Routes& routes, const Coding& coding);

// Adds to sums[goal * cells + ...]: for each feature in turn, for each code, what Coding::width says.
void count(const Shard& shard, const Coding& coding, const Routes& routes, std::span<double> sums);

// Appends the rows of every goal, in their order.
void gather(const Shard& shard, const Coding& coding, const Routes& routes, std::span<CodedRows> goals);

}  // namespace thriftwood
