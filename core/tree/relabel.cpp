#include "relabel.hpp"

#include <cmath>
#include <string>

#include "answer.hpp"

namespace thriftwood {

namespace {

void check(const Tree& tree, std::span<const double> loss, std::span<const double> class_scale) {
  const auto k = static_cast<std::size_t>(tree.width);
  if (tree.regression)
    throw InputError("Only a classification tree has labels to set, and this tree predicts numbers.");
  if (!loss.empty() && loss.size() != k * k)
    throw InputError("The loss matrix has " + std::to_string(loss.size()) + " entries; " + std::to_string(k) +
                     " classes need " + std::to_string(k * k) + " (actual by predicted).");
  if (!class_scale.empty() && class_scale.size() != k)
    throw InputError("There are " + std::to_string(class_scale.size()) + " class factors for " +
                     std::to_string(k) + " classes.");
  for (double entry : loss)
    if (!std::isfinite(entry))
      throw InputError("The loss matrix has an entry that is not finite: " + std::to_string(entry) + ".");
  for (double factor : class_scale)
    if (!(std::isfinite(factor) && factor >= 0.0))
      throw InputError("Class factors are finite and not negative; one is " + std::to_string(factor) + ".");
}

}  // namespace

void relabel(Tree& tree, std::span<const double> loss, std::span<const double> class_scale) {
  check(tree, loss, class_scale);
  tree.loss.assign(loss.begin(), loss.end());
  for (Index i = 0; i < tree.size(); ++i) {
    const std::span<double> weights = tree.value(i);
    double total = 0.0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (!class_scale.empty()) weights[c] *= class_scale[c];
      total += weights[c];
    }
    Node& node = tree.node(i);
    node.weight = total;
    node.risk = 0.0;
    if (total <= 0.0) continue;
    node.label = cheapest_answer(weights, tree.loss);
    node.risk = expected_loss(weights, tree.loss, node.label);
    // A branch that no training case took answers as its parent does; it comes later, and keeps this.
    for (Index b = 0; b < node.n_children; ++b) tree.node(node.first_child + b).label = node.label;
  }
}

}  // namespace thriftwood
