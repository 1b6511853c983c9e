// Cost-complexity pruning (CART): weakest link first.
//
//   risk R   of a node: its loss as a leaf, as a share of the root's weight; of a tree: the sum over leaves
//   alpha    the price of a leaf: T(alpha) is the smallest subtree with the least R + alpha * leaves
//   link g   (R(node) - R(tree below)) / (leaves below - 1): the alpha at which branches no longer pay
//   step     one of the nested trees T(alpha_1) > T(alpha_2) > ... > root, with the alpha it begins at
//   beta     the geometric mean of two neighbouring alphas: a step's typical alpha, for cross-validation
//
// Instead of pruning one weakest link after the other, each node learns the alpha at which it closes,
// children first: it carries a heap of the closings below it, and takes back, largest first, those that come
// later than its own. Every closing enters a heap once and leaves it once: O(nodes log nodes) for trees of
// any shape.
//
// Breiman et al. 1984, chapters 3 and 11.
#pragma once

#include <span>
#include <vector>

#include "../tree/tree.hpp"

namespace thriftwood {

// What R is made of: the loss of the answers (Node::risk), or the impurity times the weight (scikit-learn's
// ccp_alpha).
enum class RiskMeasure : std::uint8_t { Loss, Impurity };

struct CcpStep {
  double alpha;
  Index leaves;
  double risk;
};

// The first step has alpha 0 (branches that gain nothing are gone); alphas strictly increase. Nodes that
// close at the same alpha, to 1e-12 relatively, are one step.
std::vector<CcpStep> ccp_path(const Tree& tree, RiskMeasure measure = RiskMeasure::Loss);

// T(alpha). An alpha from the path gives that step's tree.
Tree prune_ccp(const Tree& tree, double alpha, RiskMeasure measure = RiskMeasure::Loss);

// One beta per step: 0 for the first, infinity for the last.
std::vector<double> ccp_betas(std::span<const CcpStep> path);

// A tree size with its cross-validated risk and that risk's standard error.
struct SizeEstimate {
  Index leaves;
  double risk;
  double standard_error;
};

// The standard error of a mean loss: that of the cases' losses divided by the root of their number.
double standard_error(std::span<const double> losses);

// The number of the smallest candidate whose risk is at most `standard_errors` standard errors above the
// smallest risk (the standard error being that of the smallest candidate with the smallest risk).
std::size_t choose_one_se(std::span<const SizeEstimate> candidates, double standard_errors = 1.0);

}  // namespace thriftwood
