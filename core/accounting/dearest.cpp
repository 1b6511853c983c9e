#include "dearest.hpp"

#include <algorithm>

namespace thriftwood {

void put_dearest_first(const Prices& prices, std::span<Index> tests) {
  std::stable_sort(tests.begin(), tests.end(), [&](Index a, Index b) { return discount(prices, a) > discount(prices, b); });
}

}  // namespace thriftwood
