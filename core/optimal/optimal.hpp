// The tree that costs the training cases least, up to a depth: search, and the finished tree.
//
// First a tree of good questions is made, each the beginning of the best tree of two levels for the cases at its node. The search then
// looks for a cheaper one until there is none, or until it is told to stop: what the tree costs and what every tree costs at least are
// known in either case. The result is the same whatever machine it runs on, unless time ends it.
#pragma once

#include <functional>
#include <vector>

#include "../basics/stopping.hpp"
#include "../tree/tree.hpp"
#include "question.hpp"

namespace thriftwood {

struct OptimalOutline {
  std::vector<OutlineNode> nodes;  // the root comes first, and every node before its branches
  double cost = 0.0;               // of all cases together: tests, answers and fees
  double lower = 0.0;              // no tree of this depth costs less
  bool exact() const { return lower >= cost; }
};

// `tell` is called now and then with the cost of the best tree so far and what every tree costs at least; false ends the search.
OptimalOutline find_optimal(const OptimalInput& input, const OptimalSettings& settings, Stop& stop,
                            const std::function<bool(double cost, double lower)>& tell = {});

// A good tree quickly (rollouts.hpp): `tried` questions are tried at every node. The lower bound is what is known without a search.
OptimalOutline roll_out(const OptimalInput& input, const OptimalSettings& settings, Stop& stop, std::size_t tried);

// The finished tree. Its answers are classes: of each node the one that costs its cases least, by answer_costs; of a branch that no case
// takes, that of the node above. Answers that are no class, those after the first `classes`, count in risks and gains, and become answers by
// `relabel`. `labels`: per row.
Tree to_tree(const OptimalOutline& outline, const OptimalInput& input, const OptimalSettings& settings, std::span<const Index> labels, Index classes);

}  // namespace thriftwood
