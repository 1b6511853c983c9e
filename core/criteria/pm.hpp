// PM: information and saved mistakes per price. (2^X - 1) * D / (c + 1), X the gain ratio or the gain, D what the split takes from the
// leaf cost (Liu 2007). The unit of prices matters, by the + 1.
#pragma once

#include <cmath>
#include <numbers>

#include "facts.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

enum class Information : std::uint8_t { GainRatio, Gain };
inline constexpr std::array<std::string_view, 2> information_words{"gain_ratio", "gain"};

struct Pm {
  Information info = Information::GainRatio;

  static constexpr auto parameters() {
    return std::tuple{choice(&Pm::info, "info", information_words, "How the information X of a test is measured.")};
  }
  bool by_ratio() const { return info == Information::GainRatio; }
  Merit merit(const Offer& offer, const MeritRules& rules) const {
    if (info == Information::GainRatio && offer.split_info <= rules.slack) return no_merit;
    const double information = info == Information::Gain ? offer.gain : offer.gain / offer.split_info;
    if (information <= 0.0 || offer.saving <= 0.0) return no_merit;
    return {0, std::expm1(information * std::numbers::ln2) * offer.saving / (offer.price + 1.0)};
  }
};

namespace declared {
inline constexpr Declaration<Pm> pm{{
    .name = "pm",
    .value_object = "Pm",
    .formula = "(2^X - 1) D / (c + 1)",
    .reference = "Liu 2007",
    .asks_prices = true,
    .asks_split_info = true,
    .asks_errors = true,
    .asks_saving = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
