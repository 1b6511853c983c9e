// Smoothed cost: what the mistakes in a cell cost on average if its answer is drawn, each with a chance in inverse proportion to what it
// costs. That is the harmonic mean of the answers' costs; for two classes 2 C_P C_N / (C_P + C_N) (CSTree: Ling, Sheng, Bruckhaus &
// Madhavji 2006; more than two classes are our reading). It is concave, so no split makes it larger.
#pragma once

#include "leaf_cost.hpp"

namespace thriftwood {

struct SmoothedCost {
  std::span<const double> loss;  // see LeafCost

  double cost(Cell cell, double weight) const {
    double reciprocals = 0.0;
    const std::size_t answers = answers_of(loss, cell.size());
    for (std::size_t answer = 0; answer < answers; ++answer) {
      const double cost = answer_cost(cell, weight, loss, answers, answer);
      if (cost <= 0.0) return 0.0;
      reciprocals += 1.0 / cost;
    }
    return static_cast<double>(answers) / reciprocals;
  }
};

}  // namespace thriftwood
