// The ledger of a panel: what every case buys when members share what was bought (the till's rule of one basket; only members that are
// consulted ask). Upfront, every case carries all tests of the members that may be consulted.
#pragma once

#include <vector>

#include "../accounting/ledger.hpp"
#include "panel.hpp"

namespace thriftwood {

struct PanelLedger {
  Ledger ledger;              // every share is 1
  std::vector<double> apart;  // per case: what the members consulted would cost if each paid for its own tests
  Answers answers;            // the same as `answer` gives
};

// The bills of all rows of a table that fits the members. n_threads <= 0: one per core; the result is the same for any number.
PanelLedger keep_ledger(const Panel& panel, const Prices& prices, const Table& table, int n_threads);

}  // namespace thriftwood
