// Gain ratio: gain per bit of split information (Quinlan 1993).
#pragma once

#include "facts.hpp"
#include "offer.hpp"

namespace thriftwood {

struct GainRatio {
  static Merit merit(const Offer& offer, const MeritRules& rules) {
    if (offer.split_info <= rules.slack) return no_merit;
    return {0, offer.gain / offer.split_info};
  }
};

namespace declared {
inline constexpr Declaration<GainRatio> gain_ratio{{
    .name = "gain_ratio",
    .formula = "G / s",
    .reference = "Quinlan 1993",
    .asks_split_info = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
