// ACT: the test below which the tree of the least expected cost was found among samples (growing/look_ahead_chooser.hpp). Samples draw their tests
// in proportion to EG2's information cost function, and without samples its largest value wins: EG2 (Esmeir & Markovitch 2008).
#pragma once

#include "eg2.hpp"
#include "facts.hpp"
#include "hooks.hpp"

namespace thriftwood {

struct Act : Eg2 {
  double cf = 0.25;

  static constexpr Sampling sampling{.by_cost = true, .first_is_best = true};

  static constexpr auto parameters() {
    return std::tuple_cat(Eg2::parameters(), std::tuple{number(&Act::cf, "cf", Interval{0.0, 1.0, true, false},
                                                               "The confidence factor of the mistakes expected from a leaf, as in `ExpectedCost`.")});
  }
  double leaf_confidence() const { return cf; }
};

namespace declared {
inline constexpr Declaration<Act> act{{
    .name = "act",
    .value_object = "Act",
    .formula = "- expected cost: W c + sum over outcomes of the cheapest of an EG2 tree and r - 1 that draw tests by (2^G - 1) / (c + 1)^w",
    .reference = "Esmeir & Markovitch 2008",
    .asks_prices = true,
    .asks_errors = true,
}};
}  // namespace declared

}  // namespace thriftwood
