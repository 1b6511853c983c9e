// Learning a booster: in every round the loss (the logarithm of the true class's share, negated) is differentiated by the scores of each
// case, and a stage is grown that takes most of it away for the least money.
#pragma once

#include "../costs.hpp"
#include "booster.hpp"
#include "settings.hpp"

namespace thriftwood {

struct BoostInput {
  const Table& table;
  std::span<const Index> labels;
  std::size_t classes;
  std::span<const double> weights;         // empty: 1 each
  std::span<const std::uint8_t> held_out;  // 1: the case does not teach, it says when to end; empty: none
  const Prices* prices = nullptr;
};

struct Boosted {
  Booster booster;
  std::vector<double> held_out_loss;  // the mean before every stage and at the end; empty if no case is held out
  bool interrupted = false;           // there would have been more stages
};

// If it is interrupted, with the stages that are done; Interrupted is thrown on if there is none. Throws InputError unless everything fits
// together.
Boosted boost(const BoostInput& input, const BoostSettings& settings);

}  // namespace thriftwood
