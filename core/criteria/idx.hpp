// IDX: gain per price. G / c^gamma; gamma 1 is Norton 1989, gamma 0 the plain gain (Davis et al. 2006).
#pragma once

#include "facts.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct Idx {
  double gamma = 1.0;

  static constexpr auto parameters() {
    return std::tuple{
        number(&Idx::gamma, "gamma", not_negative, "How much prices weigh: the exponent of the price. 0: not at all.").weighing_prices(ratio_values)};
  }
  Merit merit(const Offer& offer, const MeritRules&) const { return per_power(offer, offer.gain, offer.price, gamma); }
};

namespace declared {
inline constexpr Declaration<Idx> idx{{
    .name = "idx",
    .value_object = "Idx",
    .formula = "G / c^gamma",
    .reference = "Norton 1989; the exponent Davis et al. 2006",
    .asks_prices = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
