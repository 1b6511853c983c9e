// What one feature offers at a node: the best test it has there, as a criterion sees it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../basics/types.hpp"

namespace thriftwood {

inline constexpr std::uint32_t any_value = 0xffffffffu;  // a nominal test of known against missing

struct Offer {
  Index feature = -1;
  std::uint32_t position = 0;  // numeric: how many known cases (ordered column) or codes (coded column) lie below the cut, 0: known
                               // against missing; value against the others: the category, or any_value
  std::uint32_t next = 0;      // numeric, coded column: the lowest code above the cut that occurs
  bool admissible = false;     // has a test that keeps to the rules of growth
  bool constant = false;       // has one known value at the node, so has nothing to offer below it either
  bool counts_for_average = true;  // enters the mean of the average-gain rule
  bool has_missing = false;    // numeric: some case of the node has no value
  double gain = 0.0;           // per unit of the node's weight, after any penalty for the choice of cut
  double penalty = 0.0;
  double price = 0.0;          // what the test still costs at the node
  double known = 1.0;          // share of the node's weight that has a value
  double saving = 0.0;         // what the branches' leaf costs lack of the node's, per unit of its weight; filled if asked for
  double split_info = 0.0;     // bits needed to tell the branch of a case (missing values are a branch of their own); filled if asked for
  double left_weight = 0.0;    // numeric: known weight below the cut, and above it
  double right_weight = 0.0;
};

// What is so at a node, whatever the criterion; its parameters are members of its merit.
struct MeritRules {
  double average_gain = -infinity;  // offers below it are left out; -infinity switches the rule off
  double slack = 0.001;             // C4.5's epsilon
  double reach = 1.0;               // share of the training weight that is at the node
  double path_factor = 1.0;         // product of 1 / split information over the tests above the node
  bool paid_by_all = false;         // tests are paid upfront, by every case
  double price_weight = 1.0;        // how much prices count at the node; see hooks.hpp
  double price_unit = 1.0;          // what prices are measured by; see hooks.hpp
};

// The value of an offer, value * 2^scale. A higher tier beats any value of a lower one: by the limit of a ratio, tests that cost
// nothing and gain something come before all that cost something.
struct Merit {
  int tier = 0;
  double value = -infinity;
  std::int64_t scale = 0;
};

inline constexpr Merit no_merit{-1, -infinity};  // must not be chosen

inline bool better(const Merit& a, const Merit& b) {
  if (a.tier != b.tier) return a.tier > b.tier;
  if (a.scale == b.scale) return clearly_greater(a.value, b.value);
  constexpr std::int64_t beyond = 4000;  // no two doubles are further apart
  const auto apart = static_cast<int>(std::clamp(a.scale - b.scale, -beyond, beyond));
  return apart > 0 ? clearly_greater(std::ldexp(a.value, apart), b.value) : clearly_greater(a.value, std::ldexp(b.value, -apart));
}

// A ratio to a price, with its limit where the price is 0.
inline Merit per_price(const Offer& offer, double value, double price) {
  if (price > 0.0) return {0, value / price};
  return offer.gain > 0.0 ? Merit{1, offer.gain} : Merit{0, 0.0};
}

// A ratio to a power of a price, likewise. With an exponent of 1e6 most powers are no doubles: their binary exponent goes into the
// scale, or else all dear tests would look alike, and all cheap ones free.
inline Merit per_power(const Offer& offer, double value, double price, double exponent) {
  const double power = std::pow(price, exponent);
  if ((power > 1e-250 && power < 1e250) || !(price > 0.0)) return per_price(offer, value, power);
  const double bits = std::clamp(exponent * std::log2(price), -4e18, 4e18);
  const double whole = std::floor(bits);
  return {0, value / std::exp2(bits - whole), -static_cast<std::int64_t>(whole)};
}

// A price that counts as much as it does at the node: from 1, where prices do not count, to what it is in their unit.
inline double suppressed(double price, const MeritRules& rules) { return rules.price_weight * price / rules.price_unit + (1.0 - rules.price_weight); }

// A ratio to an expense, the suppressed price of one test or the expected one of several, with its limit where that is 0.
inline Merit per_expense(double gain, double expense) {
  if (gain <= 0.0) return no_merit;
  return expense > 0.0 ? Merit{0, gain / expense} : Merit{1, gain};
}

// A difference from a charge. What is charged and not worth it is no offer; what is free follows the rules of plain gain.
inline Merit worth_its_charge(double value, double charge, bool allow_negative) {
  if (charge > 0.0 && !clearly_greater(value, charge) && !allow_negative) return no_merit;
  return {0, value - charge};
}

}  // namespace thriftwood
