// CS-ID3: gain squared per price. G^2 / c (Tan \& Schlimmer 1990).
#pragma once

#include <cmath>

#include "offer.hpp"

namespace thriftwood {

struct CsId3 {
  static Merit merit(const Offer& offer, const MeritRules&) { return per_price(offer, offer.gain * offer.gain, offer.price); }
};

}  // namespace thriftwood
