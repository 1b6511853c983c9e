// A chunk as a row of a table that a tree walks: what the walk reads is computed then, and nothing else is.
#pragma once

#include <limits>
#include <span>

#include "../basics/types.hpp"
#include "chunk.hpp"

namespace thriftwood::flowtype {

struct LazyRow {
  Chunk& chunk;
  std::span<const Index> features;  // per column of the tree's table the number of the feature

  double number(Index column) const {
    const auto feature = static_cast<std::size_t>(features[static_cast<std::size_t>(column)]);
    return chunk.has(feature) ? chunk.feature(feature) : std::numeric_limits<double>::quiet_NaN();
  }
  // Only where the chunk is too short.
  bool missing(Index column) const { return !chunk.has(static_cast<std::size_t>(features[static_cast<std::size_t>(column)])); }
  // No statistic is nominal.
  Index code(Index) const { return missing_code; }
};

}  // namespace thriftwood::flowtype
