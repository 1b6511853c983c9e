// LASC: gain per suppressed price. G / (p c + 1 - p), where p = (share of the training weight at the node)^alpha and c is measured by a
// price of the list: near the root prices count in full, far below it hardly (Li, Topkara, Coskun & Memon 2009). The same holds for a
// *component*, a test with tests planned for its outcomes; see growing/components.hpp.
#pragma once

#include "offer.hpp"

namespace thriftwood {

struct Lasc {
  // What the gain is divided by; the price is the expected one of all tests together.
  static double expense(double price, const MeritRules& rules) {
    return rules.price_weight * price / rules.price_unit + (1.0 - rules.price_weight);
  }
  static Merit worth(double gain, double expense) {
    if (gain <= 0.0) return no_merit;
    return expense > 0.0 ? Merit{0, gain / expense} : Merit{1, gain};
  }
  static Merit merit(const Offer& offer, const MeritRules& rules) { return worth(offer.gain, expense(offer.price, rules)); }
};

}  // namespace thriftwood
