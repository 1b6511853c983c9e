// How common a value is in each class, column by column: what naive Bayes multiplies.
//
//   numbers      a normal density for each class; its variance is (squares + s V) / (n + s): s cases that spread as the whole column does
//   categories   (count + s) / (n + s categories)
//   missing      a value that is missing, or was not there at first, tells nothing
//
// s is the smoothing, in cases. A class without a single value has the mean and the variance of the column; a column whose numbers are all the
// same tells nothing. What was learnt is a plain vector of numbers, so that the leaves of a tree have one each and share who knows what is where.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "../basics/types.hpp"

namespace thriftwood {

class Densities {
 public:
  // feature_values: the categories of each column, 0 for numbers.
  Densities(std::vector<Index> feature_values, Index classes, double smoothing = 1.0);

  Index features() const { return static_cast<Index>(values_.size()); }
  Index classes() const { return classes_; }
  double smoothing() const { return smoothing_; }
  const std::vector<Index>& feature_values() const { return values_; }
  std::size_t size() const { return first_.back(); }  // numbers, of what was learnt

  // Learns a case; a value is a number or a code, NaN where there is none.
  void add(std::span<double> learnt, std::span<const double> values, Index label, double weight = 1.0) const;

  // Adds to `logs` the logarithm of how common a value is in each class, up to what is the same for all.
  void score(std::span<const double> learnt, Index feature, double value, std::span<double> logs) const;

  // The same numbers where there are more classes; `place` says where the old ones stand among them.
  std::vector<double> widened(std::span<const double> learnt, const Densities& wider, std::span<const Index> place) const;

  // Whether numbers could have been learnt: as many as there should be, no weight negative, all finite.
  bool possible(std::span<const double> learnt) const;

 private:
  struct Moments {
    double weight, mean, squares;  // squares: of the distances from the mean
  };
  static constexpr std::size_t moments = 3;

  static Moments moments_at(std::span<const double> learnt, std::size_t at) { return {learnt[at], learnt[at + 1], learnt[at + 2]}; }
  std::size_t k() const { return static_cast<std::size_t>(classes_); }
  bool numeric(std::size_t feature) const { return values_[feature] == 0; }

  std::vector<Index> values_;
  Index classes_;
  double smoothing_;
  // Of each column, and the end: for numbers the moments of each class and of all, for categories the counts of each class (category by
  // category) and their sums.
  std::vector<std::size_t> first_;
};

// Logarithms of what each class has for it, as shares that add up to 1; equal ones if no class is possible.
void as_shares(std::span<double> logs);

}  // namespace thriftwood
