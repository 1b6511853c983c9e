#include "many_categories.hpp"

#include <algorithm>
#include <cmath>

namespace thriftwood {

namespace {

// Over all categories: how badly the node itself fits the cases, each category its own, and each category a case that it has not seen.
struct Fit {
  double node = 0.0;
  double own = 0.0;
  double left_out = 0.0;

  bool holds() const { return node - left_out >= 0.5 * (node - own); }
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
  for (std::size_t c = 0; c < cells.categories(); ++c) {
    const Cell cell = cells.cell(c);
    const double weight = target.weight_of(cell), one = weight / std::max(1u, cells.cases[c]);
    for (std::size_t k = 0; k < known.size(); ++k) {
      const double others = std::max(0.0, cell[k] - one);
      fit.own += bits(cell[k], cell[k] / weight);
      fit.left_out += bits(cell[k], (others + one * known[k] / total) / weight);  // the node counts as one case
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
    fit.node += around_node;
    fit.own += around_own;
    if (cells.cases[c] < 2) {
      fit.left_out += around_node;
      continue;
    }
    const double farther = cells.cases[c] / (cells.cases[c] - 1.0);  // from the mean of the others than from its own
    fit.left_out += around_own * farther * farther;
  }
  return fit;
}

}  // namespace

bool tells_of_new_cases(const Target& target, const CategoryCells& cells) {
  return (target.regression ? fit_of_numbers(cells) : fit_of_classes(target, cells)).holds();
}

}  // namespace thriftwood
