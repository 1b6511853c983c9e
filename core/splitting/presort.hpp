// Every numeric column sorted once. A column's *order* lists its known rows by ascending value; an entry is a row number whose
// top bit says "the value differs from the entry before". Keeping only some rows of an order, in sequence, keeps it an order (the
// bits of the entries left out are handed on), so nodes never sort and never look at values while they search.
#pragma once

#include <span>
#include <vector>

#include "../basics/thread_pool.hpp"
#include "../table.hpp"

namespace thriftwood {

using Entry = std::uint32_t;
inline constexpr Entry new_value = 0x80000000u;
inline constexpr Entry row_mask = 0x7fffffffu;

// Workspace of one sorting thread.
struct SortPair {
  std::uint64_t key;
  Row row;
};
struct SortSpace {
  std::vector<double> numbers;                      // the column, read once
  std::vector<std::uint64_t> narrow, narrow_spare;  // 32-bit key above the row number
  std::vector<SortPair> wide, wide_spare;
  std::vector<std::uint32_t> counts;
};

// Reads neighbouring columns together: in a row-major table they share cache lines.
void read_columns(const Table& table, std::span<const Index> features, std::vector<std::vector<double>>& numbers);
// Sorts what `space.numbers` holds; entries are places in it.
void sort_numbers(SortSpace& space, std::vector<Entry>& order);
// Least distance between neighbouring values of the column sorted last.
double smallest_gap(const SortSpace& space, const std::vector<Entry>& order);

// The entries whose row passes `keep`, with the bits of the others handed on.
template <class Keep>
std::size_t filter(const Entry* from, std::size_t n, Entry* to, Keep&& keep) {
  Entry carried = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry row = from[i] & row_mask;
    carried |= from[i] & new_value;
    to[kept] = row | carried;
    const bool stays = keep(row);
    kept += stays;
    carried = stays ? 0 : carried;
  }
  return kept;
}

}  // namespace thriftwood
