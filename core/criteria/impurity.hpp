// How mixed a set of cases is. A set is summed up in a *cell*, a few numbers that add up:
//
//   classification   the weight of each class (width = number of classes)
//   regression       weight, weight * y, weight * y^2 (width = 3)
//
// An impurity gives the *cost* of a cell: its weight times the impurity per unit of weight. A split gains what the cost of the
// whole exceeds the summed cost of its branches, per unit of weight. Costs add up, so a criterion never sees rows.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace thriftwood {

using Cell = std::span<const double>;

template <class T>
concept Impurity = requires(const T& impurity, Cell cell, double weight) {
  { impurity.cost(cell, weight) } -> std::convertible_to<double>;
};

}  // namespace thriftwood
