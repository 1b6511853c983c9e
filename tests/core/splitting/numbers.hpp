// Random numbers and small targets for the tests of splitting.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "splitting/presort.hpp"
#include "splitting/target.hpp"

namespace thriftwood {

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }
inline double unit(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// The order of numbers, by comparison.
inline std::vector<Entry> plain_order(const std::vector<double>& numbers) {
  std::vector<Entry> rows;
  for (std::size_t r = 0; r < numbers.size(); ++r)
    if (!std::isnan(numbers[r])) rows.push_back(static_cast<Entry>(r));
  std::stable_sort(rows.begin(), rows.end(), [&](Entry a, Entry b) { return numbers[a] < numbers[b]; });
  std::vector<Entry> order = rows;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i == 0 || numbers[rows[i]] != numbers[rows[i - 1]]) order[i] |= new_value;
  return order;
}

// As plain_order, except that the first entry of a part need not be marked: nothing stands before it.
inline bool same_order(const std::vector<Entry>& got, const std::vector<Entry>& wanted) {
  if (got.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if ((got[i] & row_mask) != (wanted[i] & row_mask)) return false;
    if (i > 0 && got[i] != wanted[i]) return false;
  }
  return true;
}

}  // namespace thriftwood
