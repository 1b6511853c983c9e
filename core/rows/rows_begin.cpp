// Rows: the part of the root, and what is known of a node before its features are asked.
#include <algorithm>
#include <array>
#include <numeric>

#include "rows.hpp"

namespace thriftwood {

Rows::Rows(const Table& table, const Target& target, const Settings& settings, const Columns& columns)
    : table_(table),
      target_(target),
      settings_(settings),
      columns_(columns),
      codes_stay_(table.rows <= most_rows_that_stay && table.rows * table.columns.size() <= most_codes_that_stay) {
  for (const PreparedColumn& column : columns.all) any_ordered_ = any_ordered_ || column.form == Form::Ordered;
}

Workspace Rows::make_workspace(int worker) const {
  Workspace workspace;
  workspace.worker = worker;
  if (any_ordered_) workspace.side.resize(table_.rows);
  if (absolute()) workspace.rank.resize(table_.rows);
  return workspace;
}

Part Rows::first_part(std::span<const Row> subset) const {
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
  return part;
}

Part Rows::whole(std::span<const Row> subset) {
  if (subset.size() == table_.rows) subset = {};  // ascending, each once: all of them
  Part part = first_part(subset);
  Block& block = *part.block;
  std::vector<std::uint8_t> in_subset;
  if (!subset.empty() && any_ordered_) {
    in_subset.assign(table_.rows, 0);
    for (Row row : subset) in_subset[row] = 1;
  }
  std::size_t coded = 0, ordered = 0;
  for (Index f = 0; f < table_.features(); ++f) {
    coded += codes_move(f);
    if (columns_[f].form == Form::Ordered) ordered += columns_[f].order.size() + 1;  // `filter` writes one place beyond what it keeps
  }
  block.codes = std::make_unique_for_overwrite<std::uint8_t[]>(coded * block.capacity);
  block.entries = std::make_unique_for_overwrite<Entry[]>(ordered);
  std::size_t code_begin = 0, entry_begin = 0;
  for (Index f = 0; f < table_.features(); ++f) {
    const PreparedColumn& column = columns_[f];
    Range range;
    if (codes_move(f)) {
      range.begin = code_begin;
      std::uint8_t* to = block.codes.get() + code_begin;
      if (subset.empty()) {
        std::copy(column.code_of.begin(), column.code_of.end(), to);
      } else {
        for (std::uint32_t i = 0; i < part.count; ++i) to[i] = column.code_of[block.rows[i]];
      }
      code_begin += block.capacity;
    } else if (column.form == Form::Ordered) {
      range = {entry_begin, static_cast<std::uint32_t>(column.order.size())};
      Entry* to = block.entries.get() + entry_begin;
      if (subset.empty()) {
        std::copy(column.order.begin(), column.order.end(), to);
      } else {
        range.size = static_cast<std::uint32_t>(filter(column.order.data(), column.order.size(), to, [&](Row row) { return in_subset[row] != 0; }));
      }
      entry_begin += column.order.size() + 1;
    }
    part.features.push_back(f);
    part.ranges.push_back(range);
  }
  if (settings_.cut_at == CutAt::Observed) observed_ = observed_values(part);
  return part;
}

std::vector<std::vector<double>> Rows::observed_values(const Part& part) const {
  std::vector<std::vector<double>> observed(columns_.all.size());
  for (Index f = 0; f < table_.features(); ++f) {
    const PreparedColumn& column = columns_[f];
    std::vector<double>& values = observed[static_cast<std::size_t>(f)];
    if (column.form == Form::Coded && !column.nominal) {
      std::array<bool, 256> seen{};
      for (Row row : part.rows()) seen[column.code_of[row]] = true;
      for (std::size_t code = 0; code < static_cast<std::size_t>(column.codes); ++code)
        if (seen[code]) values.push_back(column.high[code]);
    } else if (column.form == Form::Ordered) {
      const auto entries = order(part, static_cast<std::size_t>(f));
      for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i] & new_value || i == 0) values.push_back(table_.column(f).number(entries[i] & row_mask));
    }
  }
  return observed;
}

Summary Rows::summary(const Part& part) const {
  const double* w = target_.unit() ? nullptr : target_.weights.data();
  Summary summary;
  if (absolute()) {
    summary.cell.assign(target_.width(), 0.0);
    std::vector<std::pair<double, double>> pairs;
    for (Row row : part.rows()) {
      target_.add(summary.cell, row, weight_at(w, row), target_.numbers.data());
      pairs.emplace_back(target_.numbers[row], weight_at(w, row));
    }
    finish_absolute(summary, pairs);
    return summary;
  }
  if (exact(part)) {
    Workspace own;
    Summary origin;
    origin.centre = target_.grid.origin;
    prepare(part, origin, own);
    NumberSums sums;
    add_numbers(part, own, [&](std::uint32_t) -> NumberSums& { return sums; });
    summary = summary_of(target_.grid, sums, 0);
    finish(summary, target_, settings_.impurity, true);
    return summary;
  }
  Division all;  // of one branch, which everybody takes
  const std::vector<Side> sides(part.count, 0);
  sum_up(target_, 1, part.rows(), sides, part.labels(), w, target_.numbers.data(), all);
  if (target_.regression) centre_branches(target_, 0.0, part.rows(), sides, w, target_.numbers.data(), all);
  finish(all.branches[0], target_, settings_.impurity, whole_weights(part));
  return all.branches[0];
}

void Rows::measure_from(double centre, const Part& part, Workspace& workspace) const {
  workspace.numbers.resize(table_.rows);
  for (Row row : part.rows()) workspace.numbers[row] = target_.numbers[row] - centre;
}

void Rows::measure_in_units(double centre, const Part& part, Workspace& workspace) const {
  const NumberGrid& grid = target_.grid;
  const std::int64_t from = grid.units(centre);
  const auto rows = part.rows();
  workspace.units.resize(part.count);
  for (std::uint32_t k = 0; k < part.count; ++k) workspace.units[k] = grid.units(target_.numbers[rows[k]]) - from;
  if (target_.unit()) return;
  workspace.weight_units.resize(part.count);
  for (std::uint32_t k = 0; k < part.count; ++k) workspace.weight_units[k] = grid.weight_units(target_.weights[rows[k]]);
}

void Rows::prepare(const Part& part, const Summary& summary, Workspace& workspace) const {
  if (!columns_.strips.of_row.empty() && whole_weights(part)) workspace.strip_sums = columns_.strips.sums(part.rows());
  if (!part.block->weights.empty()) {
    workspace.weights.resize(table_.rows);
    for (std::uint32_t i = part.first; i < part.first + part.count; ++i) workspace.weights[part.block->rows[i]] = part.block->weights[i];
  }
  if (exact(part))
    measure_in_units(summary.centre, part, workspace);
  else if (target_.regression && !absolute())
    measure_from(summary.centre, part, workspace);
  if (!absolute()) return;
  workspace.ranked.clear();
  for (Row row : part.rows()) workspace.ranked.push_back(target_.numbers[row]);
  std::sort(workspace.ranked.begin(), workspace.ranked.end());
  workspace.ranked.erase(std::unique(workspace.ranked.begin(), workspace.ranked.end()), workspace.ranked.end());
  for (Row row : part.rows())
    workspace.rank[row] = static_cast<std::uint32_t>(std::lower_bound(workspace.ranked.begin(), workspace.ranked.end(), target_.numbers[row]) -
                                                     workspace.ranked.begin());
}

}  // namespace thriftwood
