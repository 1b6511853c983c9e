// Running sums of what answers cost on both sides of a cut (see tally.hpp).
#pragma once

#include "target.hpp"

namespace thriftwood {

// The leaf cost of more than two classes by a matrix. A case adds its row to what the answers cost, instead of all rows being added up again
// at every cut.
class AnswerTally {
 public:
  AnswerTally(const Target& target, const double* weights)
      : labels_(target.labels.data()),
        weights_(weights),
        regret_(target.regret.data()),
        answers_(answers_of(target.regret, static_cast<std::size_t>(target.classes))) {}

  void start(Cell known) {
    left_.assign(answers_, 0.0);
    right_.assign(answers_, 0.0);
    for (std::size_t c = 0; c < known.size(); ++c)
      for (std::size_t a = 0; a < answers_; ++a) right_[a] += known[c] * regret_[c * answers_ + a];
    left_weight_ = 0.0;
  }
  void add(Row row) {
    const double w = weights_ == nullptr ? 1.0 : weights_[row];
    const double* regret = regret_ + labels_[row] * answers_;
    for (std::size_t a = 0; a < answers_; ++a) {
      left_[a] += w * regret[a];
      right_[a] -= w * regret[a];
    }
    left_weight_ += w;
  }
  double left_weight() const { return left_weight_; }
  double score(const LeafCost&) const { return -least(left_) - least(right_); }
  double cost(double score, const LeafCost&) const { return -score; }
  double unit(const LeafCost&) const { return 1.0; }

 private:
  static double least(const std::vector<double>& costs) {
    double found = costs[0];
    for (double cost : costs) found = cost < found ? cost : found;
    return found < 0.0 ? 0.0 : found;  // sums that cases were taken from may be a hair below 0
  }

  const std::uint16_t* labels_;
  const double* weights_;
  const double* regret_;
  std::size_t answers_;
  std::vector<double> left_, right_;  // what each answer costs the cases there
  double left_weight_ = 0.0;
};

}  // namespace thriftwood
