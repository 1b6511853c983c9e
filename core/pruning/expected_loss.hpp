// Pruning by expected loss: from the last node to the first, a node becomes a leaf if that is not expected to lose more than its
// branches do.
//
//   loss of a leaf   its weight times the expected loss of the cheapest answer, by smoothed class shares:
//                    W * min over answers of sum_c p_c * regret[c][answer], p_c = (W_c + a_c) / (W + sum a)
//   regret           what an answer costs more than the best one for the class. The best one's cost is paid whatever is answered, and
//                    smoothing, which moves weight between classes, must not make it look like a loss of the leaf
//
// Bradford, Kunz, Kohavi, Brunk & Brodley 1998, with Laplace's smoothing.
#pragma once

#include <span>

#include "../tree/relabel.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

// loss: [actual * classes + predicted]; empty: 1 for every mistake. The tree has the weights it is to be judged by.
Tree prune_expected_loss(const Tree& tree, std::span<const double> loss = {}, const Smoothing& smoothing = {});

}  // namespace thriftwood
