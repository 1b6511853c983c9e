#include "dearest.hpp"

#include <algorithm>

namespace thriftwood {

void put_dearest_first(const Prices& prices, std::span<Index> tests) {
  std::stable_sort(tests.begin(), tests.end(), [&](Index a, Index b) { return discount(prices, a) > discount(prices, b); });
}

double most_paid(const Prices& prices, std::vector<Index> tests) {
  if (!prices.bought_alike()) put_dearest_first(prices, tests);
  Basket basket(prices);
  for (Index test : tests) basket.buy(test);
  return basket.total();
}

}  // namespace thriftwood
