// What a criterion says of itself, in the file that has its formula: all that the others need to know of it.
#pragma once

#include <cstdint>
#include <string_view>

namespace thriftwood {

enum class ImpurityName : std::uint8_t { Gini, Entropy, SquaredError, AbsoluteError, LeafCost, SmoothedCost, GiniLoss };

// Whether what a split takes from the impurity is money: what it saves of the cost of mistakes.
constexpr bool in_money(ImpurityName impurity) {
  return impurity == ImpurityName::LeafCost || impurity == ImpurityName::SmoothedCost || impurity == ImpurityName::GiniLoss;
}

constexpr bool predicts_numbers(ImpurityName impurity) { return impurity == ImpurityName::SquaredError || impurity == ImpurityName::AbsoluteError; }

struct Facts {
  std::string_view name;            // as users write it
  std::string_view value_object{};  // the name of the class in Python that holds its parameters; empty: it has none
  ImpurityName impurity = ImpurityName::Entropy;
  std::string_view formula;         // what it makes as large as it can; the letters are explained in docs/algorithms.md
  std::string_view reference;
  bool asks_prices = false;         // looks at what tests cost
  bool asks_split_info = false;     // looks at the split information
  bool asks_errors = false;         // looks at what mistakes cost
  bool asks_saving = false;         // beside its impurity: see Offer
  bool averages_gain = false;       // C4.5's rule of average gain goes with it: it is in bits, and not by gain alone
  bool two_outcomes = false;        // plans for the outcomes of a test, which must be two

  constexpr bool predicts_numbers() const { return thriftwood::predicts_numbers(impurity); }
  constexpr bool gain_in_money() const { return thriftwood::in_money(impurity); }
  // Whether prices and error costs must be in one unit. The gini index with a loss matrix counts mistakes that no answer makes.
  constexpr bool in_money() const { return asks_errors && impurity != ImpurityName::GiniLoss; }
};

// The facts of a criterion, and the merit that chooses between features by it.
template <class Chosen>
struct Declaration {
  using Merit = Chosen;
  Facts facts;
};

}  // namespace thriftwood
