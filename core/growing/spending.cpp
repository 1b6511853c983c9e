#include "spending.hpp"

#include <algorithm>

#include "../accounting/dearest.hpp"

namespace thriftwood {

bool Spending::has(Index test) const { return std::find(tests.begin(), tests.end(), test) != tests.end(); }

void Spending::add(const Budget& budget, Index test) {
  if (has(test)) return;
  tests.push_back(test);
  if (ordered) return;
  if (settles(budget)) settled = tests.size();
  ordered = budget.prices->delayed(test);
}

double Spending::most(Basket& basket, Index more) const {
  basket.undo(0);
  for (std::size_t i = 0; i < settled; ++i) basket.buy(tests[i]);
  std::vector<Index> others(tests.begin() + static_cast<std::ptrdiff_t>(settled), tests.end());
  if (more >= 0 && !basket.has(more)) others.push_back(more);
  put_dearest_first(basket.prices(), others);
  for (Index test : others) basket.buy(test);
  return basket.total();
}

bool may_order(const Budget& budget) {
  if (!budget) return false;
  if (budget.prices->upfront()) return true;
  for (Index test = 0; test < budget.prices->tests(); ++test)
    if (budget.prices->delayed(test)) return true;
  return false;
}

}  // namespace thriftwood
