// EG2: the information cost function. (2^G - 1) / (c + 1)^w (Nunez 1991). The unit of prices matters, by the + 1.
#pragma once

#include <cmath>
#include <numbers>

#include "facts.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct Eg2 {
  double w = 1.0;

  static constexpr auto parameters() {
    return std::tuple{number(&Eg2::w, "w", not_negative, "The exponent of the price. 0: prices do not count.").weighing_prices(ratio_values)};
  }
  Merit merit(const Offer& offer, const MeritRules&) const {
    return per_power(offer, std::expm1(offer.gain * std::numbers::ln2), offer.price + 1.0, w);
  }
};

namespace declared {
inline constexpr Declaration<Eg2> eg2{{
    .name = "eg2",
    .value_object = "Eg2",
    .formula = "(2^G - 1) / (c + 1)^w",
    .reference = "Nunez 1991",
    .asks_prices = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
