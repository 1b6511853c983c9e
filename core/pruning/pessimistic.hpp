// Pessimistic pruning with subtree raising, as C4.5 release 8 does it.
//
//   estimate   of a leaf: the upper limit of its errors (error_bound.hpp); of a tree: the sum over its leaves
//   branch     what the node's heaviest branch is estimated at with all the node's cases, in the node's place
//   raising    putting that branch in the node's place
//   share      a case, or the part of a case with a missing value that went down one branch (shares.hpp)
//
// First the cases go down the tree from the root, with their initial weights; every node gets its class
// weights from them, and a new answer only where another class has strictly more weight.
//
// Then, from the bottom up, a node becomes a leaf if that is estimated no worse than both the branch and the
// tree. Otherwise the branch is raised if it is no worse than the tree, and is pruned again with all the
// node's cases. "No worse" allows 0.1 errors.
#pragma once

#include "../tree/tree.hpp"
#include "cases.hpp"
#include "error_bound.hpp"

namespace thriftwood {

struct PessimisticSettings {
  double cf = 0.25;
  bool subtree_raising = true;
  ZRule z = ZRule::Table;
};

struct PessimisticResult {
  Tree tree;                // weight, values, label and risk of every node are those of the given cases
  double estimated_errors;  // in cases; divide by the root's weight for C4.5's percentage
};

PessimisticResult prune_pessimistic(const Tree& tree, const Cases& cases, const PessimisticSettings& settings = {});

// The same without raising, from what the nodes of the tree count: for cases that are elsewhere.
Tree prune_pessimistic_counts(const Tree& tree, double cf, ZRule z);

}  // namespace thriftwood
