#include "many_categories.hpp"

#include <algorithm>
#include <cmath>

namespace thriftwood {

namespace {

// More than the sum of all that is rounded, as a share of the weight: that is some 1e-13.
constexpr double rounding = 1e-9;

// Over all categories: how badly the node itself fits the cases, and twice how badly each category fits a case that it has not seen, less
// how badly it fits its own. Half of what is told of its own, node - own, is told of the unseen, node - left_out, if the node's is no less.
struct Fit {
  double node = 0.0;
  double unseen = 0.0;  // 2 left_out - own

  bool holds() const { return node >= unseen; }
};

std::vector<double> sum_of(const CategoryCells& cells) {
  std::vector<double> known(cells.width, 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    for (std::size_t i = 0; i < known.size(); ++i) known[i] += cells.cell(c)[i];
  return known;
}

double bits(double weight, double share) { return weight > 0.0 ? -weight * std::log2(share) : 0.0; }

Fit fit_of_classes(const Target& target, const CategoryCells& cells) {
  const std::vector<double> known = sum_of(cells);
  const double total = target.weight_of(known);
  Fit fit;
  for (std::size_t k = 0; k < known.size(); ++k) fit.node += bits(known[k], known[k] / total);
  // No category makes `unseen` less but by rounding: what is beyond this stays beyond the node. Most columns are beyond it after a few
  // categories, deep in a tree.
  const double settled = fit.node + rounding * (fit.node + total);
  for (std::size_t c = 0; c < cells.categories() && fit.unseen <= settled; ++c) {
    const Cell cell = cells.cell(c);
    const double weight = target.weight_of(cell);
    if (weight <= 0.0) continue;
    const double one = weight / std::max(1u, cells.cases[c]);
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (cell[k] <= 0.0) continue;
      const double left_out = std::max(0.0, cell[k] - one) + one * known[k] / total;  // the node counts as one case
      fit.unseen += bits(cell[k], left_out / weight * (left_out / cell[k]));          // one logarithm for both shares
    }
  }
  return fit;
}

Fit fit_of_numbers(const CategoryCells& cells) {
  const std::vector<double> known = sum_of(cells);
  const double mean = known[1] / known[0];
  Fit fit;
  for (std::size_t c = 0; c < cells.categories(); ++c) {
    const Cell cell = cells.cell(c);
    if (cell[0] <= 0.0) continue;
    const double around_node = cell[2] - 2.0 * mean * cell[1] + mean * mean * cell[0];
    const double around_own = std::max(0.0, cell[2] - cell[1] * cell[1] / cell[0]);
    const double n = cells.cases[c];
    // From the mean of the others a case is n / (n - 1) times as far as from its own.
    const double left_out = n < 2.0 ? around_node : around_own * (n / (n - 1.0)) * (n / (n - 1.0));
    fit.node += around_node;
    fit.unseen += 2.0 * left_out - around_own;
  }
  return fit;
}

}  // namespace

bool tells_of_new_cases(const Target& target, const CategoryCells& cells) {
  return (target.regression ? fit_of_numbers(cells) : fit_of_classes(target, cells)).holds();
}

}  // namespace thriftwood
