#include "relabel.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "answer.hpp"

namespace thriftwood {

namespace {

void check(const Tree& tree, std::span<const double> loss, std::span<const double> class_scale, const Smoothing& smoothing) {
  const auto k = static_cast<std::size_t>(tree.width);
  if (tree.regression) throw InputError("Only a classification tree has labels to set, and this tree predicts numbers.");
  check_loss(loss, k);
  if (!class_scale.empty() && class_scale.size() != k)
    throw InputError("There are " + std::to_string(class_scale.size()) + " class factors for " + std::to_string(k) + " classes.");
  for (double entry : loss)
    if (!std::isfinite(entry)) throw InputError("The loss matrix has an entry that is not finite: " + std::to_string(entry) + ".");
  for (double factor : class_scale)
    if (!(std::isfinite(factor) && factor >= 0.0))
      throw InputError("Class factors are finite and not negative; one is " + std::to_string(factor) + ".");
  if (!(std::isfinite(smoothing.m) && smoothing.m >= 0.0))
    throw InputError("The m of an m-estimate is finite and not negative; got " + std::to_string(smoothing.m) + ".");
}

}  // namespace

std::vector<double> Smoothing::added(std::span<const double> root) const {
  if (laplace) return std::vector<double>(root.size(), 1.0);
  const double total = std::accumulate(root.begin(), root.end(), 0.0);
  if (m <= 0.0 || total <= 0.0) return {};
  std::vector<double> parts;
  for (double weight : root) parts.push_back(m * (weight / total));
  return parts;
}

void relabel(Tree& tree, std::span<const double> loss, std::span<const double> class_scale, const Smoothing& smoothing) {
  check(tree, loss, class_scale, smoothing);
  tree.loss.assign(loss.begin(), loss.end());
  std::vector<double> smoothed(static_cast<std::size_t>(tree.width));
  for (Index i = 0; i < tree.size(); ++i) {
    const std::span<double> weights = tree.value(i);
    double total = 0.0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (!class_scale.empty()) weights[c] *= class_scale[c];
      total += weights[c];
    }
    if (i == 0) tree.smoothing = smoothing.added(weights);
    for (std::size_t c = 0; c < weights.size(); ++c) smoothed[c] = weights[c] + (tree.smoothing.empty() ? 0.0 : tree.smoothing[c]);
    Node& node = tree.node(i);
    node.weight = total;
    node.risk = 0.0;
    if (total <= 0.0) {
      if (node.label >= tree.answers()) node.label = 0;  // it was an answer that there is no more
      continue;
    }
    node.label = cheapest_answer(smoothed, tree.loss);
    node.risk = expected_loss(weights, tree.loss, node.label);
    // A branch that no training case took answers as its parent does; it comes later, and keeps this.
    for (Index b = 0; b < node.n_children; ++b) tree.node(node.first_child + b).label = node.label;
  }
}

}  // namespace thriftwood
