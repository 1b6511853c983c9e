// What the cases of a node of a growing tree have bought, where growth keeps to a budget: no case of any table is to pay more for tests,
// whichever of its values are missing, and whatever pruning leaves of the tree.
//
//   settled   Tests bought in a known order: those on the way to the node. Not where missing values are free, for a test that is missing
//             opens no discount; nor where pruning may take a test out of the way. Then any order is reckoned with, and the dearest
//             counts (accounting/dearest.hpp).
//   order     A delayed test is paid together with all tests of its subtree, by every case that comes to it, and upfront all tests of the
//             tree are: the nodes concerned spend together. So what one branch has ordered costs the other nothing more, and which comes
//             first in the bill is not known while the tree grows.
//   stand-in  A surrogate is bought by the cases that need it. It may be one only where that adds nothing to the bill.
#pragma once

#include <cstddef>
#include <vector>

#include "../settings.hpp"

namespace thriftwood {

struct Spending {
  std::vector<Index> tests;  // each once
  std::size_t settled = 0;   // so many are bought first, in this order
  bool ordered = false;      // the tests that are not settled are paid by all cases of the subtree

  bool has(Index test) const;
  // The test is bought, too.
  void add(const Budget& budget, Index test);
  // The largest bill of a case that bought these, and `more` if that is a test. The basket is there to be filled.
  double most(Basket& basket, Index more = -1) const;
};

// Whether the order of tests on a way down the tree is known.
inline bool settles(const Budget& budget) { return budget.prices->bought_alike() && !budget.tests_may_go && !budget.prices->upfront(); }

// Whether subtrees may spend together.
bool may_order(const Budget& budget);

}  // namespace thriftwood
