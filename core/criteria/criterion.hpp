// What a split is worth, and the list of all criteria.
//
//   impurity   decides where a feature is cut (always by gain: what the impurity loses per unit of the node's weight), in bits, in
//              money or in units of its own
//   merit      decides between features, from what each one *offers*: its gain, its split information, its price
//   facts      what a criterion reads, in which unit it counts, its parameters: declared beside the formula, see facts.hpp, parameter.hpp
//   hooks      what growing asks of a merit beside its value, such as how nodes are ordered: members of the merit, see hooks.hpp
//
// A criterion is a pair of an impurity and a merit under one name. To add one: a file that has its merit and declares it, and a line here.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <span>
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
#include "hooks.hpp"
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

template <class Chosen>
inline constexpr bool is_sampled = requires { Chosen::sampling; };
template <class Chosen>
inline constexpr bool is_sampled_by_cost = [] {
  if constexpr (is_sampled<Chosen>) return Chosen::sampling.by_cost;
  return false;
}();

struct Criterion : Facts {
  AnyMerit merit;
  std::span<const Parameter> parameters;
  bool samples;          // looks ahead by trees sampled below every test
  bool samples_by_cost;  // and judges them by what tests and mistakes are expected to cost
};

inline constexpr auto criteria = std::apply(
    []<class... Merits>(const Declaration<Merits>&... one) {
      return std::array{Criterion{one.facts, Merits{}, parameters_of<Merits>, is_sampled<Merits>, is_sampled_by_cost<Merits>}...};
    },
    declarations);

inline Merit merit(const AnyMerit& which, const Offer& offer, const MeritRules& rules) {
  if (offer.gain < rules.average_gain - rules.slack) return no_merit;
  return std::visit([&](const auto& one) { return one.merit(offer, rules); }, which);
}

// The hooks of hooks.hpp, for whichever merit it is.

inline bool divides_by_split_info(const AnyMerit& which) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.by_ratio(); }) return one.by_ratio();
        return true;
      },
      which);
}

inline Priority priority_of(const AnyMerit& which) {
  return std::visit(
      []<class Chosen>(const Chosen&) {
        if constexpr (requires { Chosen::priority; }) return Chosen::priority;
        return Priority::Gain;
      },
      which);
}

inline std::optional<Sampling> sampling_of(const AnyMerit& which) {
  return std::visit(
      []<class Chosen>(const Chosen&) -> std::optional<Sampling> {
        if constexpr (is_sampled<Chosen>) return Chosen::sampling;
        return std::nullopt;
      },
      which);
}

inline double leaf_confidence(const AnyMerit& which) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.leaf_confidence(); }) return one.leaf_confidence();
        return 0.25;
      },
      which);
}

inline double price_weight(const AnyMerit& which, double reach) {
  return std::visit(
      [reach](const auto& one) {
        if constexpr (requires { one.price_weight(reach); }) return one.price_weight(reach);
        return 1.0;
      },
      which);
}

inline double price_unit(const AnyMerit& which, std::span<const double> list_prices) {
  return std::visit(
      [list_prices](const auto& one) {
        if constexpr (requires { one.price_unit(list_prices); }) return one.price_unit(list_prices);
        return 1.0;
      },
      which);
}

inline bool plans_components(const AnyMerit& which) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.plans_components(); }) return one.plans_components();
        return false;
      },
      which);
}

}  // namespace thriftwood
