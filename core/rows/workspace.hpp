// The workspace of one thread while it grows a tree. Nothing here outlives the call.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "../costs.hpp"
#include "../splitting/code_counter.hpp"
#include "../splitting/exact_numbers.hpp"
#include "../splitting/nominal.hpp"
#include "../splitting/presort.hpp"
#include "../splitting/target.hpp"

namespace thriftwood {

// Where a case of the node at hand goes. Branches take the numbers below these two.
using Side = std::uint16_t;
inline constexpr Side everywhere = 0xffff;  // down every branch, by weight
inline constexpr Side stays = 0xfffe;       // the case ends at the node
inline constexpr Index most_branches = 0xfff0;

// How a split divides the cases of a node, before anything is moved.
struct Division {
  std::vector<Summary> branches;
  std::vector<std::uint32_t> counts;  // cases in each branch, those that go everywhere not included
  std::uint32_t spread = 0;           // cases that go everywhere
  Index feature = -1;                 // cases elsewhere: the feature that divides them,
  std::vector<Side> side_of_code;     //   and the branch of each of its codes, the last one of missing values
  std::vector<double> shares;         // of a case that goes everywhere, by branch: its known weight over all known weight
};

// Everything is kept from node to node, so that a small node costs no allocation.
struct Workspace {
  int worker = 0;                      // the thread it belongs to, see ThreadPool::run
  std::vector<Side> side_at;           // by place in the part
  std::vector<Side> side;              // by row of the table; filled where orders have to be divided
  std::vector<double> weights;         // by row of the table; filled for nodes whose cases were split into fractions
  std::vector<double> numbers;         // by row of the table: what to predict, from the node's centre; for the squared error
  std::vector<std::int64_t> units;     // by place in the part: the same where sums are exact, see splitting/exact_numbers.hpp
  std::vector<std::int64_t> weight_units;  // by place, where those sums are weighted
  std::vector<NumberSums> number_sums; // by code; zero between uses
  std::vector<std::uint32_t> rank;     // by row of the table: place of its number in `ranked`; for the absolute error
  std::vector<double> ranked;          // the node's distinct numbers in order
  CategoryCells categories;
  CodeCounter code_counter;
  StripSums strip_sums;                // of the node's cases; filled where the table has strips and cases count 1
  std::vector<double> known, left;     // cells
  std::vector<Entry> entries;          // room for dividing or making an order
  std::vector<std::uint32_t> from;     // the places of the cases that move, branch after branch
  std::vector<std::byte> spare;        // room for moving them
  std::vector<Offer> offers;
  std::vector<std::size_t> places;     // of features, in the order they are asked when some are drawn
  Division division;
  std::optional<Basket> basket;        // what is paid at the node at hand
  std::vector<std::uint8_t> affordable;   // by place in part.features, where there is a budget; else empty
  std::vector<std::uint8_t> may_stand_in; // by feature, where there is a budget: whether it may be a surrogate; else empty
  std::vector<std::size_t> kept;       // places in part.features of the features that stay testable
  std::vector<std::uint32_t> next;     // by branch: where its next case goes
};

}  // namespace thriftwood
