// Moving cases to their branches, each branch keeping its sequence.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "desk.hpp"

namespace thriftwood {

// Two branches, every case in one of them. Both writes happen for every case, so there is no jump to mispredict. `spare` has room for
// all.
template <class T>
void partition_two(T* data, std::size_t n, const Side* side_at, T* spare) {
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const T item = data[i];
    const std::size_t goes_right = side_at[i];
    data[left] = item;
    spare[right] = item;
    left += 1 - goes_right;
    right += goes_right;
  }
  std::memcpy(data + left, spare, right * sizeof(T));
}

// Only the cases of one branch, moved to the front: what a split needs whose other branch is a leaf.
template <class T>
void keep_one(T* data, std::size_t n, const Side* side_at, Side wanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    data[kept] = data[i];
    kept += side_at[i] == wanted;
  }
}

// Any number of branches; cases whose side is no branch are dropped.
template <class T>
void partition_many(T* data, std::size_t n, const Side* side_at, T* spare, std::span<const std::uint32_t> counts) {
  std::vector<std::size_t> next(counts.size());
  std::size_t start = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    next[b] = start;
    start += counts[b];
  }
  for (std::size_t i = 0; i < n; ++i)
    if (side_at[i] < counts.size()) spare[next[side_at[i]]++] = data[i];
  std::memcpy(data, spare, start * sizeof(T));
}

// The same for an order, whose entries say by a bit that a new value begins. Returns the size of the left branch.
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
  std::memcpy(entries + left, spare, right * sizeof(Entry));
  return static_cast<std::uint32_t>(left);
}

// `sizes` receives the size of each branch; branches follow each other.
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
  std::memcpy(entries, spare, start * sizeof(Entry));
}

}  // namespace thriftwood
