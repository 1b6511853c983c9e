// Mitchell's additive form, as Davis et al. 2006 generalise it: G - gamma * c, where c is 0 for a feature already bought.
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Mitchell {
  static Merit merit(const Offer& offer, const MeritRules& rules) { return worth_its_charge(offer.gain, rules.gamma * offer.price, rules); }
};

}  // namespace thriftwood
