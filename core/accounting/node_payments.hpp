// What the tests of a tree cost where they stand. A test is paid once per case, so its price depends on what the way to it has paid for:
//
//   sequential   a node pays for its own test; if that is delayed, for every test of the subtree at once
//   upfront      the whole tree is paid before anything happens: each test's price stands at the first node that asks it, and the bill is
//                the same everywhere
//
// Where missing values are free, the cases of a branch for missing values have not paid for that test, nor for what would have been
// ordered with it. Surrogates are not part of these prices: they are asked only when the test itself has no answer.
#pragma once

#include <utility>
#include <vector>

#include "till.hpp"

namespace thriftwood {

struct NodePayments {
  std::vector<std::pair<Index, std::vector<Bought>>> orders;  // nodes whose test was not paid before, with what is bought there
  std::vector<double> bill;  // per node: what a case has paid when it arrives there, rounded once
};

// Throws InputError unless there is a price for every feature of the tree.
NodePayments node_payments(const Tree& tree, const Prices& prices);

}  // namespace thriftwood
