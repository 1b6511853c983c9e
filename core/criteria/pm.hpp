// PM: information and saved mistakes per price. (2^X - 1) * D / (c + 1), X the gain ratio or the gain, D what the split takes from the
// leaf cost (Liu 2007). The unit of prices matters, by the + 1.
#pragma once

#include <cmath>
#include <numbers>

#include "offer.hpp"

namespace thriftwood {

struct Pm {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    if (rules.info == Information::GainRatio && offer.split_info <= rules.slack) return no_merit;
    const double information = rules.info == Information::Gain ? offer.gain : offer.gain / offer.split_info;
    if (information <= 0.0 || offer.saving <= 0.0) return no_merit;
    return {0, std::expm1(information * std::numbers::ln2) * offer.saving / (offer.price + 1.0)};
  }
};

}  // namespace thriftwood
