// What a split is worth, and the list of all criteria.
//
//   impurity   decides where a feature is cut (always by gain: what the impurity loses per unit of the node's weight), in bits, in
//              money or in units of its own
//   merit      decides between features, from what each one *offers*: its gain, its split information, its price
//
// A criterion is a pair of the two under one name. To add one: a file with a merit, its type in AnyMerit, a row in `criteria`.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <variant>

#include "act.hpp"
#include "cs_c45.hpp"
#include "cs_id3.hpp"
#include "csgain.hpp"
#include "csgain_ratio.hpp"
#include "eg2.hpp"
#include "gain.hpp"
#include "gain_ratio.hpp"
#include "idx.hpp"
#include "lasc.hpp"
#include "lsid3.hpp"
#include "mitchell.hpp"
#include "offer.hpp"
#include "pm.hpp"
#include "total_cost.hpp"

namespace thriftwood {

enum class ImpurityName : std::uint8_t { Gini, Entropy, SquaredError, AbsoluteError, LeafCost, SmoothedCost, GiniLoss };

template <class T>
concept MeritOfOffers = requires(const Offer& offer, const MeritRules& rules) {
  { T::merit(offer, rules) } -> std::same_as<Merit>;
};

template <MeritOfOffers... Merits>
using MeritList = std::variant<Merits...>;
using AnyMerit = MeritList<Gain, DecreaseOnly, GainRatio, CsId3, Idx, Eg2, Mitchell, CsGain, CsGainRatio, CsC45, Lasc, Pm, TotalCost, Lsid3, Act>;

struct Criterion {
  std::string_view name;
  ImpurityName impurity;
  AnyMerit merit;
  bool asks_prices = false;      // looks at what tests cost
  bool asks_split_info = false;  // looks at the split information
  bool asks_errors = false;      // looks at what mistakes cost
  bool asks_saving = false;      // beside its impurity
};

inline constexpr std::array criteria{
    Criterion{"gini", ImpurityName::Gini, Gain{}},
    Criterion{"entropy", ImpurityName::Entropy, Gain{}},
    Criterion{"gain_ratio", ImpurityName::Entropy, GainRatio{}, false, true},
    Criterion{"squared_error", ImpurityName::SquaredError, Gain{}},
    Criterion{"absolute_error", ImpurityName::AbsoluteError, Gain{}},
    Criterion{"cs-id3", ImpurityName::Entropy, CsId3{}, true},
    Criterion{"idx", ImpurityName::Entropy, Idx{}, true},
    Criterion{"eg2", ImpurityName::Entropy, Eg2{}, true},
    Criterion{"mitchell", ImpurityName::Entropy, Mitchell{}, true},
    Criterion{"csgain", ImpurityName::Entropy, CsGain{}, true},
    Criterion{"csgain-ratio", ImpurityName::Entropy, CsGainRatio{}, true, true},
    Criterion{"cs-c45", ImpurityName::Entropy, CsC45{}, true, true},
    Criterion{"lasc", ImpurityName::Entropy, Lasc{}, true},
    Criterion{"pm", ImpurityName::Entropy, Pm{}, true, true, true, true},
    Criterion{"min-total-cost", ImpurityName::LeafCost, TotalCost{}, true, false, true},
    Criterion{"cstree", ImpurityName::SmoothedCost, TotalCost{}, true, false, true},
    Criterion{"gini-loss", ImpurityName::GiniLoss, DecreaseOnly{}, false, false, true},
    Criterion{"leaf-cost", ImpurityName::LeafCost, Gain{}, false, false, true},
    Criterion{"lsid3", ImpurityName::Entropy, Lsid3{}},
    Criterion{"act", ImpurityName::Entropy, Act{}, true, false, true},
};

inline Merit merit(const AnyMerit& which, const Offer& offer, const MeritRules& rules) {
  if (offer.gain < rules.average_gain - rules.slack) return no_merit;
  return std::visit([&](const auto& one) { return one.merit(offer, rules); }, which);
}

}  // namespace thriftwood
