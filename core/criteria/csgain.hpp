// CSGain (Davis et al. 2006, equation 4): share of the training weight at the node * G - gamma * c. A split changes
// information about the class - gamma * cost of the tests
// by exactly this much.
#pragma once

#include "facts.hpp"
#include "hooks.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

struct CsGain {
  double gamma = 1.0;
  bool allow_negative = false;

  // It is weighted by the node's share, and its sum is what the tree is to maximise.
  static constexpr Priority priority = Priority::Merit;

  static constexpr auto parameters() {
    return std::tuple{number(&CsGain::gamma, "gamma", not_negative, "How much prices weigh. 0: not at all.")
                          .pricing("bits of information about the class in the whole table"),
                      allowing_negative(&CsGain::allow_negative)};
  }
  Merit merit(const Offer& offer, const MeritRules& rules) const {
    return worth_its_charge(rules.reach * offer.gain, gamma * offer.price, allow_negative);
  }
};

namespace declared {
inline constexpr Declaration<CsGain> csgain{{
    .name = "csgain",
    .value_object = "CsGain",
    .formula = "W/N G - gamma c",
    .reference = "Davis, Ha, Rossbach, Ramadan & Witchel 2006, eq. 4",
    .asks_prices = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
