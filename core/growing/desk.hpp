// The workspace of one thread while it grows a tree. Nothing here outlives the call.
#pragma once

#include <vector>

#include "../splitting/absolute.hpp"
#include "../splitting/nominal.hpp"
#include "../splitting/presort.hpp"

namespace thriftwood {

// Where the rows of the node at hand go. Branches take the numbers below these two.
using Side = std::uint16_t;
inline constexpr Side everywhere = 0xffff;  // down every branch, by weight
inline constexpr Side stays = 0xfffe;       // the case ends at the node
inline constexpr Index most_branches = 0xfff0;

struct Desk {
  std::vector<Side> side;              // by row of the table
  std::vector<double> weights;         // by row of the table; filled for nodes whose cases were split into fractions
  std::vector<std::uint32_t> rank;     // by row of the table: place of its number in `ranked`; for the absolute error
  std::vector<double> ranked;          // the node's distinct numbers in order
  CategoryCells categories;
  std::vector<double> known, left;     // cells
  std::vector<Entry> entries;          // for partitioning an order
  std::vector<Offer> offers;
};

}  // namespace thriftwood
