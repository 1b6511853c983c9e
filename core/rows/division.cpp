#include "division.hpp"

#include <cmath>

namespace thriftwood {

namespace {

struct SplitView {  // lets tree/walk's `outcome` shape be used on a split that is not in a tree yet
  const Table& table;
  const Split& split;

  Index threshold_side(Index feature, double threshold, Row row) const {
    const double number = table.column(feature).number(row);
    return std::isnan(number) ? missing_code : (number <= threshold ? 0 : 1);
  }
  Index nominal_side(Index feature, const std::vector<Index>& branch_of, Row row) const {
    const Index code = table.column(feature).code(row);
    return code < 0 ? code : branch_of[static_cast<std::size_t>(code)];
  }
  Index primary(Row row) const {
    return split.kind == NodeKind::Threshold ? threshold_side(split.feature, split.threshold, row)
                                             : nominal_side(split.feature, split.branch_of, row);
  }
  Index surrogate_side(const SurrogateSplit& other, Row row) const {
    const Index side = other.test.kind == NodeKind::Threshold ? threshold_side(other.test.feature, other.test.threshold, row)
                                                              : nominal_side(other.test.feature, other.branch_of, row);
    return side < 0 ? side : (other.test.flipped ? 1 - side : side);
  }
};

Side as_side(Index branch) {
  if (branch == route_fractional) return everywhere;
  if (branch == route_stop) return stays;
  return static_cast<Side>(branch);
}

}  // namespace

Side side_of(const Table& table, const Split& split, Row row) {
  const SplitView view{table, split};
  const Index primary = view.primary(row);
  if (primary >= 0) return static_cast<Side>(primary);
  for (const SurrogateSplit& other : split.surrogates) {
    const Index side = view.surrogate_side(other, row);
    if (side >= 0) return static_cast<Side>(side);
  }
  return as_side(primary == unseen_code ? split.unseen_route : split.missing_route);
}

namespace {

// Two branches, two classes, whole cases, nobody left over: sums in registers instead of additions that wait for each other in memory.
// False if some case takes neither branch.
bool sum_up_pairs(std::span<const Side> sides, std::span<const std::uint16_t> labels, Division& division) {
  std::uint32_t ones = 0, right = 0, right_ones = 0;
  Side all = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    all |= sides[i];
    ones += labels[i];
    right += sides[i];
    right_ones += static_cast<std::uint32_t>(sides[i] & labels[i]);
  }
  if (all > 1) return false;
  const auto total = static_cast<std::uint32_t>(sides.size()), left = total - right, left_ones = ones - right_ones;
  division.counts = {left, right};
  division.branches[0].cell = {static_cast<double>(left - left_ones), static_cast<double>(left_ones)};
  division.branches[1].cell = {static_cast<double>(right - right_ones), static_cast<double>(right_ones)};
  return true;
}

}  // namespace

void sum_up(const Target& target, std::size_t branches, std::span<const Row> rows, std::span<const Side> sides, std::span<const std::uint16_t> labels,
            const double* weights, const double* numbers, Division& division) {
  division.branches.resize(branches);
  division.spread = 0;
  if (branches == 2 && target.classes == 2 && weights == nullptr && target.best_share.empty() && sum_up_pairs(sides, labels, division)) return;
  for (Summary& summary : division.branches) {
    summary.cell.assign(target.width(), 0.0);
    summary.unavoidable = 0.0;
  }
  division.counts.assign(branches, 0);
  std::vector<double> spread_cell;
  double spread_unavoidable = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Side s = sides[i];
    const double w = weights == nullptr ? 1.0 : weights[rows[i]];
    const double unavoidable = target.best_share.empty() ? 0.0 : w * (1.0 - target.best_share[rows[i]]);
    if (s < branches) {
      ++division.counts[s];
      division.branches[s].unavoidable += unavoidable;
      if (!target.regression) {
        division.branches[s].cell[labels[i]] += w;
      } else {
        target.add(division.branches[s].cell, rows[i], w, numbers);
      }
    } else if (s == everywhere) {
      ++division.spread;
      spread_cell.resize(target.width(), 0.0);
      target.add(spread_cell, rows[i], w, numbers);
      spread_unavoidable += unavoidable;
    }
  }
  if (division.spread == 0) return;
  double known = 0.0;
  division.shares.resize(branches);
  for (std::size_t b = 0; b < branches; ++b) known += division.shares[b] = target.weight_of(division.branches[b].cell);
  for (std::size_t b = 0; b < branches; ++b) {
    division.shares[b] /= known;
    division.branches[b].unavoidable += division.shares[b] * spread_unavoidable;
    for (std::size_t i = 0; i < spread_cell.size(); ++i) division.branches[b].cell[i] += division.shares[b] * spread_cell[i];
  }
}

void centre_branches(const Target& target, double node_centre, std::span<const Row> rows, std::span<const Side> sides, const double* weights,
                     const double* numbers, Division& division) {
  std::vector<double> mean, first;
  for (Summary& summary : division.branches) {
    mean.push_back(summary.cell[0] > 0.0 ? summary.cell[1] / summary.cell[0] : 0.0);
    summary.centre = node_centre + mean.back();
    summary.constant = true;
    summary.cell[1] = summary.cell[2] = 0.0;
  }
  first.assign(mean.size(), std::nan(""));
  const auto add = [&](std::size_t b, Row row, double weight) {
    Summary& summary = division.branches[b];
    const double y = numbers[row] - mean[b];
    summary.cell[1] += weight * y;
    summary.cell[2] += weight * y * y;
    if (std::isnan(first[b])) first[b] = target.numbers[row];
    summary.constant = summary.constant && target.numbers[row] == first[b];
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double w = weights == nullptr ? 1.0 : weights[rows[i]];
    if (sides[i] < mean.size()) add(sides[i], rows[i], w);
    if (sides[i] == everywhere)
      for (std::size_t b = 0; b < mean.size(); ++b)
        if (division.shares[b] > 0.0) add(b, rows[i], w * division.shares[b]);
  }
}

void finish(Summary& summary, const Target& target, ImpurityName impurity, bool whole_weights) {
  summary.weight = target.weight_of(summary.cell);
  summary.cost = cell_cost(impurity, target, summary.cell, summary.weight, whole_weights);
}

void finish_absolute(Summary& summary, std::vector<std::pair<double, double>>& numbers_and_weights) {
  summary.weight = summary.cell[0];
  const Median middle = median(numbers_and_weights);
  summary.cost = middle.distance;
  summary.median = middle.at;
  summary.constant = middle.distance == 0.0;
}

}  // namespace thriftwood
