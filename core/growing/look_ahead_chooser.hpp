// Look-ahead by samples: what a test is worth is seen from trees grown below it.
//
//   candidate   a feature's test that keeps to the rules of growth
//   sample      a tree grown on one outcome of a candidate, its tests drawn in proportion to their merit
//   score       of a sample: see sample_score.hpp
//   total       of a candidate: its own score plus, for every outcome, the least score of its samples
//
// The candidate of the least total is taken, of equals the lowest feature. ACT's first sample of an outcome draws nothing: it is grown by the
// largest merit. Outcomes are looked at one by one: paid upfront, each counts the tests bought so far and its own as if the others bought
// none. When growth is to stop, nodes that are still open get the test of the largest merit.
//
// Esmeir & Markovitch 2004 (LSID3), 2008 (ACT).
#pragma once

#include <algorithm>
#include <vector>

#include "best_chooser.hpp"
#include "drawn_chooser.hpp"
#include "sample_score.hpp"

namespace thriftwood {

// The total of a candidate, given the scores of the samples of each outcome.
inline double total_of(double own, const std::vector<std::vector<double>>& outcomes) {
  for (const std::vector<double>& scores : outcomes) own += *std::min_element(scores.begin(), scores.end());
  return own;
}

class LookAheadChooser final : public Chooser {
 public:
  LookAheadChooser(Fit& fit, Grower& grower);

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;
  bool shares_small_nodes() const override { return true; }

 private:
  // The total of a candidate; infinity if growth is to stop.
  double total(const GrowingTree& growing, const OpenNode& open, Choice&& candidate, Workspace& workspace);
  // The scores of the samples of one outcome of a stump.
  std::vector<double> sample(const GrowingTree& stump, const OpenNode& outcome, Workspace& workspace);

  Fit& fit_;
  Grower& grower_;
  BestChooser best_;
  DrawnChooser drawn_;
  SampleScore score_;
  Sampling sampling_;
  std::vector<Workspace> workspaces_;  // by worker: those of the fit belong to the nodes that are looking ahead
};

}  // namespace thriftwood
