// Words used everywhere in the core.
//
//   row       a case of the table, numbered from 0
//   feature   a column of the table; measuring it for a case is a *test*, and tests have prices
//   code      a category of a nominal feature, numbered from 0
//   weight    how much a case counts; a case with a missing value may be spread over several branches
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace thriftwood {

using Row = std::uint32_t;
using Index = std::int32_t;

inline constexpr Index missing_code = -1;  // no value was recorded
inline constexpr Index unseen_code = -2;   // a category that the training table did not have

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Scores closer than this, relatively, are a tie; ties keep the earlier candidate (algorithms: lowest feature, lowest cut).
inline constexpr double tie_tolerance = 1e-12;

inline bool clearly_greater(double a, double b) {
  if (b == -infinity) return a > b;
  return a > b + tie_tolerance * (b < 0 ? -b : b);
}

// Input that the caller can mend; the binding turns it into Python's ValueError.
struct InputError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace thriftwood
