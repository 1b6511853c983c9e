// Moving the cases of a node to its branches, and the absolute error of nominal tests: the two jobs of ExactRows that touch rows.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "exact_rows.hpp"
#include "partition.hpp"

namespace thriftwood {

namespace {

// Rows (and their weights) to their branches, in place and in sequence.
void move_rows(ExactRows::Block& block, std::uint32_t first, std::uint32_t count, const std::vector<Side>& side,
               const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> next(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), 0u);
  std::vector<Row> rows(count);
  std::vector<double> weights(block.weights.empty() ? 0 : count);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const Row row = block.rows[i];
    const Side s = side[row];
    if (s >= counts.size()) continue;
    if (!weights.empty()) weights[next[s]] = block.weights[i];
    rows[next[s]++] = row;
  }
  std::copy(rows.begin(), rows.end(), block.rows.begin() + first);
  std::copy(weights.begin(), weights.end(), block.weights.begin() + (weights.empty() ? 0 : first));
}

}  // namespace

std::vector<ExactRows::Part> ExactRows::divide(Part&& part, const Division& division, const std::vector<bool>& open,
                                               const std::vector<bool>& keep_feature, Desk& desk, std::vector<Desk>& desks,
                                               Team* team) const {
  const std::size_t branches = division.branches.size();
  std::vector<Part> parts(branches);
  if (division.spread > 0) {
    for (std::size_t b = 0; b < branches; ++b)
      if (open[b]) parts[b] = own_block(part, division, b, keep_feature, desk, team);
    return parts;
  }
  std::vector<Index> features;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < part.features.size(); ++place)
    if (keep_feature[place]) {
      features.push_back(part.features[place]);
      places.push_back(place);
    }
  std::uint32_t first = part.first;
  const std::uint32_t moved = std::accumulate(division.counts.begin(), division.counts.end(), 0u);
  for (std::size_t b = 0; b < branches; ++b) {
    if (open[b]) {
      parts[b].block = part.block;
      parts[b].first = first;
      parts[b].count = division.counts[b];
      parts[b].features = features;
      parts[b].ranges.resize(features.size());
    }
    first += division.counts[b];
  }
  move_rows(*part.block, part.first, part.count, desk.side, division.counts);
  const bool two = branches == 2 && moved == part.count;
  const Side* side = desk.side.data();
  const auto move_order = [&](std::size_t i, Desk& own) {
    const Range range = part.ranges[places[i]];
    if (table_.column(features[i]).nominal()) return;
    Entry* entries = part.block->entries.get() + range.begin;
    if (two) {
      own.entries.resize(std::max<std::size_t>(own.entries.size(), range.size + 1));
      const std::uint32_t left = partition_two(entries, range.size, side, own.entries.data(), open[1]);
      if (open[0]) parts[0].ranges[i] = {range.begin, left};
      if (open[1]) parts[1].ranges[i] = {range.begin + left, range.size - left};
      return;
    }
    std::vector<std::uint32_t> sizes;
    partition_many(entries, range.size, side, own.entries, branches, sizes);
    std::size_t begin = range.begin;
    for (std::size_t b = 0; b < branches; ++b) {
      if (open[b]) parts[b].ranges[i] = {begin, sizes[b]};
      begin += sizes[b];
    }
  };
  if (team != nullptr) {
    team->run(features.size(), [&](std::size_t i, int member) { move_order(i, desks[static_cast<std::size_t>(member)]); });
  } else {
    for (std::size_t i = 0; i < features.size(); ++i) move_order(i, desk);
  }
  return parts;
}

ExactRows::Part ExactRows::own_block(const Part& part, const Division& division, std::size_t branch,
                                     const std::vector<bool>& keep_feature, const Desk& desk, Team* team) const {
  Part child;
  child.block = std::make_shared<Block>();
  const Side* side = desk.side.data();
  const auto belongs = [side, branch](Row row) { return side[row] == branch || side[row] == everywhere; };
  const double* w = weights(part, desk);
  for (Row row : part.rows()) {
    if (!belongs(row)) continue;
    const double whole = w == nullptr ? 1.0 : w[row];
    child.block->rows.push_back(row);
    child.block->weights.push_back(side[row] == everywhere ? whole * division.shares[branch] : whole);
  }
  child.count = static_cast<std::uint32_t>(child.block->rows.size());
  std::size_t total = 0;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < part.features.size(); ++place) {
    if (!keep_feature[place]) continue;
    places.push_back(place);
    child.features.push_back(part.features[place]);
    child.ranges.push_back({total, 0});
    total += std::min(part.ranges[place].size, child.count) + 1;  // `filter` writes one place beyond what it keeps
  }
  child.block->entries = std::make_unique_for_overwrite<Entry[]>(total);
  const auto copy_order = [&](std::size_t i) {
    const auto order = entries(part, places[i]);
    Entry* to = child.block->entries.get() + child.ranges[i].begin;
    child.ranges[i].size = static_cast<std::uint32_t>(filter(order.data(), order.size(), to, belongs));
  };
  if (team != nullptr) {
    team->run(places.size(), [&](std::size_t i, int) { copy_order(i); });
  } else {
    for (std::size_t i = 0; i < places.size(); ++i) copy_order(i);
  }
  return child;
}

NominalTest ExactRows::absolute_nominal_test(const Part& part, Index feature, const Desk& desk) const {
  const Column& column = table_.column(feature);
  const double* w = weights(part, desk);
  const auto categories = static_cast<std::size_t>(column.values);
  std::vector<std::vector<std::pair<double, double>>> members(categories);
  std::vector<std::vector<Row>> rows(categories);
  for (Row row : part.rows()) {
    const Index code = column.code(row);
    if (code < 0) continue;
    members[static_cast<std::size_t>(code)].emplace_back(target_.numbers[row], w == nullptr ? 1.0 : w[row]);
    rows[static_cast<std::size_t>(code)].push_back(row);
  }
  NominalTest test;
  std::vector<std::pair<double, Index>> by_median;
  for (std::size_t c = 0; c < categories; ++c) {
    if (members[c].empty()) continue;
    const Median middle = median(members[c]);
    test.cost += middle.distance;
    by_median.emplace_back(middle.at, static_cast<Index>(c));
  }
  if (settings_.nominal != NominalTests::Binary) {
    test.branches = column.values;
    test.branch_of.resize(categories);
    std::iota(test.branch_of.begin(), test.branch_of.end(), 0);
    return test;
  }
  std::sort(by_median.begin(), by_median.end());
  std::vector<Entry> order;
  double known = 0.0;
  for (const auto& [middle, c] : by_median) {
    Entry bit = new_value;
    for (Row row : rows[static_cast<std::size_t>(c)]) {
      order.push_back(row | bit);
      known += w == nullptr ? 1.0 : w[row];
      bit = 0;
    }
  }
  MedianTally tally(target_, w, desk.ranked, desk.rank);
  tally.start(order);
  CutRules rules;
  rules.known = known;
  rules.min_side = settings_.min_branch_weight;
  const Cut found = best_cut(std::span<const Entry>(order), tally, AbsoluteError{}, rules);
  if (found.position == 0) return {};
  test.cost = found.cost;
  test.branches = 2;
  test.branch_of.assign(categories, -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    test.branch_of[static_cast<std::size_t>(column.code(order[i] & row_mask))] = i < found.position ? 0 : 1;
  return test;
}

Offer ExactRows::absolute_nominal_offer(const Part& part, const NodeView& node, Index feature, const Desk& desk, Desk& own) const {
  const Column& column = table_.column(feature);
  const double* w = weights(part, desk);
  std::vector<std::pair<double, double>> have, lack;
  std::vector<bool> seen(static_cast<std::size_t>(column.values), false);
  for (Row row : part.rows()) {
    const Index code = column.code(row);
    (code < 0 ? lack : have).emplace_back(target_.numbers[row], w == nullptr ? 1.0 : w[row]);
    if (code >= 0) seen[static_cast<std::size_t>(code)] = true;
  }
  if (std::count(seen.begin(), seen.end(), true) < 2) {
    Offer offer;
    offer.feature = feature;
    offer.constant = true;
    return offer;
  }
  return nominal_offer(node, feature, own.categories, absolute_nominal_test(part, feature, desk), median(have).distance,
                       median(lack).distance);
}

}  // namespace thriftwood
