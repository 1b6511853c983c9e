// What a split is worth, and the list of all criteria.
//
//   impurity   decides where a feature is cut (always by gain: what the impurity loses per unit of the node's weight), in bits, in
//              money or in units of its own
//   merit      decides between features, from what each one *offers*: its gain, its split information, its price
//   facts      what a criterion reads, in which unit it counts, its parameters: declared beside the formula, see facts.hpp, parameter.hpp
//
// A criterion is a pair of an impurity and a merit under one name. To add one: a file that has its merit and declares it, and a line here.
#pragma once

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <variant>

#include "absolute_error.hpp"
#include "act.hpp"
#include "cs_c45.hpp"
#include "cs_id3.hpp"
#include "csgain.hpp"
#include "csgain_ratio.hpp"
#include "eg2.hpp"
#include "entropy.hpp"
#include "gain_ratio.hpp"
#include "gini.hpp"
#include "gini_loss.hpp"
#include "idx.hpp"
#include "lasc.hpp"
#include "leaf_cost.hpp"
#include "lsid3.hpp"
#include "mitchell.hpp"
#include "pm.hpp"
#include "squared_error.hpp"
#include "total_cost.hpp"

namespace thriftwood {

inline constexpr std::tuple declarations{
    declared::gini,  declared::entropy, declared::gain_ratio,     declared::squared_error, declared::absolute_error, declared::cs_id3,
    declared::idx,   declared::eg2,     declared::mitchell,       declared::csgain,        declared::csgain_ratio,   declared::cs_c45,
    declared::lasc,  declared::pm,      declared::min_total_cost, declared::cstree,        declared::gini_loss,      declared::leaf_cost,
    declared::lsid3, declared::act,
};

template <class T>
concept MeritOfOffers = requires(const T& merit, const Offer& offer, const MeritRules& rules) {
  { merit.merit(offer, rules) } -> std::same_as<Merit>;
};

// One of the merits that the criteria have, each once: several share the plain gain.
template <class Listed, MeritOfOffers... Others>
struct DistinctMerits;
template <class... Merits>
struct DistinctMerits<std::variant<Merits...>> {
  using type = std::variant<Merits...>;
};
template <class... Merits, class First, class... Others>
struct DistinctMerits<std::variant<Merits...>, First, Others...>
    : DistinctMerits<std::conditional_t<(std::is_same_v<First, Merits> || ...), std::variant<Merits...>, std::variant<Merits..., First>>, Others...> {
};

template <class... Merits>
typename DistinctMerits<std::variant<>, Merits...>::type merits_of(const std::tuple<Declaration<Merits>...>&);
using AnyMerit = decltype(merits_of(declarations));

struct Criterion : Facts {
  AnyMerit merit;
  std::span<const Parameter> parameters;
};

inline constexpr auto criteria = std::apply(
    []<class... Merits>(const Declaration<Merits>&... one) { return std::array{Criterion{one.facts, Merits{}, parameters_of<Merits>}...}; },
    declarations);

inline Merit merit(const AnyMerit& which, const Offer& offer, const MeritRules& rules) {
  if (offer.gain < rules.average_gain - rules.slack) return no_merit;
  return std::visit([&](const auto& one) { return one.merit(offer, rules); }, which);
}

// Whether a feature's own split information divides its gain, where the criterion asks for it.
inline bool divides_by_split_info(const AnyMerit& which) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.by_ratio(); }) return one.by_ratio();
        return true;
      },
      which);
}

}  // namespace thriftwood
