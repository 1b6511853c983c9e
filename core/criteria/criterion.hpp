// What a split is worth, and the list of all criteria.
//
//   impurity   decides where a feature is cut (always by gain: what the impurity loses per unit of the node's weight)
//   merit      decides between features, from what each one *offers*
//
// A criterion is a pair of the two under one name. To add one: a file with a merit, a line in `merit`, a row in `criteria`.
#pragma once

#include <array>
#include <string_view>

#include "gain.hpp"
#include "gain_ratio.hpp"
#include "offer.hpp"

namespace thriftwood {

enum class ImpurityName : std::uint8_t { Gini, Entropy, SquaredError, AbsoluteError };
enum class MeritName : std::uint8_t { Gain, GainRatio };

struct Criterion {
  std::string_view name;
  ImpurityName impurity;
  MeritName merit;
};

inline constexpr std::array criteria{
    Criterion{"gini", ImpurityName::Gini, MeritName::Gain},
    Criterion{"entropy", ImpurityName::Entropy, MeritName::Gain},
    Criterion{"gain_ratio", ImpurityName::Entropy, MeritName::GainRatio},
    Criterion{"squared_error", ImpurityName::SquaredError, MeritName::Gain},
    Criterion{"absolute_error", ImpurityName::AbsoluteError, MeritName::Gain},
};

inline double merit(MeritName name, const Offer& offer, const MeritRules& rules) {
  switch (name) {
    case MeritName::GainRatio: return GainRatio::merit(offer, rules);
    default: return Gain::merit(offer, rules);
  }
}

}  // namespace thriftwood
