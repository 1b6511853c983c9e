#include "cutting.hpp"

#include <algorithm>

namespace thriftwood {

Cutter::Cutter(const CodedTable& coded, std::size_t classes, double l2, double min_weight)
    : coded_(coded), classes_(classes), width_(2 * classes + 1), l2_(l2), min_weight_(min_weight), below_(width_), left_(width_), part_(classes) {}

double Cutter::worth(std::span<const double> term) const {
  double sum = 0.0;
  for (std::size_t k = 1; k <= classes_; ++k) sum += term[k] * term[k] / (std::max(term[k + classes_], 0.0) + l2_);
  return 0.5 * sum;
}

// Whether the cut whose branch 0 has `left_` gains more.
bool Cutter::improves(StageCut& best, Index feature) {
  right_weight_ = total_[0] - left_[0];
  if (left_[0] < min_weight_ || right_weight_ < min_weight_) return false;
  const double* gradient = left_.data() + 1;
  const double* curvature = gradient + classes_;
  const double* all_gradient = total_.data() + 1;
  const double* all_curvature = all_gradient + classes_;
  for (std::size_t k = 0; k < classes_; ++k) {  // l^2 / a + r^2 / b with one division
    const double l = gradient[k], r = all_gradient[k] - l;
    const double a = std::max(curvature[k], 0.0) + l2_, b = std::max(all_curvature[k] - curvature[k], 0.0) + l2_;
    part_[k] = (l * l * b + r * r * a) / (a * b);
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) sum += part_[k];
  const double gain = 0.5 * sum - leaf_worth_;
  if (!clearly_greater(gain, best.gain)) return false;
  best.feature = feature;
  best.gain = gain;
  return true;
}

// Tries the cuts behind each of the codes, in this order; place(i) writes down the one behind the i-th.
template <class Place>
void Cutter::cut_along(std::span<const Index> codes, Index feature, const Sums& sums, StageCut& best, const Place& place) {
  const auto missing = sums.cell(feature, coded_.columns[feature].codes);
  const bool some_missing = missing[0] > 0.0;
  std::fill(below_.begin(), below_.end(), 0.0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto cell = sums.cell(feature, codes[i]);
    if (cell[0] <= 0.0) continue;
    for (std::size_t j = 0; j < width_; ++j) below_[j] += cell[j];
    for (int side = 0; side < (some_missing ? 2 : 1); ++side) {
      left_ = below_;
      if (side == 0)
        for (std::size_t j = 0; j < width_; ++j) left_[j] += missing[j];
      if (!improves(best, feature)) continue;
      best.missing_second = some_missing ? side == 1 : right_weight_ > left_[0];
      place(i);
    }
  }
}

StageCut Cutter::best(Index feature, const Sums& sums, std::span<const double> total) {
  total_ = total;
  leaf_worth_ = worth(total);
  StageCut best;
  best.gain = tie_tolerance * leaf_worth_;  // what rounding alone could make is no gain
  codes_.clear();
  for (Index code = 0; code < coded_.columns[feature].codes; ++code) codes_.push_back(code);
  if (coded_.columns[feature].nominal)
    cut_categories(feature, sums, best);
  else
    cut_along(codes_, feature, sums, best, [&](std::size_t i) { best.last_code = codes_[i]; });
  return best;
}

void Cutter::cut_categories(Index feature, const Sums& sums, StageCut& best) {
  std::erase_if(codes_, [&](Index code) { return sums.cell(feature, code)[0] <= 0.0; });
  for (std::size_t k = 1; k <= classes_; ++k) {
    const auto slope = [&](Index code) {
      const auto cell = sums.cell(feature, code);
      return cell[k] / (std::max(cell[k + classes_], 0.0) + l2_);
    };
    std::stable_sort(codes_.begin(), codes_.end(), [&](Index a, Index b) { return slope(a) < slope(b); });
    cut_along(codes_, feature, sums, best, [&](std::size_t i) {
      best.second.assign(static_cast<std::size_t>(coded_.columns[feature].codes), best.missing_second ? 1 : 0);
      for (std::size_t c = 0; c < codes_.size(); ++c) best.second[static_cast<std::size_t>(codes_[c])] = c > i ? 1 : 0;
    });
  }
}

}  // namespace thriftwood
