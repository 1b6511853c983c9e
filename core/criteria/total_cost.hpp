// Total cost: what a split saves of the bill. Its gain, which is in money (leaf cost or smoothed cost), less what the cases pay for the
// test: those of the node that have a value, or every case of the table if tests are paid upfront (Ling, Yang, Wang & Zhang 2004).
//
// So the sum of what the splits save is what the tree takes from the training bill (where nothing is missing, or missing values are not
// charged). Growth counts missing values as unavailable in any case, as its authors do.
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct TotalCost {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    const double charge = offer.price * (rules.paid_by_all ? 1.0 / rules.reach : offer.known);
    if (!clearly_greater(offer.gain, charge) && !rules.allow_negative) return no_merit;  // of equals the leaf is simpler
    return {0, offer.gain - charge};
  }
};

}  // namespace thriftwood
