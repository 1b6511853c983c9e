// CS-C4.5: gain ratio per price. (G / split information) / c^w; w 0 is C4.5
// (Freitas, Costa-Pereira & Brazdil 2007).
#pragma once

#include "facts.hpp"
#include "gain_ratio.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct CsC45 {
  double w = 1.0;

  static constexpr auto parameters() {
    return std::tuple{number(&CsC45::w, "w", not_negative, "The exponent of the price. 0: prices do not count.").weighing_prices(ratio_values)};
  }
  Merit merit(const Offer& offer, const MeritRules& rules) const {
    const Merit ratio = GainRatio::merit(offer, rules);
    if (ratio.tier < 0) return ratio;
    return per_power(offer, ratio.value, offer.price, w);
  }
};

namespace declared {
inline constexpr Declaration<CsC45> cs_c45{{
    .name = "cs-c45",
    .value_object = "CsC45",
    .formula = "G / s / c^w",
    .reference = "Freitas, Costa-Pereira & Brazdil 2007",
    .asks_prices = true,
    .asks_split_info = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
