// Gain: what the impurity loses. G = I(node) - sum over branches of share * I(branch).
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Gain {
  static double merit(const Offer& offer, const MeritRules&) { return offer.gain; }
};

}  // namespace thriftwood
