// The second half of Rows: building the first part, moving cases to branches, and the absolute error, which looks at rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "../splitting/absolute.hpp"
#include "partition.hpp"
#include "rows.hpp"

namespace thriftwood {

Part Rows::whole(std::span<const Row> subset) {
  if (subset.size() == table_.rows) subset = {};  // ascending, each once: all of them
  Part part;
  part.block = std::make_shared<Block>();
  Block& block = *part.block;
  block.rows.resize(subset.empty() ? table_.rows : subset.size());
  if (subset.empty()) {
    std::iota(block.rows.begin(), block.rows.end(), Row{0});
  } else {
    std::copy(subset.begin(), subset.end(), block.rows.begin());
  }
  part.count = block.capacity = static_cast<std::uint32_t>(block.rows.size());
  if (!target_.regression) {
    block.labels.resize(part.count);
    for (std::uint32_t i = 0; i < part.count; ++i) block.labels[i] = target_.labels[block.rows[i]];
  }
  std::vector<std::uint8_t> in_subset;
  if (!subset.empty() && any_ordered_) {
    in_subset.assign(table_.rows, 0);
    for (Row row : subset) in_subset[row] = 1;
  }
  std::size_t coded = 0, ordered = 0;
  for (const PreparedColumn& column : columns_.all) {
    coded += column.form == Form::Coded && !codes_stay_;
    if (column.form == Form::Ordered) ordered += column.order.size() + 1;
  }
  block.codes = std::make_unique_for_overwrite<std::uint8_t[]>(coded * block.capacity);
  block.entries = std::make_unique_for_overwrite<Entry[]>(ordered);
  if (settings_.cut_at == CutAt::Observed) observed_.resize(columns_.all.size());
  std::size_t code_begin = 0, entry_begin = 0;
  part.features.resize(columns_.all.size());
  part.ranges.resize(columns_.all.size());
  for (Index f = 0; f < table_.features(); ++f) {
    const PreparedColumn& column = columns_[f];
    Range range;
    std::vector<double> values;
    if (column.form == Form::Coded) {
      if (!codes_stay_) {
        range.begin = code_begin;
        std::uint8_t* to = block.codes.get() + code_begin;
        if (subset.empty()) {
          std::copy(column.code_of.begin(), column.code_of.end(), to);
        } else {
          for (std::uint32_t i = 0; i < part.count; ++i) to[i] = column.code_of[block.rows[i]];
        }
        code_begin += block.capacity;
      }
      if (settings_.cut_at == CutAt::Observed && !column.nominal) {
        std::vector<bool> seen(256, false);
        for (std::uint32_t i = 0; i < part.count; ++i) seen[column.code_of[block.rows[i]]] = true;
        for (Index c = 0; c < column.codes; ++c)
          if (seen[static_cast<std::size_t>(c)]) values.push_back(column.high[static_cast<std::size_t>(c)]);
      }
    } else if (column.form == Form::Ordered) {
      range.begin = entry_begin;
      Entry* to = block.entries.get() + entry_begin;
      if (subset.empty()) {
        std::copy(column.order.begin(), column.order.end(), to);
        range.size = static_cast<std::uint32_t>(column.order.size());
      } else {
        range.size = static_cast<std::uint32_t>(filter(column.order.data(), column.order.size(), to, [&](Row row) { return in_subset[row] != 0; }));
      }
      if (settings_.cut_at == CutAt::Observed)
        for (std::uint32_t i = 0; i < range.size; ++i)
          if (to[i] & new_value || i == 0) values.push_back(table_.column(f).number(to[i] & row_mask));
      entry_begin += column.order.size() + 1;
    }
    if (settings_.cut_at == CutAt::Observed) observed_[static_cast<std::size_t>(f)] = std::move(values);
    part.features[static_cast<std::size_t>(f)] = f;
    part.ranges[static_cast<std::size_t>(f)] = range;
  }
  return part;
}

// Where every case goes, by place; by row too where orders have to be divided.
void Rows::mark(const Part& part, const Split& split, Workspace& workspace) const {
  const auto rows = part.rows();
  workspace.side_at.resize(std::max<std::size_t>(workspace.side_at.size(), part.count));
  const PreparedColumn& column = columns_[split.feature];
  const std::size_t feature = find(part, split.feature);
  if (column.form == Form::Ordered && part.ranges[feature].size == part.count) {
    const auto entries = order(part, feature);
    for (std::uint32_t k = 0; k < part.count; ++k) workspace.side[entries[k] & row_mask] = k >= split.left_cases;
    for (std::uint32_t i = 0; i < part.count; ++i) workspace.side_at[i] = workspace.side[rows[i]];
    return;
  }
  if (column.form == Form::Coded) {
    const Codes code = codes(part, feature);
    std::array<Side, 256> side_of_code;
    for (Index c = 0; c < column.codes; ++c) {
      const Index branch = column.nominal ? split.branch_of[static_cast<std::size_t>(c)] : static_cast<std::uint32_t>(c) >= split.left_cases;
      side_of_code[static_cast<std::size_t>(c)] = branch < 0 ? everywhere : static_cast<Side>(branch);
    }
    const auto unknown = static_cast<std::uint8_t>(column.codes);
    for (std::uint32_t i = 0; i < part.count; ++i)
      workspace.side_at[i] = code[i] == unknown ? side_of(table_, split, rows[i]) : side_of_code[code[i]];
  } else {
    for (std::uint32_t i = 0; i < part.count; ++i) workspace.side_at[i] = side_of(table_, split, rows[i]);
  }
  if (!any_ordered_) return;
  for (std::uint32_t i = 0; i < part.count; ++i) workspace.side[rows[i]] = workspace.side_at[i];
}

void Rows::weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const {
  mark(part, split, workspace);
  const double* w = weights(part, workspace);
  const std::span<const Side> sides(workspace.side_at.data(), part.count);
  Division& division = workspace.division;
  sum_up(target_, static_cast<std::size_t>(split.branches), part.rows(), sides, part.labels(), w, numbers(workspace), division);
  const bool whole = whole_weights(part) && division.spread == 0;
  if (target_.regression && !absolute()) centre_branches(target_, summary.centre, part.rows(), sides, w, numbers(workspace), division);
  if (!absolute()) {
    for (Summary& branch : division.branches) finish(branch, target_, settings_.impurity, whole);
    return;
  }
  std::vector<std::vector<std::pair<double, double>>> pairs(division.branches.size());
  const auto rows = part.rows();
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const double weight = w == nullptr ? 1.0 : w[rows[i]], number = target_.numbers[rows[i]];
    if (sides[i] < pairs.size()) pairs[sides[i]].emplace_back(number, weight);
    if (sides[i] == everywhere)
      for (std::size_t b = 0; b < pairs.size(); ++b) pairs[b].emplace_back(number, weight * division.shares[b]);
  }
  for (std::size_t b = 0; b < pairs.size(); ++b) finish_absolute(division.branches[b], pairs[b]);
}

namespace {

// The places of the cases that move, branch after branch: those of all branches, or of the only one that is open.
std::span<const std::uint32_t> list_moves(const Part& part, const std::vector<bool>& open, bool all, Workspace& workspace) {
  const auto& counts = workspace.division.counts;
  workspace.next.resize(open.size());
  std::uint32_t moving = 0, listed = 0;
  for (bool moves : {true, false}) {  // branches that stay behind are listed behind the others: no jump to mispredict
    for (std::size_t b = 0; b < open.size(); ++b)
      if ((all || open[b]) == moves) workspace.next[b] = std::exchange(listed, listed + counts[b]);
    if (moves) moving = listed;
  }
  workspace.from.resize(std::max<std::size_t>(workspace.from.size(), listed));
  if (open.size() == 2 && listed == part.count) {
    std::uint32_t left = workspace.next[0], right = workspace.next[1];
    for (std::uint32_t i = 0; i < part.count; ++i) {
      const Side goes_right = workspace.side_at[i];
      workspace.from[goes_right ? right : left] = i;
      right += goes_right;
      left += 1u - goes_right;
    }
  } else {
    for (std::uint32_t i = 0; i < part.count; ++i)
      if (const Side s = workspace.side_at[i]; s < open.size()) workspace.from[workspace.next[s]++] = i;
  }
  return std::span(workspace.from).first(moving);
}

}  // namespace

void Rows::divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
                  std::vector<Part>& parts) const {
  const Division& division = workspace.division;
  const std::vector<std::size_t>& kept = workspace.kept;
  const std::size_t branches = division.branches.size();
  parts.clear();
  parts.resize(branches);
  if (division.spread > 0) {
    for (std::size_t b = 0; b < branches; ++b)
      if (open[b]) parts[b] = own_block(part, b, workspace);
    return;
  }
  Block& block = *part.block;
  const auto n_open = std::count(open.begin(), open.end(), true);
  const std::uint32_t moved = std::accumulate(division.counts.begin(), division.counts.end(), 0u);
  const bool two = branches == 2 && moved == part.count && n_open == 2;
  const auto only = static_cast<Side>(std::find(open.begin(), open.end(), true) - open.begin());
  std::uint32_t first = part.first;
  for (std::size_t b = 0; b < branches; ++b) {
    if (open[b]) {
      parts[b].block = part.block;
      parts[b].first = n_open == 1 ? part.first : first;
      parts[b].count = division.counts[b];
      parts[b].features.resize(kept.size());
      parts[b].ranges.resize(kept.size());
      for (std::size_t j = 0; j < kept.size(); ++j) {
        parts[b].features[j] = part.features[kept[j]];
        parts[b].ranges[j] = part.ranges[kept[j]];  // codes stay in their column; orders get their own below
      }
    }
    first += division.counts[b];
  }
  const std::span<const std::uint32_t> from = list_moves(part, open, n_open > 1, workspace);
  const auto move_rows = [&](Workspace& own) {
    move_cases(block.rows.data() + part.first, from, own.spare);
    if (!block.labels.empty()) move_cases(block.labels.data() + part.first, from, own.spare);
    if (!block.weights.empty()) move_cases(block.weights.data() + part.first, from, own.spare);
  };
  const auto move_column = [&](std::size_t j, Workspace& own) {
    const PreparedColumn& column = columns_[part.features[kept[j]]];
    const Range range = part.ranges[kept[j]];
    if (codes_move(part.features[kept[j]])) return move_cases(block.codes.get() + range.begin + part.first, from, own.spare);
    if (column.form != Form::Ordered) return;
    Entry* entries = block.entries.get() + range.begin;
    const Side* side = workspace.side.data();
    if (n_open == 1) {
      parts[only].ranges[j] = {range.begin, static_cast<std::uint32_t>(filter(entries, range.size, entries, [&](Row row) { return side[row] == only; }))};
      return;
    }
    own.entries.resize(std::max<std::size_t>(own.entries.size(), range.size + 1));
    if (two) {
      const std::uint32_t left = column.distinct ? divide_distinct_in_two(entries, range.size, side, own.entries.data())
                                                  : divide_order_in_two(entries, range.size, side, own.entries.data());
      parts[0].ranges[j] = {range.begin, left};
      parts[1].ranges[j] = {range.begin + left, range.size - left};
      return;
    }
    std::vector<std::uint32_t> sizes;
    divide_order(entries, range.size, side, own.entries.data(), branches, sizes);
    std::size_t begin = range.begin;
    for (std::size_t b = 0; b < branches; ++b) {
      if (open[b]) parts[b].ranges[j] = {begin, sizes[b]};
      begin += sizes[b];
    }
  };
  if (pool != nullptr) {
    pool->run(kept.size() + 1, [&](std::size_t j, int worker) {
      Workspace& own = workspaces[static_cast<std::size_t>(worker)];
      j == 0 ? move_rows(own) : move_column(j - 1, own);
    });
  } else {
    move_rows(workspace);
    for (std::size_t j = 0; j < kept.size(); ++j) move_column(j, workspace);
  }
}

Part Rows::own_block(const Part& part, std::size_t branch, const Workspace& workspace) const {
  const Division& division = workspace.division;
  const std::vector<std::size_t>& kept = workspace.kept;
  Part child;
  child.block = std::make_shared<Block>();
  Block& block = *child.block;
  const auto rows = part.rows();
  const double* w = weights(part, workspace);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const Side s = workspace.side_at[i];
    if (s != branch && s != everywhere) continue;
    const double whole = w == nullptr ? 1.0 : w[rows[i]];
    places.push_back(i);
    block.rows.push_back(rows[i]);
    block.weights.push_back(s == everywhere ? whole * division.shares[branch] : whole);
    if (!target_.regression) block.labels.push_back(target_.labels[rows[i]]);
  }
  child.count = block.capacity = static_cast<std::uint32_t>(places.size());
  std::size_t coded = 0, ordered = 0;
  for (std::size_t i : kept) {
    coded += codes_move(part.features[i]);
    if (columns_[part.features[i]].form == Form::Ordered) ordered += std::min(part.ranges[i].size, child.count) + 1;
  }
  block.codes = std::make_unique_for_overwrite<std::uint8_t[]>(coded * block.capacity);
  block.entries = std::make_unique_for_overwrite<Entry[]>(ordered);
  std::size_t code_begin = 0, entry_begin = 0;
  for (std::size_t i : kept) {
    const Index feature = part.features[i];
    Range range;
    if (codes_move(feature)) {
      range.begin = code_begin;
      const Codes from = codes(part, i);
      for (std::uint32_t k = 0; k < child.count; ++k) block.codes[code_begin + k] = from[places[k]];
      code_begin += block.capacity;
    } else if (columns_[feature].form == Form::Ordered) {
      range.begin = entry_begin;
      const auto entries = order(part, i);
      const Side* side = workspace.side.data();
      range.size = static_cast<std::uint32_t>(filter(entries.data(), entries.size(), block.entries.get() + entry_begin,
                                                     [side, branch](Row row) { return side[row] == branch || side[row] == everywhere; }));
      entry_begin += std::min(part.ranges[i].size, child.count) + 1;  // `filter` writes one place beyond what it keeps
    }
    child.features.push_back(feature);
    child.ranges.push_back(range);
  }
  return child;
}

namespace {

// Cuts a node's cases, given in order, by the absolute error. The rules' known weight is counted here.
Cut absolute_cut(const Target& target, const Workspace& workspace, std::span<const Entry> entries, const double* weights, CutRules rules) {
  MedianTally tally(target, weights, workspace.ranked, workspace.rank);
  tally.start(entries);
  for (Entry entry : entries) rules.known += weights == nullptr ? 1.0 : weights[entry & row_mask];
  return best_cut(entries, tally, AbsoluteError{}, rules);
}

}  // namespace

NominalTest Rows::absolute_test(const Part& part, std::size_t i, const Workspace& workspace) const {
  const Column& column = table_.column(part.features[i]);
  const double* w = weights(part, workspace);
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
  std::vector<std::pair<double, std::size_t>> by_median;
  for (std::size_t c = 0; c < categories; ++c) {
    if (members[c].empty()) continue;
    const Median middle = median(members[c]);
    test.cost += middle.distance;
    by_median.emplace_back(middle.at, c);
  }
  if (settings_.nominal != NominalTests::Binary) {
    test.branches = column.values;
    test.branch_of.resize(categories);
    std::iota(test.branch_of.begin(), test.branch_of.end(), 0);
    return test;
  }
  std::sort(by_median.begin(), by_median.end());
  std::vector<Entry> entries;
  for (const auto& [middle, c] : by_median)
    for (std::size_t k = 0; k < rows[c].size(); ++k) entries.push_back(rows[c][k] | (k == 0 ? new_value : 0));
  CutRules rules;
  rules.min_side = settings_.min_branch_weight;
  rules.tolerance = tie_tolerance * test.cost;
  const Cut cut = absolute_cut(target_, workspace, entries, w, rules);
  if (cut.position == 0) return {};
  test.cost = cut.cost;
  test.branches = 2;
  test.branch_of.assign(categories, -1);
  for (std::size_t k = 0; k < entries.size(); ++k)
    test.branch_of[static_cast<std::size_t>(column.code(entries[k] & row_mask))] = k < cut.position ? 0 : 1;
  return test;
}

Offer Rows::absolute_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Index feature = part.features[i];
  const Column& column = table_.column(feature);
  const bool nominal = columns_[feature].nominal;
  const double* w = weights(part, workspace);
  std::vector<std::pair<double, double>> have, lack;
  std::vector<bool> seen(static_cast<std::size_t>(columns_[feature].codes), false);
  for (Row row : part.rows()) {
    const bool known = nominal ? column.code(row) >= 0 : !std::isnan(column.number(row));
    (known ? have : lack).emplace_back(target_.numbers[row], w == nullptr ? 1.0 : w[row]);
    if (nominal && known) seen[static_cast<std::size_t>(column.code(row))] = true;
  }
  const double known_cost = median(have).distance, missing_cost = median(lack).distance;
  if (!nominal) {
    sort_codes(part, i, own.entries);
    double known_weight = 0.0;
    for (const auto& [number, weight] : have) known_weight += weight;
    CutRules rules;
    rules.min_side = least_side(node, known_weight);
    rules.tolerance = tie_tolerance * known_cost;
    rules.min_gap = coded_gap(settings_);
    rules.column = &column;
    Cut cut = absolute_cut(target_, workspace, own.entries, w, rules);
    if (cut.position > 0) {  // from cases on both sides of the cut to codes
      const auto code_of = [&](Entry entry) {
        const auto& high = columns_[feature].high;
        return static_cast<std::uint32_t>(std::lower_bound(high.begin(), high.end(), column.number(entry & row_mask)) - high.begin());
      };
      cut.next = code_of(own.entries[cut.position]);
      cut.position = 1 + code_of(own.entries[cut.position - 1]);
    }
    Offer offer = numeric_offer(node, feature, cut, {}, known_cost, known_weight, missing_cost, {});
    offer.has_missing = !lack.empty();
    return offer;
  }
  const bool missing_is_a_value = settings_.missing == Missing::Branch && !lack.empty();
  if (std::count(seen.begin(), seen.end(), true) + missing_is_a_value < 2) {
    Offer offer;
    offer.feature = feature;
    offer.constant = true;
    return offer;
  }
  count(part, i, workspace, own.categories);
  return nominal_offer(node, feature, own.categories, absolute_test(part, i, workspace), known_cost, missing_cost);
}

}  // namespace thriftwood
