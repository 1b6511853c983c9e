// Running sums on both sides of a cut, while cases move one by one from the right to the left.
//
//   start(known)   all known cases are on the right
//   add(row)       one case moves to the left
//   left_weight()  weight on the left
//   score(impurity)  what the cut is worth, in any unit that ranks cuts as their summed cost does; higher is better
//   cost(score, impurity)  the summed cost of both sides that a score stands for
//   unit()         how much one unit of cost is in units of score
#pragma once

#include "target.hpp"

namespace thriftwood {

// Two classes, every case counts 1: whole numbers only.
class CountTally {
 public:
  explicit CountTally(const Target& target) : labels_(target.labels.data()) {}
  CountTally(std::uint32_t total, std::uint32_t ones) : total_(total), ones_(ones) {}

  void start(Cell known) {
    total_ = static_cast<std::int64_t>(known[0] + known[1]);
    ones_ = static_cast<std::int64_t>(known[1]);
    left_total_ = left_ones_ = 0;
  }
  void add(Row row) {
    ++left_total_;
    left_ones_ += labels_[row];
  }
  void add(std::uint32_t cases, std::uint32_t ones) {
    left_total_ += cases;
    left_ones_ += ones;
  }
  double left_weight() const { return static_cast<double>(left_total_); }

  // Gini's cost falls by 2 d^2 / (N * left * right), d = N * ones on the left - ones * cases on the left: one division, no rounding
  // before it.
  double score(const Gini&) const {
    const auto d = static_cast<double>(total_ * left_ones_ - ones_ * left_total_);
    return d * d / static_cast<double>(left_total_ * (total_ - left_total_));
  }
  double cost(double score, const Gini& gini) const {
    return gini.cost_of_counts(count(total_), count(ones_)) - 2.0 * score / static_cast<double>(total_);
  }
  double unit(const Gini&) const { return static_cast<double>(total_) / 2.0; }

  double score(const Entropy& entropy) const {
    return -entropy.cost_of_counts(count(left_total_), count(left_ones_)) -
           entropy.cost_of_counts(count(total_ - left_total_), count(ones_ - left_ones_));
  }
  double cost(double score, const Entropy&) const { return -score; }
  double unit(const Entropy&) const { return 1.0; }

 private:
  static std::uint32_t count(std::int64_t n) { return static_cast<std::uint32_t>(n); }

  const std::uint16_t* labels_ = nullptr;
  std::int64_t total_ = 0, ones_ = 0, left_total_ = 0, left_ones_ = 0;
};

// Any number of classes, any weights (null = 1 each).
class ClassTally {
 public:
  ClassTally(const Target& target, const double* weights) : labels_(target.labels.data()), weights_(weights) {}

  void start(Cell known) {
    right_.assign(known.begin(), known.end());
    left_.assign(known.size(), 0.0);
    right_weight_ = 0.0;
    for (double w : known) right_weight_ += w;
    left_weight_ = 0.0;
  }
  void add(Row row) {
    const double w = weights_ == nullptr ? 1.0 : weights_[row];
    const auto c = labels_[row];
    left_[c] += w;
    right_[c] -= w;
    left_weight_ += w;
    right_weight_ -= w;
  }
  double left_weight() const { return left_weight_; }
  template <class I>
  double score(const I& impurity) const {
    return -impurity.cost(left_, left_weight_) - impurity.cost(right_, right_weight_);
  }
  template <class I>
  double cost(double score, const I&) const {
    return -score;
  }
  template <class I>
  double unit(const I&) const {
    return 1.0;
  }

 private:
  const std::uint16_t* labels_;
  const double* weights_;
  std::vector<double> left_, right_;
  double left_weight_ = 0.0, right_weight_ = 0.0;
};

// Entropy where weights are not whole. A logarithm takes longer than all else, and a case changes the terms of its own class alone, so
// the others are kept. Terms are added up in the order of ClassTally: the same bits.
class EntropyTally {
 public:
  EntropyTally(const Target& target, const double* weights) : labels_(target.labels.data()), weights_(weights) {}

  void start(Cell known) {
    classes_.assign(known.size(), {});
    right_weight_ = left_weight_ = 0.0;
    for (std::size_t c = 0; c < known.size(); ++c) {
      classes_[c].right = known[c];
      right_weight_ += known[c];
    }
  }
  void add(Row row) {
    const double w = weights_ == nullptr ? 1.0 : weights_[row];
    Class& own = classes_[labels_[row]];
    own.left += w;
    own.right -= w;
    own.stale = true;
    left_weight_ += w;
    right_weight_ -= w;
  }
  double left_weight() const { return left_weight_; }
  double score(const Entropy&) {
    double left = Entropy::plain(left_weight_), right = Entropy::plain(right_weight_);
    for (Class& own : classes_) {
      if (own.stale) {
        own.left_term = Entropy::plain(own.left);
        own.right_term = Entropy::plain(own.right);
        own.stale = false;
      }
      left -= own.left_term;
      right -= own.right_term;
    }
    return -left - right;
  }
  double cost(double score, const Entropy&) const { return -score; }
  double unit(const Entropy&) const { return 1.0; }

 private:
  struct Class {
    double left = 0.0, right = 0.0, left_term = 0.0, right_term = 0.0;
    bool stale = true;
  };

  const std::uint16_t* labels_;
  const double* weights_;
  std::vector<Class> classes_;
  double left_weight_ = 0.0, right_weight_ = 0.0;
};

// Numbers to predict, by their mean; `numbers` are measured from about the node's own mean, so that squares keep their digits.
class MeanTally {
 public:
  MeanTally(const double* numbers, const double* weights) : numbers_(numbers), weights_(weights) {}

  void start(Cell known) {
    weight_ = known[0];
    sum_ = known[1];
    squares_ = known[2];
    left_weight_ = left_sum_ = 0.0;
  }
  void add(Row row) {
    const double w = weights_ == nullptr ? 1.0 : weights_[row];
    left_weight_ += w;
    left_sum_ += w * numbers_[row];
  }
  double left_weight() const { return left_weight_; }
  // The squares of both sides add up to the whole's, so only the two means matter.
  double score(const SquaredError&) const {
    const double right = weight_ - left_weight_, right_sum = sum_ - left_sum_;
    double explained = 0.0;
    if (left_weight_ > 0.0) explained += left_sum_ * left_sum_ / left_weight_;
    if (right > 0.0) explained += right_sum * right_sum / right;
    return explained;
  }
  double cost(double score, const SquaredError&) const { return squares_ - score; }
  double unit(const SquaredError&) const { return 1.0; }

 private:
  const double* numbers_;
  const double* weights_;
  double weight_ = 0.0, sum_ = 0.0, squares_ = 0.0, left_weight_ = 0.0, left_sum_ = 0.0;
};

}  // namespace thriftwood
