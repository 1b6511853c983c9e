// CSGain (Davis et al. 2006, equation 4): share of the training weight at the node * G - gamma * c. A split changes
// information about the class - gamma * cost of the tests
// by exactly this much.
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct CsGain {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    return worth_its_charge(rules.reach * offer.gain, rules.gamma * offer.price, rules);
  }
};

}  // namespace thriftwood
