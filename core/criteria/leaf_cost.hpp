// Leaf cost: what the mistakes in a cell cost if it gets one answer, the cheapest. min over answers of sum_c W_c * loss[c][answer]
// (Ling, Yang, Wang & Zhang 2004).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "../basics/loss.hpp"
#include "../basics/types.hpp"
#include "facts.hpp"
#include "gain.hpp"
#include "impurity.hpp"

namespace thriftwood {

// What one of so many answers to a cell costs. `loss` is as in basics/loss.hpp.
inline double answer_cost(Cell cell, double weight, std::span<const double> loss, std::size_t answers, std::size_t answer) {
  if (loss.empty()) return std::max(0.0, weight - cell[answer]);
  double sum = 0.0;
  for (std::size_t actual = 0; actual < cell.size(); ++actual) sum += cell[actual] * loss[actual * answers + answer];
  return std::max(0.0, sum);  // sums that cases were taken from may be a hair below 0
}

struct LeafCost {
  std::span<const double> loss;  // not negative, see `regrets`

  double cost(Cell cell, double weight) const {
    const std::size_t answers = answers_of(loss, cell.size());
    double least = infinity;
    for (std::size_t answer = 0; answer < answers; ++answer) least = std::min(least, answer_cost(cell, weight, loss, answers, answer));
    return least;
  }
};

// What an answer costs more than the best answer for the same class. A split leaves the weight of every class as it is, so what it
// saves is the same in regrets as in costs; and regrets are not negative where right answers pay or benefit.
inline std::vector<double> regrets(std::span<const double> loss, std::size_t classes) {
  std::vector<double> regret(loss.begin(), loss.end());
  const auto answers = static_cast<std::ptrdiff_t>(answers_of(loss, classes));
  for (auto row = regret.begin(); row != regret.end(); row += answers) {
    const double least = *std::min_element(row, row + answers);
    std::for_each(row, row + answers, [least](double& entry) { entry -= least; });
  }
  return regret;
}

namespace declared {
inline constexpr Declaration<Gain> leaf_cost{{
    .name = "leaf-cost",
    .impurity = ImpurityName::LeafCost,
    .formula = "L - sum_v L_v",
    .reference = "the cost of mistakes alone; by row Correa Bahnsen, Aouada & Ottersten 2015",
    .asks_errors = true,
}};
}  // namespace declared

}  // namespace thriftwood
