// Total cost: what a split saves of the bill. Its gain, which is in money (leaf cost or smoothed cost), less what the cases pay for the
// test: those of the node that have a value, or every case of the table if tests are paid upfront (Ling, Yang, Wang & Zhang 2004).
//
// So the sum of what the splits save is what the tree takes from the training bill (where nothing is missing, or missing values are not
// charged). Growth counts missing values as unavailable in any case, as its authors do.
#pragma once

#include "facts.hpp"
#include "hooks.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct TotalCost {
  bool allow_negative = false;

  static constexpr Priority priority = Priority::MeritTimesWeight;  // what the whole node saves of the bill

  static constexpr auto parameters() { return std::tuple{allowing_negative(&TotalCost::allow_negative)}; }
  Merit merit(const Offer& offer, const MeritRules& rules) const {
    const double charge = offer.price * (rules.paid_by_all ? 1.0 / rules.reach : offer.known);
    if (!clearly_greater(offer.gain, charge) && !allow_negative) return no_merit;  // of equals the leaf is simpler
    return {0, offer.gain - charge};
  }
};

namespace declared {
inline constexpr Declaration<TotalCost> min_total_cost{{
    .name = "min-total-cost",
    .value_object = "MinTotalCost",
    .impurity = ImpurityName::LeafCost,
    .formula = "L - sum_v L_v - K c",
    .reference = "Ling, Yang, Wang & Zhang 2004",
    .asks_prices = true,
    .asks_errors = true,
}};
inline constexpr Declaration<TotalCost> cstree{{
    .name = "cstree",
    .value_object = "CsTree",
    .impurity = ImpurityName::SmoothedCost,
    .formula = "E - sum_v E_v - K c",
    .reference = "Ling, Sheng, Bruckhaus & Madhavji 2006; Sheng, Ling, Ni & Zhang 2006",
    .asks_prices = true,
    .asks_errors = true,
}};
}  // namespace declared

}  // namespace thriftwood
