#include "exact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "../splitting/surrogate.hpp"
#include "partition.hpp"

namespace thriftwood {

ExactRows::ExactRows(const Table& table, const Target& target, const Settings& settings, const Presorted& sorted)
    : table_(table), target_(target), settings_(settings), sorted_(sorted) {}

Desk ExactRows::desk() const {
  Desk desk;
  desk.side.resize(table_.rows);
  if (settings_.impurity == ImpurityName::AbsoluteError) desk.rank.resize(table_.rows);
  return desk;
}

ExactRows::Part ExactRows::whole(std::span<const Row> subset) {
  Part part;
  part.block = std::make_shared<Block>();
  std::vector<bool> in_subset;
  if (subset.empty()) {
    part.block->rows.resize(table_.rows);
    std::iota(part.block->rows.begin(), part.block->rows.end(), Row{0});
  } else {
    part.block->rows.assign(subset.begin(), subset.end());
    in_subset.assign(table_.rows, false);
    for (Row row : subset) in_subset[row] = true;
  }
  part.count = static_cast<std::uint32_t>(part.block->rows.size());
  std::size_t total = 0;
  for (const auto& order : sorted_.order) total += std::min<std::size_t>(order.size(), part.count + 1);
  part.block->entries = std::make_unique_for_overwrite<Entry[]>(total);
  if (settings_.cut_at == CutAt::Observed) observed_.resize(sorted_.order.size());
  std::size_t begin = 0;
  for (Index f = 0; f < table_.features(); ++f) {
    const auto& order = sorted_.order[static_cast<std::size_t>(f)];
    Range range{begin, 0};
    if (!table_.column(f).nominal()) {
      Entry* to = part.block->entries.get() + begin;
      if (subset.empty()) {
        std::copy(order.begin(), order.end(), to);
        range.size = static_cast<std::uint32_t>(order.size());
      } else {
        // One place more than rows: `filter` writes before it knows whether the entry stays.
        range.size = static_cast<std::uint32_t>(filter(order.data(), order.size(), to, [&](Row row) { return in_subset[row]; }));
      }
      if (settings_.cut_at == CutAt::Observed) {
        auto& values = observed_[static_cast<std::size_t>(f)];
        values.clear();
        for (std::uint32_t i = 0; i < range.size; ++i)
          if (to[i] & new_value || i == 0) values.push_back(table_.column(f).number(to[i] & row_mask));
      }
      begin += std::min<std::size_t>(order.size(), part.count + 1);
    }
    part.features.push_back(f);
    part.ranges.push_back(range);
  }
  return part;
}

const double* ExactRows::weights(const Part& part, const Desk& desk) const {
  if (!part.block->weights.empty()) return desk.weights.data();
  return target_.unit() ? nullptr : target_.weights.data();
}

void ExactRows::sit_down(const Part& part, Desk& desk) const {
  if (!part.block->weights.empty()) {
    desk.weights.resize(table_.rows);
    for (std::uint32_t i = part.first; i < part.first + part.count; ++i) desk.weights[part.block->rows[i]] = part.block->weights[i];
  }
  if (settings_.impurity != ImpurityName::AbsoluteError) return;
  desk.ranked.clear();
  for (Row row : part.rows()) desk.ranked.push_back(target_.numbers[row]);
  std::sort(desk.ranked.begin(), desk.ranked.end());
  desk.ranked.erase(std::unique(desk.ranked.begin(), desk.ranked.end()), desk.ranked.end());
  for (Row row : part.rows())
    desk.rank[row] = static_cast<std::uint32_t>(
        std::lower_bound(desk.ranked.begin(), desk.ranked.end(), target_.numbers[row]) - desk.ranked.begin());
}

Summary ExactRows::summary(const Part& part, const Desk& desk) const {
  Summary summary;
  summary.cell.assign(target_.width(), 0.0);
  const double* w = weights(part, desk);
  for (Row row : part.rows()) target_.add(summary.cell, row, w == nullptr ? 1.0 : w[row]);
  if (settings_.impurity != ImpurityName::AbsoluteError) {
    finish(summary, target_, settings_.impurity, whole_weights(part));
    return summary;
  }
  std::vector<std::pair<double, double>> pairs;
  for (Row row : part.rows()) pairs.emplace_back(target_.numbers[row], w == nullptr ? 1.0 : w[row]);
  finish_absolute(summary, pairs);
  return summary;
}

Cut ExactRows::cut(const Part& part, const NodeView& node, std::size_t place, const Desk& desk, Cell known, double known_weight,
                   double tolerance) const {
  const auto order = entries(part, place);
  const Index feature = part.features[place];
  CutRules rules;
  rules.known = known_weight;
  rules.min_side = least_side(node, known_weight);
  rules.tolerance = tolerance;
  if (sorted_.smallest_gap[static_cast<std::size_t>(feature)] <= settings_.min_gap) {
    rules.min_gap = settings_.min_gap;
    rules.column = &table_.column(feature);
  }
  const double* w = weights(part, desk);
  const bool table_holds = node.whole_weights && !target_.x_log_x.empty();
  const Entropy entropy{table_holds ? target_.x_log_x.data() : nullptr};
  const auto scan = [&](auto tally, const auto& impurity) {
    tally.start(known);
    return best_cut(order, tally, impurity, rules);
  };
  switch (settings_.impurity) {
    case ImpurityName::Gini:
      return w == nullptr && target_.classes == 2 ? scan(CountTally(target_), Gini{}) : scan(ClassTally(target_, w), Gini{});
    case ImpurityName::Entropy:
      return w == nullptr && target_.classes == 2 && table_holds ? scan(CountTally(target_), entropy) : scan(ClassTally(target_, w), entropy);
    case ImpurityName::SquaredError: return scan(MeanTally(target_, w), SquaredError{});
    default: {
      MedianTally tally(target_, w, desk.ranked, desk.rank);
      tally.start(order);
      return best_cut(order, tally, AbsoluteError{}, rules);
    }
  }
}

void ExactRows::count_categories(const Part& part, Index feature, const double* weights, CategoryCells& cells) const {
  const Column& column = table_.column(feature);
  cells.clear(static_cast<std::size_t>(column.values), target_.width());
  for (Row row : part.rows()) {
    const Index code = column.code(row);
    target_.add(cells.cell(static_cast<std::size_t>(code < 0 ? column.values : code)), row, weights == nullptr ? 1.0 : weights[row]);
  }
}

Offer ExactRows::offer(const Part& part, const NodeView& node, std::size_t place, const Desk& desk, Desk& own) const {
  const Index feature = part.features[place];
  const double* w = weights(part, desk);
  if (table_.column(feature).nominal()) {
    count_categories(part, feature, w, own.categories);
    return settings_.impurity == ImpurityName::AbsoluteError ? absolute_nominal_offer(part, node, feature, desk, own)
                                                             : nominal_offer(node, feature, own.categories);
  }
  const auto order = entries(part, place);
  const bool all_known = order.size() == part.count;
  Cell known = node.summary.cell;
  if (!all_known) {
    own.known.assign(target_.width(), 0.0);
    for (Entry entry : order) target_.add(own.known, entry & row_mask, w == nullptr ? 1.0 : w[entry & row_mask]);
    known = own.known;
  }
  const double known_weight = all_known ? node.summary.weight : target_.weight_of(known);
  double known_cost = node.summary.cost, missing_cost = 0.0;
  if (!all_known) std::tie(known_cost, missing_cost) = known_and_missing_cost(part, place, node, known, desk);
  const Cut found = cut(part, node, place, desk, known, known_weight, tie_tolerance * known_cost);
  own.left.clear();
  if (settings_.confidence > 0.0 && found.position > 0) {
    own.left.assign(target_.width(), 0.0);
    for (Entry entry : order.first(found.position)) target_.add(own.left, entry & row_mask, w == nullptr ? 1.0 : w[entry & row_mask]);
  }
  return numeric_offer(node, feature, found, known, known_cost, known_weight, missing_cost, own.left);
}

std::pair<double, double> ExactRows::known_and_missing_cost(const Part& part, std::size_t place, const NodeView& node, Cell known,
                                                            const Desk& desk) const {
  if (settings_.impurity != ImpurityName::AbsoluteError) {
    std::vector<double> missing = node.summary.cell;
    for (std::size_t i = 0; i < missing.size(); ++i) missing[i] -= known[i];
    const auto cost = [&](Cell cell) {
      return cell_cost(settings_.impurity, target_, cell, target_.weight_of(cell), node.whole_weights);
    };
    return {cost(known), settings_.missing == Missing::Branch ? cost(missing) : 0.0};
  }
  const double* w = weights(part, desk);
  std::vector<std::pair<double, double>> have, lack;
  const Column& column = table_.column(part.features[place]);
  for (Row row : part.rows()) (std::isnan(column.number(row)) ? lack : have).emplace_back(target_.numbers[row], w == nullptr ? 1.0 : w[row]);
  return {median(have).distance, median(lack).distance};
}

double ExactRows::threshold(const Part& part, std::size_t place, std::uint32_t position) const {
  const Index feature = part.features[place];
  const auto order = entries(part, place);
  const Column& column = table_.column(feature);
  const double middle = midpoint(column.number(order[position - 1] & row_mask), column.number(order[position] & row_mask));
  if (settings_.cut_at == CutAt::Midpoint) return middle;
  const auto& values = observed_[static_cast<std::size_t>(feature)];
  return *(std::upper_bound(values.begin(), values.end(), middle) - 1);
}

Split ExactRows::split(const Part& part, const NodeView& node, const Offer& offer, Desk& desk) const {
  const auto place = static_cast<std::size_t>(std::find(part.features.begin(), part.features.end(), offer.feature) - part.features.begin());
  const double* w = weights(part, desk);
  Split split;
  if (table_.column(offer.feature).nominal()) {
    count_categories(part, offer.feature, w, desk.categories);
    const NominalTest test = settings_.impurity == ImpurityName::AbsoluteError
                                 ? absolute_nominal_test(part, offer.feature, desk)
                                 : partition_categories({target_, settings_, node.whole_weights, node.summary.weight}, desk.categories);
    const bool missing = target_.weight_of(desk.categories.missing()) > 0.0;
    split = nominal_split(node, offer.feature, test, branch_weights(node, desk.categories, test), missing);
  } else {
    const auto order = entries(part, place);
    double left = 0.0, right = 0.0;
    for (std::uint32_t i = 0; i < order.size(); ++i) (i < offer.position ? left : right) += w == nullptr ? 1.0 : w[order[i] & row_mask];
    split = numeric_split(node, offer.feature, threshold(part, place, offer.position), left, right, order.size() < part.count);
  }
  if (settings_.missing == Missing::Surrogate && split.branches == 2) find_stand_ins(part, split, desk);
  return split;
}

void ExactRows::find_stand_ins(const Part& part, Split& split, const Desk& desk) const {
  SurrogateSearch search(table_, settings_, split, part.rows(), weights(part, desk));
  for (std::size_t place = 0; place < part.features.size(); ++place)
    if (part.features[place] != split.feature) search.try_feature(part.features[place], entries(part, place));
  split.stand_ins = search.best();
}

Division ExactRows::weigh(const Part& part, const Split& split, Desk& desk) const {
  const double* w = weights(part, desk);
  Division division = thriftwood::weigh(table_, target_, split, part.rows(), w, desk.side);
  const bool whole = whole_weights(part) && division.spread == 0;
  if (settings_.impurity != ImpurityName::AbsoluteError) {
    for (Summary& summary : division.branches) finish(summary, target_, settings_.impurity, whole);
    return division;
  }
  std::vector<std::vector<std::pair<double, double>>> pairs(division.branches.size());
  for (Row row : part.rows()) {
    const Side s = desk.side[row];
    const double weight = w == nullptr ? 1.0 : w[row];
    if (s < pairs.size()) pairs[s].emplace_back(target_.numbers[row], weight);
    if (s == everywhere)
      for (std::size_t b = 0; b < pairs.size(); ++b) pairs[b].emplace_back(target_.numbers[row], weight * division.shares[b]);
  }
  for (std::size_t b = 0; b < pairs.size(); ++b) finish_absolute(division.branches[b], pairs[b]);
  return division;
}

}  // namespace thriftwood
