// The ledger of a tree where no case may spend more than a budget, and what it then answers.
//
//   beyond    A test that is not had is asked for only if the bill with it, and with all that is ordered along, keeps to the budget
//             whichever of these turn out to be missing; so it is in a consultation (case_till.hpp). Otherwise the case ends at the node where
//             it stands, with that node's answer. A surrogate that is beyond ends the case, too.
//   free      What costs nothing more is always within. A test that is unavailable is not asked for, and so never beyond.
//   upfront   If the tests of the tree together are beyond, nothing is bought, and the case ends at its first question.
//   spread    A case that goes down several branches may spend the budget in each: what it pays is the mean by share.
#pragma once

#include <cstdint>
#include <vector>

#include "../tree/predict.hpp"
#include "ledger.hpp"

namespace thriftwood {

struct BudgetLedger {
  Ledger ledger;
  std::vector<Index> labels;          // classification: the answers
  std::vector<double> numbers;        // regression
  std::vector<std::uint8_t> stopped;  // per case: whether it ended early
};

// The table must fit the tree. n_threads <= 0: one per core; the result is the same for any number.
BudgetLedger keep_to_budget(const Predictor& tree, const Prices& prices, const Table& table, double budget, int n_threads);

}  // namespace thriftwood
