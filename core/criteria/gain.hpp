// Gain: what the impurity loses. G = I(node) - sum over branches of share * I(branch).
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Gain {
  static Merit merit(const Offer& offer, const MeritRules&) { return {0, offer.gain}; }
};

}  // namespace thriftwood
