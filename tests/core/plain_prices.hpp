// Price lists for tests.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "costs.hpp"

namespace thriftwood {

inline const double none = std::nan("");  // no price `after` another test of the group

// Tests without resources, groups or delays.
inline PriceList plain(std::vector<double> price) {
  PriceList list;
  const std::size_t n = price.size();
  list.price = std::move(price);
  list.needs_start.assign(n + 1, 0);
  list.group.assign(n, -1);
  list.after.assign(n, none);
  list.delayed.assign(n, 0);
  return list;
}

}  // namespace thriftwood
