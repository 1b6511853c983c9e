#include "expected_loss.hpp"

#include <numeric>
#include <vector>

#include "../criteria/leaf_cost.hpp"
#include "../tree/answer.hpp"
#include "cases.hpp"

namespace thriftwood {

namespace {

class ExpectedLoss {
 public:
  ExpectedLoss(std::vector<double> regret, std::vector<double> added) : regret_(std::move(regret)), added_(std::move(added)) {}

  // Of cases of these class weights that all get the cheapest answer.
  double of(std::span<const double> weights) const { return of(weights, cheapest_answer(smoothed(weights), regret_)); }

  // Of those that get the answer which is cheapest for others.
  double of(std::span<const double> weights, std::span<const double> others) const { return of(weights, cheapest_answer(smoothed(others), regret_)); }

 private:
  double of(std::span<const double> weights, Index answer) const {
    const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (weight <= 0.0) return 0.0;
    const std::vector<double> counted = smoothed(weights);
    return weight * expected_loss(counted, regret_, answer) / std::accumulate(counted.begin(), counted.end(), 0.0);
  }

  std::vector<double> smoothed(std::span<const double> weights) const {
    std::vector<double> sums(weights.begin(), weights.end());
    for (std::size_t c = 0; c < added_.size(); ++c) sums[c] += added_[c];
    return sums;
  }

  std::vector<double> regret_;
  std::vector<double> added_;
};

}  // namespace

Tree prune_expected_loss(const Tree& tree, std::span<const double> loss, const Smoothing& smoothing) {
  require_classes(tree, "Pruning by expected loss");
  const auto width = static_cast<std::size_t>(tree.width);
  check_loss(loss, width);
  const ExpectedLoss expected(regrets(loss, width), smoothing.added(tree.value(0)));
  Tree fresh = tree;
  std::vector<double> below(tree.nodes.size());  // by node: what its subtree is expected to lose
  for (Index i = tree.size() - 1; i >= 0; --i) {
    double& own = below[static_cast<std::size_t>(i)];
    own = expected.of(tree.value(i));
    const Node& node = tree.node(i);
    if (node.leaf()) continue;
    double branches = node.missing_route == route_stop ? expected.of(stopped_weights(tree, i), tree.value(i)) : 0.0;
    for (Index b = 0; b < node.n_children; ++b) branches += below[static_cast<std::size_t>(node.first_child + b)];
    if (clearly_greater(own, branches))
      own = branches;
    else
      make_leaf(fresh.node(i));
  }
  return compact(fresh);
}

}  // namespace thriftwood
