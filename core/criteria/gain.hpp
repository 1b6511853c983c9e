// Gain: what the impurity loses. G = I(node) - sum over branches of share * I(branch).
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Gain {
  static Merit merit(const Offer& offer, const MeritRules&) { return {0, offer.gain}; }
};

// Gain by an impurity that a split can make larger: then it is no offer, whatever the rules of growth let pass.
struct DecreaseOnly {
  static Merit merit(const Offer& offer, const MeritRules&) { return offer.gain < 0.0 ? no_merit : Merit{0, offer.gain}; }
};

}  // namespace thriftwood
