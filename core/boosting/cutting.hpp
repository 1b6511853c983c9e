// The best cut of one feature, from the sums of a leaf.
//
//   term    of a case, or of many together: its weight, the gradients of the loss by the score of each class, and their curvatures
//   worth   half the sum over classes of gradient^2 / (curvature + l2): what the best steps would take from the loss
//   gain    the worth of both sides less the worth of the leaf
//
// A missing value goes to the side where it gains more; where none is missing, to the heavier side. Categories are put in the order of
// their gradients against their curvatures, by each class in turn, and cut where an order gains most; with two classes no other
// division of the categories gains more.
#pragma once

#include <span>
#include <vector>

#include "sums.hpp"

namespace thriftwood {

struct StageCut {
  Index feature = -1;                // -1: no cut gains anything
  double gain = 0.0;
  double price = 0.0;                // what the cases of the leaf pay for the test, all together
  Index last_code = -1;              // numbers: codes up to this one go to branch 0
  std::vector<std::uint8_t> second;  // categories: whether each goes to branch 1
  bool missing_second = false;       // whether a missing value goes to branch 1
};

class Cutter {
 public:
  Cutter(const CodedTable& coded, std::size_t classes, double l2, double min_weight);

  double worth(std::span<const double> term) const;
  StageCut best(Index feature, const Sums& sums, std::span<const double> total);

 private:
  bool improves(StageCut& best, Index feature);
  template <class Place>
  void cut_along(std::span<const Index> codes, Index feature, const Sums& sums, StageCut& best, const Place& place);
  void cut_categories(Index feature, const Sums& sums, StageCut& best);

  const CodedTable& coded_;
  std::size_t classes_, width_;
  double l2_, min_weight_;
  std::span<const double> total_;
  double leaf_worth_ = 0.0;
  double right_weight_ = 0.0;
  std::vector<Index> codes_;
  std::vector<double> below_, left_, part_;
};

}  // namespace thriftwood
