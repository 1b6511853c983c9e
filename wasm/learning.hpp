// How a tree is learnt, as the page says it: lines of `name=value`, with the names of core/settings.hpp and Python's words for choices.
#pragma once

#include <string>
#include <string_view>

#include "pruning/cut.hpp"
#include "settings.hpp"
#include "tree/relabel.hpp"

namespace thriftwood::face {

enum class Pruned { Not, Pessimistic, ExpectedCost };

struct Learning {
  std::string lines;
  Settings settings;
  bool asks_prices = false;  // of the criterion
  Pruned pruned = Pruned::Not;
  PessimisticCut cut;
  Smoothing smoothing;
};

// Throws InputError that names the line.
Learning read_learning(std::string_view lines);

}  // namespace thriftwood::face
