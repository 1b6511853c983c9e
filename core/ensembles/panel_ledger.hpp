// The ledger of a panel: what every case buys when members share what was bought.
//
// The rules are those of accounting/ledger.hpp, but for two:
//   one basket   A test, and a resource, is paid once per case, by the member that asks first; only members that are consulted ask. So
//                purchases are in the order of consultation. A delayed test that another member has ordered brings nothing more along: its
//                answer is on the way.
//   no shares    A case that a missing value sends down several branches of a member buys what any of them asks, in full: it is one case,
//                and the next member may ask for the same.
// Upfront, every case carries all tests of the members that may be consulted.
#pragma once

#include <vector>

#include "../accounting/ledger.hpp"
#include "panel.hpp"

namespace thriftwood {

struct PanelLedger {
  Ledger ledger;                 // every share is 1
  std::vector<double> apart;     // per case: what the members consulted would cost if each paid for its own tests
  std::vector<Index> n_consulted;
};

// The bills of all rows of a table that fits the members. n_threads <= 0: one per core; the result is the same for any number.
PanelLedger keep_ledger(const Panel& panel, const Prices& prices, const Table& table, int n_threads);

}  // namespace thriftwood
