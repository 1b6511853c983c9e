// Answers by cost: every node of a tree gets the answer with the least expected loss for the classes seen
// there.
//
//   loss          loss[actual * answers + answer], the classes being the first answers; empty = 0 for the right answer, 1 for any other
//   class scale   a factor for each class's weight (altered priors, instance weights by class); empty = 1
//   smoothing     weight added to every class of a node: 1 each (Laplace), or m in proportion to the classes at the root (m-estimate)
//
// Ties keep the lowest class; a node that no training weight reached keeps its answer.
//
// Smoothing is added when shares are taken (Tree::smoothing); what a node holds stays what was counted, and risks do not change.
#pragma once

#include <span>
#include <vector>

#include "tree.hpp"

namespace thriftwood {

struct Smoothing {
  bool laplace = false;
  double m = 0.0;  // without laplace: of the m-estimate; 0 = none

  bool any() const { return laplace || m > 0.0; }
  // What is added to classes of these weights at the root; nothing without smoothing.
  std::vector<double> added(std::span<const double> root) const;
};

// Also sets each node's weight (the sum of its scaled class weights) and risk (the expected loss of its
// answer, summed over the weight); what smoothing adds changes answers and shares, not these.
void relabel(Tree& tree, std::span<const double> loss = {}, std::span<const double> class_scale = {}, const Smoothing& smoothing = {});

}  // namespace thriftwood
