#include "sample_score.hpp"

#include "node_prices.hpp"

namespace thriftwood {

double SampleScore::of_test(const GrowingTree& growing, const OpenNode& open, Index feature, Workspace& workspace) const {
  if (!by_cost_ || fit_.settings.prices == nullptr) return 0.0;
  fill_basket(fit_, growing, open, workspace);
  return (fit_.paid_upfront() ? fit_.whole_weight : open.summary.weight) * workspace.basket->eff(feature);
}

double SampleScore::of_subtree(const GrowingTree& growing, const OpenNode& open, const Tree& subtree, Workspace& workspace) const {
  if (!by_cost_) return subtree.leaves();
  fill_basket(fit_, growing, open, workspace);
  return expected_cost_.of(subtree, workspace.basket, fit_.whole_weight);
}

}  // namespace thriftwood
