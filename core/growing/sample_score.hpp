// What a tree that was grown on trial is judged by: its leaves (LSID3), or what tests and mistakes are expected to cost on its cases (ACT;
// pruning/expected_cost.hpp). The smaller, the better.
#pragma once

#include "../pruning/expected_cost.hpp"
#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

class SampleScore {
 public:
  explicit SampleScore(const Fit& fit)
      : fit_(fit),
        by_cost_(sampling_of(fit.settings.merit).value_or(Sampling{}).by_cost),
        expected_cost_(fit.settings.prices, fit.settings.loss, static_cast<std::size_t>(fit.target.classes), leaf_confidence(fit.settings.merit)) {}

  // Of the test of a feature at the open node, without what comes below it.
  double of_test(const GrowingTree& growing, const OpenNode& open, Index feature, Workspace& workspace) const;
  // Of the cases that end at an inner node, because a missing value stops them.
  double of_stopped(const Tree& tree, Index node) const { return by_cost_ ? expected_cost_.mistakes_at(tree, node) : 0.0; }
  double of_leaf(const Tree& tree, Index node) const { return by_cost_ ? expected_cost_.mistakes_at(tree, node) : 1.0; }
  // Of a tree grown in the place of an open node.
  double of_subtree(const GrowingTree& growing, const OpenNode& open, const Tree& subtree, Workspace& workspace) const;

 private:
  const Fit& fit_;
  bool by_cost_;
  ExpectedCost expected_cost_;
};

}  // namespace thriftwood
