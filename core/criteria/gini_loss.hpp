// Gini index with a loss matrix: what the mistakes cost on average if a case of the cell is called what another one is. sum over i, j of
// L(i, j) p_i p_j (Breiman et al. 1984). It sees L(i, j) + L(j, i) only, so for two classes it is a multiple of the gini index, blind to
// which mistake is the dearer one; and with more it need not be concave: a split can make it larger.
#pragma once

#include <span>

#include "facts.hpp"
#include "gain.hpp"
#include "impurity.hpp"

namespace thriftwood {

struct GiniLoss {
  std::span<const double> loss;  // see LeafCost: what a row is less by is the same before and after a split

  double cost(Cell cell, double weight) const {
    if (weight <= 0.0) return 0.0;
    double sum = 0.0;
    for (std::size_t actual = 0; actual < cell.size(); ++actual)
      for (std::size_t answer = 0; answer < cell.size(); ++answer)
        sum += cell[actual] * cell[answer] * (loss.empty() ? (actual == answer ? 0.0 : 1.0) : loss[actual * cell.size() + answer]);
    return sum / weight;
  }
};

namespace declared {
inline constexpr Declaration<DecreaseOnly> gini_loss{{
    .name = "gini-loss",
    .impurity = ImpurityName::GiniLoss,
    .formula = "decrease of sum L_ij p_i p_j",
    .reference = "Breiman, Friedman, Olshen & Stone 1984; L_ij: what answer j costs for class i",
    .asks_errors = true,
}};
}  // namespace declared

}  // namespace thriftwood
