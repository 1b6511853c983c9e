// Tests of one nominal column at a node, found from the cells of its categories.
//
//   multiway   one branch per declared category
//   grouped    C4.5: categories merged two by two while the gain ratio rises
//   binary     CART: two sets; in the order of the class share (two classes) or the mean (numbers) only contiguous sets can be
//              best; with more classes all subsets of up to `max_exhaustive` categories, beyond that the order along the first
//              principal component of the class shares (a heuristic)
//   value      one category against all others
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../settings.hpp"
#include "target.hpp"

namespace thriftwood {

// The cells of a nominal column at a node: one per category, then one for the cases without a known category.
struct CategoryCells {
  std::size_t width = 0;
  std::vector<double> sums;          // (categories + 1) * width
  std::vector<std::uint32_t> cases;  // how many cases each has; empty unless it has to be known, see many_categories.hpp

  void clear(std::size_t categories, std::size_t cell_width) {
    width = cell_width;
    sums.assign((categories + 1) * width, 0.0);
    cases.clear();
  }
  std::size_t categories() const { return sums.size() / width - 1; }
  std::span<double> cell(std::size_t c) { return {sums.data() + c * width, width}; }
  Cell cell(std::size_t c) const { return {sums.data() + c * width, width}; }
  Cell missing() const { return cell(categories()); }
};

// What the search needs to know of the node and the rules.
struct NominalSearch {
  const Target& target;
  const Settings& settings;
  bool whole_weights = false;  // every case counts a whole number, so tables of logarithms may be used
  double node_weight = 0.0;
};

struct NominalTest {
  std::vector<Index> branch_of;  // by category; -1 = no case of the node has it (binary tests only)
  Index branches = 0;
  double cost = 0.0;             // summed over the branches
  Index value = 0;               // value tests: the category that has branch 0 to itself; -1: every category is in branch 0
};

// The partition of the categories that the settings ask for; branches == 0 if there is none. Where categories cannot be told apart and
// missing values have a branch of their own, it is `known_test`.
NominalTest partition_categories(const NominalSearch& search, const CategoryCells& cells);

// Known against missing: one branch for every category.
NominalTest known_test(const NominalSearch& search, const CategoryCells& cells);

// The test of one category against all others, those that no case of the node has included.
NominalTest value_test(const NominalSearch& search, const CategoryCells& cells, Index value);

// Bits needed to tell the branch of a case; `missing` is the weight of a further branch.
double split_information(std::span<const double> branch_weights, double missing, double total);

}  // namespace thriftwood
