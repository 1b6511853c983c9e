// LASC: gain per suppressed price. G / (p c + 1 - p), where p = (share of the training weight at the node)^alpha and c is measured by a
// price of the list: near the root prices count in full, far below it hardly (Li, Topkara, Coskun & Memon 2009). The same holds for a
// *component*, a test with tests planned for its outcomes; see growing/components.hpp.
#pragma once

#include "facts.hpp"
#include "offer.hpp"
#include "parameter.hpp"

namespace thriftwood {

// What prices are measured by, among the list prices of all tests.
enum class PriceNorm : std::uint8_t { Largest, Mean, Sum, None };
inline constexpr std::array<std::string_view, 4> norm_words{"max", "mean", "sum", "none"};
// Near 0 prices count in full at every node, from 10 at the root alone.
inline constexpr std::array alpha_values{0.01, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0};

struct Lasc {
  double alpha = 1.0;
  PriceNorm norm = PriceNorm::Largest;
  bool lookahead = true;

  static constexpr auto parameters() {
    return std::tuple{
        number(&Lasc::alpha, "alpha", positive,
               "Prices count at a node by the share of the cases there to this power, so the larger it is, the less they count below the root.")
            .weighing_prices(alpha_values),
        choice(&Lasc::norm, "norm", norm_words, "What prices are measured by: the largest list price of a test, their mean or sum, or not at all."),
        flag(&Lasc::lookahead, "lookahead", "A test is weighed together with the tests it is best followed by. False: alone."),
    };
  }

  // What the gain is divided by; the price is the expected one of all tests together.
  static double expense(double price, const MeritRules& rules) { return rules.price_weight * price / rules.price_unit + (1.0 - rules.price_weight); }
  static Merit worth(double gain, double expense) {
    if (gain <= 0.0) return no_merit;
    return expense > 0.0 ? Merit{0, gain / expense} : Merit{1, gain};
  }
  static Merit merit(const Offer& offer, const MeritRules& rules) { return worth(offer.gain, expense(offer.price, rules)); }
};

namespace declared {
inline constexpr Declaration<Lasc> lasc{{
    .name = "lasc",
    .value_object = "Lasc",
    .formula = "I / (p C + 1 - p), p = (W/N)^alpha; I, C: gain and expected price of the test and of those planned for its outcomes",
    .reference = "Li, Topkara, Coskun & Memon 2009",
    .asks_prices = true,
    .two_outcomes = true,
}};
}  // namespace declared

}  // namespace thriftwood
