#include "binning.hpp"

#include <algorithm>
#include <cmath>

#include "numeric.hpp"

namespace thriftwood {

namespace {

constexpr std::size_t sample_rows = 200'000;
constexpr std::size_t block_rows = 4096;  // rows binned together: a row-major block of 30 float32 columns is 480 KiB and stays in the cache

void read_sample(const Column& column, std::size_t rows, std::vector<double>& numbers) {
  const std::size_t taken = std::min(rows, sample_rows);
  numbers.clear();
  for (std::size_t i = 0; i < taken; ++i) {
    const double value = column.number(static_cast<Row>(i * rows / taken));
    if (!std::isnan(value)) numbers.push_back(value);
  }
}

void bin_sparse(const Column& column, std::size_t rows, const Binner& binner, PreparedColumn& prepared) {
  std::fill_n(prepared.code_of.begin(), rows, binner.bin(0.0));
  for (std::size_t i = 0; i < column.stored; ++i) {
    const auto row = static_cast<Row>(column.stored_rows[i]);
    const double x = column.number(row);
    prepared.code_of[row] = std::isnan(x) ? static_cast<std::uint8_t>(prepared.codes) : binner.bin(x);
  }
}

}  // namespace

Binner::Binner(std::vector<double> edges) : edges_(std::move(edges)), until_(edges_), first_(cells, 0) {
  until_.push_back(infinity);
  if (edges_.empty()) return;
  origin_ = edges_.front();
  const double range = edges_.back() - origin_;
  scale_ = range > 0.0 && std::isfinite(range) ? (cells - 2) / range : 0.0;
  if (!std::isfinite(scale_)) scale_ = 0.0;
  for (double edge : edges_)
    for (std::size_t i = cell(edge) + 1; i < first_.size() && scale_ > 0.0; ++i) ++first_[i];
  for (std::size_t i = 1; i < edges_.size(); ++i) sparse_ = sparse_ && cell(edges_[i]) != cell(edges_[i - 1]);
}

std::vector<double> sorted_numbers(SortSpace& space) {
  std::vector<Entry> order;
  sort_numbers(space, order);
  std::vector<double> sorted(order.size());
  for (std::size_t j = 0; j < order.size(); ++j) sorted[j] = space.numbers[order[j] & row_mask];
  return sorted;
}

std::vector<double> quantile_edges(const std::vector<double>& sorted, int bins) {
  std::vector<double> edges;
  const std::size_t n = sorted.size();
  std::size_t distinct = n > 0 ? 1 : 0;
  for (std::size_t i = 1; i < n; ++i) distinct += sorted[i] != sorted[i - 1];
  const bool all = distinct <= static_cast<std::size_t>(bins);
  std::size_t last = 0, left = static_cast<std::size_t>(bins);  // the last cut, and the bins for what lies above it
  for (std::size_t i = 1; i < n && left > 1; ++i) {
    if (sorted[i] == sorted[i - 1]) continue;
    // An even share of what is left, so that a frequent value does not use up the bins of the others.
    if (!all && (i - last) * left < n - last) continue;
    edges.push_back(midpoint(sorted[i - 1], sorted[i]));
    last = i;
    --left;
  }
  return edges;
}

void bin_columns(const Table& table, ThreadPool& pool, const std::vector<Index>& numeric, int bins, Columns& columns) {
  std::vector<Binner> binners(numeric.size(), Binner({}));
  std::vector<SortSpace> spaces(static_cast<std::size_t>(pool.size()));
  pool.run(numeric.size(), [&](std::size_t i, int worker) {
    SortSpace& space = spaces[static_cast<std::size_t>(worker)];
    read_sample(table.column(numeric[i]), table.rows, space.numbers);
    poll(space.numbers.size());
    binners[i] = Binner(quantile_edges(sorted_numbers(space), bins));
    PreparedColumn& prepared = columns.all[static_cast<std::size_t>(numeric[i])];
    prepared.form = Form::Coded;
    const auto& edges = binners[i].edges();
    prepared.codes = static_cast<Index>(edges.size()) + 1;
    prepared.low = {-infinity};
    prepared.low.insert(prepared.low.end(), edges.begin(), edges.end());
    prepared.high = edges;
    prepared.high.push_back(infinity);
    prepared.code_of.resize(table.rows);
  });
  const std::size_t blocks = (table.rows + block_rows - 1) / block_rows;
  pool.run(blocks, [&](std::size_t block, int) {
    const std::size_t first = block * block_rows, n = std::min(block_rows, table.rows - first);
    poll(n * numeric.size());
    for (std::size_t i = 0; i < numeric.size(); ++i) {
      const Column& column = table.column(numeric[i]);
      PreparedColumn& prepared = columns.all[static_cast<std::size_t>(numeric[i])];
      const auto at = static_cast<std::ptrdiff_t>(first) * column.stride;
      std::uint8_t* out = prepared.code_of.data() + first;
      if (column.storage == Storage::Float32) binners[i].bin(static_cast<const float*>(column.data) + at, column.stride, n, out);
      if (column.storage == Storage::Float64) binners[i].bin(static_cast<const double*>(column.data) + at, column.stride, n, out);
    }
  });
  for (std::size_t i = 0; i < numeric.size(); ++i)
    if (table.column(numeric[i]).sparse())
      bin_sparse(table.column(numeric[i]), table.rows, binners[i], columns.all[static_cast<std::size_t>(numeric[i])]);
}

}  // namespace thriftwood
