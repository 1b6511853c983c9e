// Collapse: the first tidying of a grown C4.5 tree, on the training cases alone.
//
//   errors     of a leaf: the training weight that is not of the leaf's class; of a tree: the sum over leaves
//   collapse   a node whose branches together make as many errors as it would as a leaf becomes that leaf
//
// From the last node to the first: children are settled before their parent asks.
#pragma once

#include "../tree/tree.hpp"

namespace thriftwood {

// A split must save more errors than this to stay.
inline constexpr double collapse_margin = 1e-3;

Tree collapse(const Tree& tree);

}  // namespace thriftwood
