// How mixed a set of cases is. A set is summed up in a *cell*, a few numbers that add up:
//
//   classification   the weight of each class (width = number of classes)
//   regression       weight, weight * y, weight * y^2 (width = 3)
//
// An impurity gives the *cost* of a cell: its weight times the impurity per unit of weight. A split gains what the cost of the
// whole exceeds the summed cost of its branches, per unit of weight. Costs add up, so a criterion never sees rows.
//
// A cut is always placed by gain; the criterion's merit (gain, gain ratio, or either against the price) chooses between features. Where the
// impurity is in money, so is the gain: C4.5's rules in bits do not apply to it. Gains closer than 1e-12, relatively, tie; ties keep the
// lowest feature, then the lowest cut, and a gain that rounding alone could make is no gain.
//
// What mistakes cost is seen as regrets: what an answer costs more than the best one for the class. No split changes the difference, and
// no pruning rule may depend on it: those that smooth or bound what is lost count regrets too.
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
