#include "leaf_finder.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

// Packing a node takes about a thirtieth of the time that a packed walk gains on a row.
bool worth_packing(const Tree& tree, std::size_t rows) {
  return rows * 30 >= tree.nodes.size() && std::all_of(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) {
           return node.leaf() || (node.kind == NodeKind::Threshold && node.n_surrogates == 0);
         });
}

bool all_stored_as(const Table& table, Storage storage) {
  return std::all_of(table.columns.begin(), table.columns.end(), [&](const Column& column) { return column.storage == storage; });
}

// Are the columns the columns of one row-major array?
template <class Float>
bool is_row_major(const Table& table) {
  const Column& first = table.columns.front();
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    const Column& column = table.columns[f];
    if (column.stride != first.stride || column.data != static_cast<const Float*>(first.data) + f) return false;
  }
  return true;
}

// Lane i is that of the i-th listed row.
template <class Rows>
struct Listed {
  Rows all;
  const Row* rows;

  auto lane(std::size_t i) const { return all.lane(rows[i]); }
  auto at(decltype(std::declval<Rows>().lane(0)) lane, Index feature) const { return all.at(lane, feature); }
};

// Calls work(rows) with the table as the packed walk reads it.
template <class Float, class Work>
void with_rows(const Table& table, bool row_major, const Work& work) {
  const Column& first = table.columns.front();
  if (row_major)
    work(RowMajor<Float>{static_cast<const Float*>(first.data), first.stride});
  else
    work(ColumnMajor<Float>{table.columns.data()});
}

}  // namespace

LeafFinder::LeafFinder(const Tree& tree, const Table& table, std::size_t rows) : table_(table) {
  if (table.columns.empty()) return;
  const bool thresholds = worth_packing(tree, rows);
  if (thresholds && all_stored_as(table, Storage::Float32)) {
    single_.emplace(tree);
    row_major_ = is_row_major<float>(table);
  } else if (thresholds && all_stored_as(table, Storage::Float64)) {
    double_.emplace(tree);
    row_major_ = is_row_major<double>(table);
  } else if (MixedWalk::suits(tree, table, rows)) {
    mixed_.emplace(tree, table);
  }
}

void LeafFinder::find(std::size_t begin, std::size_t end, Index* stop) const {
  if (single_)
    with_rows<float>(table_, row_major_, [&](const auto& rows) { single_->reach(rows, begin, end, stop); });
  else if (double_)
    with_rows<double>(table_, row_major_, [&](const auto& rows) { double_->reach(rows, begin, end, stop); });
  else if (mixed_)
    mixed_->reach([&](std::size_t i) { return begin + i; }, end - begin, stop);
  else
    std::fill_n(stop, end - begin, unwalked);
}

void LeafFinder::find(std::span<const Row> listed, Index* stop) const {
  const auto reach = [&](const auto& packed, const auto& rows) {
    packed.reach(Listed<std::decay_t<decltype(rows)>>{rows, listed.data()}, 0, listed.size(), stop);
  };
  if (single_)
    with_rows<float>(table_, row_major_, [&](const auto& rows) { reach(*single_, rows); });
  else if (double_)
    with_rows<double>(table_, row_major_, [&](const auto& rows) { reach(*double_, rows); });
  else if (mixed_)
    mixed_->reach([&](std::size_t i) { return listed[i]; }, listed.size(), stop);
  else
    std::fill_n(stop, listed.size(), unwalked);
}

}  // namespace thriftwood
