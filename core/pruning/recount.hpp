// Counts cases at the nodes of a tree that was grown on something else, such as what their answers save them: every node gets the
// weight of each class among the cases that reach it, and the answer that costs these cases least in all.
//
//   answer costs   costs[row * width + answer]: what that answer costs that case
//   loss           what answers cost by class, as in ../tree/relabel.hpp; decides for a case that ends at several nodes
//   smoothing      as in ../tree/relabel.hpp; weight of a class that is added counts at the class's mean costs, the loss
//
// A tree of one class more than the costs have counts votes for no answer in its last class, which cases do not have: it is left out.
// Ties keep the lowest class; a node that no case reaches answers as its parent does. Gains and impurities stay what they were in all
// (times weight), so that they still add up.
#pragma once

#include <span>

#include "../tree/relabel.hpp"
#include "cases.hpp"

namespace thriftwood {

void recount(Tree& tree, const Cases& cases, std::span<const double> answer_costs, std::span<const double> loss, const Smoothing& smoothing = {});

// The same from counts: ended[node * width + class] is the weight of the cases of the class that end at the node, each of them at one. What
// answers cost is the loss.
void recount_ended(Tree& tree, std::span<const double> ended, std::span<const double> loss, const Smoothing& smoothing = {});

}  // namespace thriftwood
