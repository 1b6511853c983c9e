// CSGain ratio (Davis et al. 2006, equation 5): CSGain with the gain divided by the split information of every test on the path. With
// the candidate's own among them gamma = 0 is the gain ratio; without it, the plain gain.
#pragma once

#include <algorithm>

#include "offer.hpp"

namespace thriftwood {

struct CsGainRatio {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    if (offer.split_info <= rules.slack) return no_merit;
    const double factor = rules.path_inclusive ? rules.path_factor / offer.split_info : rules.path_factor;
    return worth_its_charge(rules.reach * std::min(factor, rules.max_path_factor) * offer.gain, rules.gamma * offer.price, rules);
  }
};

}  // namespace thriftwood
