// LASC: gain per suppressed price. G / (p c + 1 - p), where p = (share of the training weight at the node)^alpha and c is measured by a
// price of the list: near the root prices count in full, far below it hardly (Li, Topkara, Coskun & Memon 2009). The same holds for a
// *component*, a test with tests planned for its outcomes; see growing/components.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

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

  double price_weight(double reach) const { return std::pow(reach, alpha); }
  double price_unit(std::span<const double> list_prices) const {
    if (norm == PriceNorm::None || list_prices.empty()) return 1.0;
    double largest = 0.0, sum = 0.0;
    for (double price : list_prices) {
      largest = std::max(largest, price);
      sum += price;
    }
    const double unit = norm == PriceNorm::Largest ? largest : norm == PriceNorm::Sum ? sum : sum / static_cast<double>(list_prices.size());
    return unit > 0.0 ? unit : 1.0;  // where all is free, any unit will do
  }
  bool plans_components() const { return lookahead; }
  static Merit merit(const Offer& offer, const MeritRules& rules) { return per_expense(offer.gain, suppressed(offer.price, rules)); }
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
