// The ledger of a booster: what every row buys while the stages are asked, and what they answer.
#pragma once

#include "../accounting/ledger.hpp"
#include "asking.hpp"

namespace thriftwood {

// What every row buys at the prices `charged`, by the rules of the till: each test and each resource once, in the order in which the
// stages ask. A delayed test brings the tests below it in its stage. The scores are the same as `score` gives.
Ledger keep_ledger(const Booster& booster, const Asking& how, const Prices& charged, const Table& table, int n_threads, const Scores& scores);

}  // namespace thriftwood
