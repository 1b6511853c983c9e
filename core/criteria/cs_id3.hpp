// CS-ID3: gain squared per price. G^2 / c (Tan & Schlimmer 1990).
#pragma once

#include <cmath>

#include "facts.hpp"
#include "offer.hpp"

namespace thriftwood {

struct CsId3 {
  static Merit merit(const Offer& offer, const MeritRules&) { return per_price(offer, offer.gain * offer.gain, offer.price); }
};

namespace declared {
inline constexpr Declaration<CsId3> cs_id3{{
    .name = "cs-id3",
    .formula = "G^2 / c",
    .reference = "Tan & Schlimmer 1990",
    .asks_prices = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
