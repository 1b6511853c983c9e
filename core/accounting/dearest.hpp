// The most that tests can cost together, where it is not known in which order they are bought, nor which of them are bought after all.
//
// Resources are paid once in any order. Of a group, the test that is bought first pays in full and the others their price `after`: so the
// bill is the largest where the test that would save most comes first. To leave tests out never makes that larger.
#pragma once

#include <span>
#include <vector>

#include "../costs.hpp"

namespace thriftwood {

// What the test costs less once another test of its group was bought.
inline double discount(const Prices& prices, Index test) { return prices.own_price(test, false) - prices.own_price(test, true); }

// Puts tests into the order of the largest bill.
void put_dearest_first(const Prices& prices, std::span<Index> tests);

// The most that a case pays which is asked for these tests in this order, whichever of its values are missing.
double most_paid(const Prices& prices, std::vector<Index> tests);

}  // namespace thriftwood
