// Mitchell's additive form, as Davis et al. 2006 generalise it: G - gamma * c, where c is 0 for a feature already bought.
#pragma once

#include "facts.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct Mitchell {
  double gamma = 1.0;
  bool allow_negative = false;

  static constexpr auto parameters() {
    return std::tuple{number(&Mitchell::gamma, "gamma", not_negative, "How much prices weigh. 0: not at all.").pricing("bits of gain at a node"),
                      allowing_negative(&Mitchell::allow_negative)};
  }
  Merit merit(const Offer& offer, const MeritRules&) const { return worth_its_charge(offer.gain, gamma * offer.price, allow_negative); }
};

namespace declared {
inline constexpr Declaration<Mitchell> mitchell{{
    .name = "mitchell",
    .value_object = "Mitchell",
    .formula = "G - gamma c",
    .reference = "Mitchell 1997, as in Davis et al. 2006",
    .asks_prices = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
