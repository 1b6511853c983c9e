// Moving cases to their branches, each branch keeping its sequence.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "workspace.hpp"

namespace thriftwood {

// Puts the cases that stand at the places `from` one after the other to the front.
template <class T>
void move_cases(T* data, std::span<const std::uint32_t> from, std::vector<std::byte>& spare) {
  std::array<T, 512> few;  // most nodes are small; they need not look at `spare`
  T* to = few.data();
  if (from.size() > few.size()) {
    spare.resize(std::max(spare.size(), from.size() * sizeof(T)));
    to = reinterpret_cast<T*>(spare.data());
  }
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = data[from[i]];
  std::copy_n(to, from.size(), data);
}

// Divides an order in two, every row being in one branch. Both writes happen for every entry, so there is no jump to mispredict. Returns
// the size of the left branch.
inline std::uint32_t divide_order_in_two(Entry* entries, std::size_t n, const Side* side, Entry* spare) {
  Entry carried_left = 0, carried_right = 0;
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry entry = entries[i];
    const Row row = entry & row_mask;
    const Entry goes_right = side[row];
    carried_left |= entry & new_value;
    carried_right |= entry & new_value;
    entries[left] = row | carried_left;
    spare[right] = row | carried_right;
    left += 1 - goes_right;
    right += goes_right;
    carried_left &= 0u - goes_right;
    carried_right &= goes_right - 1u;
  }
  std::copy_n(spare, right, entries + left);
  return static_cast<std::uint32_t>(left);
}

// The same where no two rows of the table have the same value: every entry stays a new one.
inline std::uint32_t divide_distinct_in_two(Entry* entries, std::size_t n, const Side* side, Entry* spare) {
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry entry = entries[i];
    const Side goes_right = side[entry & row_mask];
    entries[left] = entry;
    spare[right] = entry;
    right += goes_right;
    left += 1u - goes_right;
  }
  std::copy_n(spare, right, entries + left);
  return static_cast<std::uint32_t>(left);
}

// Any number of branches; rows whose side is no branch are dropped. `sizes` receives the size of each branch; branches follow each other.
inline void divide_order(Entry* entries, std::size_t n, const Side* side, Entry* spare, std::size_t branches, std::vector<std::uint32_t>& sizes) {
  sizes.assign(branches, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Side s = side[entries[i] & row_mask];
    if (s < branches) ++sizes[s];
  }
  std::vector<std::uint32_t> next(branches), last_value(branches, 0);
  std::uint32_t start = 0;
  for (std::size_t b = 0; b < branches; ++b) {
    next[b] = start;
    start += sizes[b];
  }
  std::uint32_t value = 1;  // number of the value at hand; an entry is new to its branch if the branch saw another one last
  for (std::size_t i = 0; i < n; ++i) {
    const Row row = entries[i] & row_mask;
    value += (entries[i] & new_value) != 0;
    const Side s = side[row];
    if (s >= branches) continue;
    spare[next[s]++] = row | (last_value[s] != value ? new_value : 0);
    last_value[s] = value;
  }
  std::copy_n(spare, start, entries);
}

}  // namespace thriftwood
