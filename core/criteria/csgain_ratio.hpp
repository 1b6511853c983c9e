// CSGain ratio (Davis et al. 2006, equation 5): CSGain with the gain divided by the split information of every test on the path, the
// candidate's own included, so that gamma = 0 is the gain ratio.
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct CsGainRatio {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    if (offer.split_info <= rules.slack) return no_merit;
    return worth_its_charge(rules.reach * rules.path_factor * offer.gain / offer.split_info, rules.gamma * offer.price, rules);
  }
};

}  // namespace thriftwood
