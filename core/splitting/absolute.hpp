// Running sums for the absolute error: which number is the weighted median on each side, and how far the others lie from it.
//
// The node's numbers are ranked once; a side is a Fenwick tree over the ranks (weights, and weights times numbers), so moving a
// case and finding a median take O(log n).
#pragma once

#include <bit>
#include <cmath>

#include "presort.hpp"
#include "target.hpp"

namespace thriftwood {

struct AbsoluteError {};  // its cost is asked of the tally, not of a cell

class MedianTally {
 public:
  // `ranked` holds the node's distinct numbers in order, `rank` the place of each row's number among them.
  MedianTally(const Target& target, const double* weights, const std::vector<double>& ranked, const std::vector<std::uint32_t>& rank)
      : numbers_(target.numbers.data()), weights_(weights), ranked_(ranked), rank_(rank) {}

  void start(std::span<const Entry> known) {
    left_.reset(ranked_.size());
    right_.reset(ranked_.size());
    for (const Entry entry : known) change(right_, entry & row_mask, 1.0);
  }
  void add(Row row) {
    change(left_, row, 1.0);
    change(right_, row, -1.0);
  }
  double left_weight() const { return left_.weight; }
  double score(const AbsoluteError&) const { return -distance(left_) - distance(right_); }
  double cost(double score, const AbsoluteError&) const { return -score; }
  double unit(const AbsoluteError&) const { return 1.0; }

 private:
  struct Side {
    std::vector<double> weights, sums;  // Fenwick trees, 1-based
    double weight = 0.0, sum = 0.0;
    void reset(std::size_t n) {
      weights.assign(n + 1, 0.0);
      sums.assign(n + 1, 0.0);
      weight = sum = 0.0;
    }
  };

  void change(Side& side, Row row, double sign) {
    const double w = sign * (weights_ == nullptr ? 1.0 : weights_[row]), wy = w * numbers_[row];
    side.weight += w;
    side.sum += wy;
    for (std::size_t i = rank_[row] + 1; i < side.weights.size(); i += i & (~i + 1)) {
      side.weights[i] += w;
      side.sums[i] += wy;
    }
  }

  // Sum of weighted distances from the weighted lower median.
  double distance(const Side& side) const {
    const double half = side.weight / 2.0 * (1.0 - 1e-12);
    std::size_t at = 0;
    double weight = 0.0, sum = 0.0;  // of the numbers with rank below `at`
    for (std::size_t step = std::bit_floor(side.weights.size() - 1); step > 0; step >>= 1) {
      const std::size_t next = at + step;
      if (next < side.weights.size() && weight + side.weights[next] < half) {
        at = next;
        weight += side.weights[next];
        sum += side.sums[next];
      }
    }
    const double middle = ranked_[std::min(at, ranked_.size() - 1)];
    return middle * weight - sum + (side.sum - sum) - middle * (side.weight - weight);
  }

  const double* numbers_;
  const double* weights_;
  const std::vector<double>& ranked_;
  const std::vector<std::uint32_t>& rank_;
  Side left_, right_;
};

}  // namespace thriftwood
