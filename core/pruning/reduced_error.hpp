// Reduced-error pruning: cut what does not help on cases that were held aside.
//
//   validation cases   the tree was not grown on them; a missing value counts at several leaves, by shares
//   loss               1 for a wrong answer, or what the mistake costs, or how far off a number is
//   gain of a node     how much less is lost if it becomes a leaf with the answer of its training cases
//
//   Greedy     again and again, the node with the largest gain, until every node would lose. Ties: the node
//              that removes most nodes, then the first in reading order (parents first, left to right)
//   BottomUp   one pass, children first; a node becomes a leaf if that loses nothing. Gives the best subtree
//              for the validation cases; the greedy loop can miss it by taking a parent whose children were
//              worth more one by one
//
// A node that no validation case reaches has no evidence for its branches: it is pruned.
#pragma once

#include <span>

#include "../tree/tree.hpp"
#include "cases.hpp"

namespace thriftwood {

enum class PruneOrder : std::uint8_t { Greedy, BottomUp };
enum class NumberLoss : std::uint8_t { Squared, Absolute };

// error_costs: [actual * width + predicted]; empty = 0 for the right class, 1 for any other.
Tree prune_reduced_error(const Tree& tree, const Cases& validation, PruneOrder order = PruneOrder::Greedy, std::span<const double> error_costs = {});

Tree prune_reduced_error(const Tree& tree, const NumberCases& validation, PruneOrder order = PruneOrder::Greedy,
                         NumberLoss loss = NumberLoss::Squared);

}  // namespace thriftwood
