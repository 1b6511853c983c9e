// Every numeric column sorted once. A column's *order* lists its known rows by ascending value; an entry is a row number whose
// top bit says "the value differs from the entry before". Keeping only some rows of an order, in sequence, keeps it an order (the
// bits of the entries left out are handed on), so nodes never sort and never look at values while they search.
#pragma once

#include <memory>
#include <vector>

#include "../parallel.hpp"
#include "../table.hpp"

namespace thriftwood {

using Entry = std::uint32_t;
inline constexpr Entry new_value = 0x80000000u;
inline constexpr Entry row_mask = 0x7fffffffu;

struct Presorted {
  std::vector<std::vector<Entry>> order;  // by feature; empty for nominal ones
  std::vector<double> smallest_gap;       // by feature: least distance between neighbouring values
};

Presorted presort(const Table& table, Team& team, bool with_gaps);

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
