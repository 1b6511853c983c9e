// What answers cost: a matrix [actual][answer] of a row for each class. The first answers are the classes; further columns are of answers that
// are no class, such as "refer to an expert". An empty matrix: 1 for every mistake, and no other answers.
#pragma once

#include <span>
#include <string>

#include "types.hpp"

namespace thriftwood {

inline std::size_t answers_of(std::span<const double> loss, std::size_t classes) {
  return loss.empty() || loss.size() == classes * classes ? classes : loss.size() / classes;  // the division is slow, and rarely needed
}

inline bool fits_classes(std::span<const double> loss, std::size_t classes) {
  return loss.empty() || (loss.size() >= classes * classes && loss.size() % classes == 0);
}

inline void check_loss(std::span<const double> loss, std::size_t classes) {
  if (fits_classes(loss, classes)) return;
  throw InputError("The loss matrix has " + std::to_string(loss.size()) + " entries; " + std::to_string(classes) + " classes need " +
                   std::to_string(classes * classes) + " (actual by predicted), and as many again as there are classes for every further answer.");
}

}  // namespace thriftwood
