// Answers by cost: every node of a tree gets the answer with the least expected loss for the classes seen
// there.
//
//   loss          loss[actual * width + predicted]; empty = 0 for the right answer, 1 for any other
//   class scale   a factor for each class's weight (altered priors, instance weights by class); empty = 1
//
// Ties keep the lowest class; a node that no training weight reached keeps its answer.
#pragma once

#include <span>

#include "tree.hpp"

namespace thriftwood {

// Also sets each node's weight (the sum of its scaled class weights) and risk (the expected loss of its
// answer, summed over the weight).
void relabel(Tree& tree, std::span<const double> loss = {}, std::span<const double> class_scale = {});

}  // namespace thriftwood
