// CS-C4.5: gain ratio per price. (G / split information) / c^w; w 0 is C4.5
// (Freitas, Costa-Pereira & Brazdil 2007).
#pragma once

#include "gain_ratio.hpp"

namespace thriftwood {

struct CsC45 {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    const Merit ratio = GainRatio::merit(offer, rules);
    if (ratio.tier < 0) return ratio;
    return per_power(offer, ratio.value, offer.price, rules.w);
  }
};

}  // namespace thriftwood
