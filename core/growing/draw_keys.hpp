// Keys of what is drawn at a node (basics/random.hpp). Branches have the keys below their node's with small numbers; these keep clear of
// them, and of each other.
#pragma once

#include "../basics/random.hpp"

namespace thriftwood {

inline constexpr std::uint64_t test_draw = std::uint64_t{1} << 40;        // which test the node gets
inline constexpr std::uint64_t first_candidate = std::uint64_t{1} << 41;  // + feature: the trial trees below that candidate
inline constexpr std::uint64_t feature_draws = std::uint64_t{1} << 42;    // which features are asked

}  // namespace thriftwood
