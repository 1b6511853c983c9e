#include "bag.hpp"

#include <algorithm>

namespace thriftwood {

std::vector<std::uint32_t> draw_bag(Key key, std::size_t cases, std::size_t draws, bool replacement) {
  std::vector<std::uint32_t> counts(cases, 0);
  if (replacement) {
    for (std::size_t i = 0; i < draws; ++i) ++counts[draw_below(key_below(key, i), cases)];
    return counts;
  }
  // Of the cases that are left, each with the same chance until enough are taken (Knuth's selection sampling): no list to shuffle.
  std::size_t wanted = std::min(draws, cases);
  for (std::size_t i = 0; i < cases && wanted > 0; ++i) {
    const bool taken = draw_below(key_below(key, i), cases - i) < wanted;
    counts[i] = taken ? 1 : 0;
    wanted -= taken ? 1 : 0;
  }
  return counts;
}

}  // namespace thriftwood
