// IDX: gain per price. G / c^gamma; gamma 1 is Norton 1989, gamma 0 the plain gain (Davis et al. 2006).
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Idx {
  static Merit merit(const Offer& offer, const MeritRules& rules) { return per_power(offer, offer.gain, offer.price, rules.gamma); }
};

}  // namespace thriftwood
