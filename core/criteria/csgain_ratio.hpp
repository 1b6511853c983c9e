// CSGain ratio (Davis et al. 2006, equation 5): CSGain with the gain divided by the split information of every test on the path. With
// the candidate's own among them gamma = 0 is the gain ratio; without it, the plain gain.
#pragma once

#include <algorithm>

#include "facts.hpp"
#include "hooks.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

// The tests whose split information divides the gain: those down to the candidate, or those above it.
enum class Path : std::uint8_t { Inclusive, Ancestors };
inline constexpr std::array<std::string_view, 2> path_words{"inclusive", "ancestors"};

struct CsGainRatio {
  double gamma = 1.0;
  bool allow_negative = false;
  Path path = Path::Inclusive;
  double max_path_factor = infinity;

  // It is weighted by the node's share, and its sum is what the tree is to maximise.
  static constexpr Priority priority = Priority::Merit;

  static constexpr auto parameters() {
    return std::tuple{
        number(&CsGainRatio::gamma, "gamma", not_negative, "How much prices weigh. 0: not at all.")
            .pricing("gain ratio, weighted by the share of the cases"),
        allowing_negative(&CsGainRatio::allow_negative),
        choice(&CsGainRatio::path, "path", path_words,
               "The tests whose split information divides the gain: those down to the new one, which is the gain ratio where prices do not "
               "count, or those above it, which is the gain."),
        number(&CsGainRatio::max_path_factor, "max_path_factor", Interval{0.0, infinity, true, false},
               "The most that dividing by them may multiply the gain with: very uneven tests have little split information. None: no limit."),
    };
  }
  bool by_ratio() const { return path == Path::Inclusive; }
  Merit merit(const Offer& offer, const MeritRules& rules) const {
    if (offer.split_info <= rules.slack) return no_merit;
    const double factor = path == Path::Inclusive ? rules.path_factor / offer.split_info : rules.path_factor;
    return worth_its_charge(rules.reach * std::min(factor, max_path_factor) * offer.gain, gamma * offer.price, allow_negative);
  }
};

namespace declared {
inline constexpr Declaration<CsGainRatio> csgain_ratio{{
    .name = "csgain-ratio",
    .value_object = "CsGainRatio",
    .formula = "W/N G / S - gamma c, S: product of s on the path, its own included",
    .reference = "Davis, Ha, Rossbach, Ramadan & Witchel 2006, eq. 5",
    .asks_prices = true,
    .asks_split_info = true,
    .averages_gain = true,
}};
}  // namespace declared

}  // namespace thriftwood
