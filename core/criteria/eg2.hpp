// EG2: the information cost function. (2^G - 1) / (c + 1)^w (Nunez 1991). The unit of prices matters, by the + 1.
#pragma once

#include <cmath>
#include <numbers>

#include "offer.hpp"

namespace thriftwood {

struct Eg2 {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    return per_power(offer, std::expm1(offer.gain * std::numbers::ln2), offer.price + 1.0, rules.w);
  }
};

}  // namespace thriftwood
