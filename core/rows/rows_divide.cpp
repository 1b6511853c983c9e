// Rows: which branch each case takes, and the moving of cases to their branches.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "partition.hpp"
#include "rows.hpp"

namespace thriftwood {

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

void Rows::weigh_exactly(const Part& part, const Summary& summary, std::size_t branches, Workspace& workspace) const {
  Division& division = workspace.division;
  const Side* sides = workspace.side_at.data();
  std::vector<NumberSums> sums(branches + 1);  // the last one of cases that end at the node
  std::vector<std::uint32_t> counts(branches + 1, 0);
  const auto branch_at = [&](std::uint32_t k) { return std::min<std::size_t>(sides[k], branches); };
  for (std::uint32_t k = 0; k < part.count; ++k) ++counts[branch_at(k)];
  add_numbers(part, workspace, [&](std::uint32_t k) -> NumberSums& { return sums[branch_at(k)]; });
  division.spread = 0;
  division.counts.assign(counts.begin(), counts.end() - 1);
  division.branches.resize(branches);
  const std::int64_t base = target_.grid.units(summary.centre);
  for (std::size_t b = 0; b < branches; ++b) {
    division.branches[b] = summary_of(target_.grid, sums[b], base);
    finish(division.branches[b], target_, settings_.impurity, true);
  }
}

void Rows::weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const {
  mark(part, split, workspace);
  const double* w = weights(part, workspace);
  const std::span<const Side> sides(workspace.side_at.data(), part.count);
  if (exact(part)) {
    if (std::find(sides.begin(), sides.end(), everywhere) == sides.end())
      return weigh_exactly(part, summary, static_cast<std::size_t>(split.branches), workspace);
    measure_from(summary.centre, part, workspace);
  }
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
    const double weight = weight_at(w, rows[i]), number = target_.numbers[rows[i]];
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

// Parts of the open branches that follow each other in the block of their node. Codes stay in their columns, so those have the node's
// ranges; orders get their own when they are divided. An only open branch lies at the front.
void begin_parts(const Part& part, const std::vector<bool>& open, bool only_one, const Workspace& workspace, std::vector<Part>& parts) {
  const std::vector<std::size_t>& kept = workspace.kept;
  std::uint32_t first = part.first;
  for (std::size_t b = 0; b < open.size(); ++b) {
    const std::uint32_t count = workspace.division.counts[b];
    if (open[b]) {
      parts[b].block = part.block;
      parts[b].first = only_one ? part.first : first;
      parts[b].count = count;
      parts[b].features.resize(kept.size());
      parts[b].ranges.resize(kept.size());
      for (std::size_t j = 0; j < kept.size(); ++j) {
        parts[b].features[j] = part.features[kept[j]];
        parts[b].ranges[j] = part.ranges[kept[j]];
      }
    }
    first += count;
  }
}

// Divides the orders of a part among its branches, one column at a time.
class OrderDivider {
 public:
  OrderDivider(const Part& part, const std::vector<bool>& open, std::ptrdiff_t n_open, const Workspace& workspace, std::vector<Part>& parts)
      : entries_(part.block->entries.get()), open_(open), side_(workspace.side.data()), parts_(parts) {
    const auto& counts = workspace.division.counts;
    only_one_ = n_open == 1;
    only_ = static_cast<Side>(std::find(open.begin(), open.end(), true) - open.begin());
    in_two_ = open.size() == 2 && n_open == 2 && std::accumulate(counts.begin(), counts.end(), 0u) == part.count;
  }

  // The order in that range of the block's entries, which is number j of the features that are kept.
  void divide(std::size_t j, Range range, bool distinct, Workspace& own) const {
    Entry* entries = entries_ + range.begin;
    if (only_one_) {
      const auto stays = [side = side_, only = only_](Row row) { return side[row] == only; };
      parts_[only_].ranges[j] = {range.begin, static_cast<std::uint32_t>(filter(entries, range.size, entries, stays))};
      return;
    }
    own.entries.resize(std::max<std::size_t>(own.entries.size(), range.size + 1));
    if (in_two_) {
      const std::uint32_t left = distinct ? divide_distinct_in_two(entries, range.size, side_, own.entries.data())
                                          : divide_order_in_two(entries, range.size, side_, own.entries.data());
      parts_[0].ranges[j] = {range.begin, left};
      parts_[1].ranges[j] = {range.begin + left, range.size - left};
      return;
    }
    std::vector<std::uint32_t> sizes;
    divide_order(entries, range.size, side_, own.entries.data(), open_.size(), sizes);
    std::size_t begin = range.begin;
    for (std::size_t b = 0; b < open_.size(); ++b) {
      if (open_[b]) parts_[b].ranges[j] = {begin, sizes[b]};
      begin += sizes[b];
    }
  }

 private:
  Entry* entries_;
  const std::vector<bool>& open_;
  const Side* side_;  // by row
  std::vector<Part>& parts_;
  bool only_one_, in_two_;  // one branch is open; two, and every case goes to one of them
  Side only_;
};

}  // namespace

void Rows::divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
                  std::vector<Part>& parts) const {
  const Division& division = workspace.division;
  const std::vector<std::size_t>& kept = workspace.kept;
  const std::size_t branches = division.branches.size();
  parts.resize(branches);
  for (Part& branch : parts) branch.clear();
  if (division.spread > 0) {
    for (std::size_t b = 0; b < branches; ++b)
      if (open[b]) {
        parts[b] = own_block(part, b, workspace);
        if (part.count >= worth_polling) poll(work(part));
      }
    return;
  }
  Block& block = *part.block;
  const auto n_open = std::count(open.begin(), open.end(), true);
  begin_parts(part, open, n_open == 1, workspace, parts);
  const std::span<const std::uint32_t> from = list_moves(part, open, n_open > 1, workspace);
  const auto move_rows = [&](Workspace& own) {
    move_cases(block.rows.data() + part.first, from, own.spare);
    if (!block.labels.empty()) move_cases(block.labels.data() + part.first, from, own.spare);
    if (!block.weights.empty()) move_cases(block.weights.data() + part.first, from, own.spare);
  };
  const OrderDivider orders(part, open, n_open, workspace, parts);
  const auto move_column = [&](std::size_t j, Workspace& own) {
    const Index feature = part.features[kept[j]];
    if (codes_move(feature)) return move_cases(block.codes.get() + part.ranges[kept[j]].begin + part.first, from, own.spare);
    if (columns_[feature].form == Form::Ordered) orders.divide(j, part.ranges[kept[j]], columns_[feature].distinct, own);
  };
  if (pool != nullptr) {
    pool->run(kept.size() + 1, [&](std::size_t j, int worker) {
      Workspace& own = workspaces[static_cast<std::size_t>(worker)];
      j == 0 ? move_rows(own) : move_column(j - 1, own);
    });
  } else {
    move_rows(workspace);
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (part.count >= worth_polling) poll(part.count);
      move_column(j, workspace);
    }
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
    const double whole = weight_at(w, rows[i]);
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

}  // namespace thriftwood
