// A bag: which cases a tree of a forest is grown on, and how often each counts. It depends on a key alone, so it can be drawn again to
// find the cases that were left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../basics/random.hpp"

namespace thriftwood {

// How often each of `cases` cases is drawn in `draws` draws: with replacement, or each at most once (then draws <= cases).
std::vector<std::uint32_t> draw_bag(Key key, std::size_t cases, std::size_t draws, bool replacement);

}  // namespace thriftwood
