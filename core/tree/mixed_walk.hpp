// A tree of thresholds and categories, packed for walking many rows of a table of dense columns at once.
//
//   step      where to go from a node: a threshold and two neighbours, or for each code a node
//   lanes     rows walked side by side, as in packed.hpp
//   lost      a node of its own, beyond those of the tree: where a row goes whose value is missing, unseen or has no branch; the general
//             walk of walk.hpp then finds its way
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../table.hpp"
#include "packed.hpp"
#include "tree.hpp"

namespace thriftwood {

class MixedWalk {
 public:
  // The table's columns must fit the tree's, and those that it tests must not be sparse. The table must outlive it.
  MixedWalk(const Tree& tree, const Table& table) : table_(table), lost_(tree.size()), depth_(tree.depth()) {
    steps_.reserve(tree.nodes.size() + 1);
    for (Index i = 0; i < tree.size(); ++i) steps_.push_back(step_of(tree, i));
    steps_.push_back(end_at(lost_));
    const auto by_codes = [&](const Step& step) { return step.kind == Kind::Codes && table.column(step.feature).stride == 1; };
    if (tree.node(0).leaf() || !std::all_of(steps_.begin(), steps_.end(), [&](const Step& s) { return s.kind == Kind::End || by_codes(s); })) return;
    for (const Step& step : steps_) {
      const bool end = step.kind == Kind::End;
      const Column& column = table.column(end ? tree.node(0).feature : step.feature);  // at an end: what every row has looked at already
      code_steps_.push_back({static_cast<const Index*>(column.data), step.next, end ? 0 : -1});
    }
  }

  // Can these rows be walked, and are they enough to be worth the packing?
  static bool suits(const Tree& tree, const Table& table, std::size_t rows) {
    std::size_t size = 0;
    for (const Node& node : tree.nodes) {
      if (node.leaf()) continue;
      const Column& column = table.column(node.feature);
      if (column.sparse() || column.nominal() != (node.kind != NodeKind::Threshold)) return false;
      size += 1 + static_cast<std::size_t>(node.kind == NodeKind::Threshold ? 0 : column.values);
    }
    return rows * 10 >= size;
  }

  // stop[i] = the leaf of row row_of(i), or `unwalked`, for i in 0..n-1.
  template <class RowOf>
  void reach(const RowOf& row_of, std::size_t n, Index* stop) const {
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) !code_steps_.empty() ? walk_codes<lanes>(row_of, i, stop + i) : walk_together<lanes>(row_of, i, stop + i);
    for (; i < n; ++i) walk_together<1>(row_of, i, stop + i);
  }

 private:
  enum class Kind : Index { End, Single, Double, Codes };
  struct Step {
    double threshold;
    Index feature;
    Index next;  // a threshold: the left child; otherwise a place in next_of_: of code 0, or at an end of the node itself
    Kind kind;
  };
  struct CodeStep {
    const Index* codes;  // of the column that is tested
    Index next;          // as above
    Index mask;          // all bits; at an end none, so that every code leads to the node itself
  };
  static_assert(sizeof(CodeStep) == sizeof(const Index*) + 8);
  static constexpr std::size_t lanes = 8;
  static constexpr Index levels = 4;  // walked before asking whether all lanes have arrived
  static constexpr Index negative_codes = 2;  // unseen_code and missing_code stand before code 0
  static_assert(unseen_code == -2 && missing_code == -1);

  Step end_at(Index node) {
    next_of_.push_back(node);
    return {0.0, 0, static_cast<Index>(next_of_.size()) - 1, Kind::End};
  }

  Step step_of(const Tree& tree, Index i) {
    const Node& node = tree.node(i);
    if (node.leaf()) return end_at(i);
    const Column& column = table_.column(node.feature);
    if (node.kind == NodeKind::Threshold)
      return {node.threshold, node.feature, node.first_child, column.storage == Storage::Float32 ? Kind::Single : Kind::Double};
    next_of_.insert(next_of_.end(), static_cast<std::size_t>(negative_codes), lost_);
    const auto zero = static_cast<Index>(next_of_.size());
    const Index known = tree.feature_values[static_cast<std::size_t>(node.feature)];
    for (Index code = 0; code < column.values; ++code) {
      const Index branch = code < known ? tree.branch_map[static_cast<std::size_t>(node.map_offset + code)] : -1;
      next_of_.push_back(branch < 0 ? lost_ : node.first_child + branch);
    }
    return {0.0, node.feature, zero, Kind::Codes};
  }

  template <class Float>
  Index by_threshold(const Step& step, std::ptrdiff_t row) const {
    const Column& column = table_.column(step.feature);
    const auto number = static_cast<double>(static_cast<const Float*>(column.data)[row * column.stride]);
    return std::isnan(number) ? lost_ : step.next + static_cast<Index>(number > step.threshold);
  }

  Index next(const Step& step, std::ptrdiff_t row) const {
    switch (step.kind) {
      case Kind::Single: return by_threshold<float>(step, row);
      case Kind::Double: return by_threshold<double>(step, row);
      case Kind::Codes: {
        const Column& column = table_.column(step.feature);
        return next_of_[static_cast<std::size_t>(step.next + static_cast<const Index*>(column.data)[row * column.stride])];
      }
      default: return next_of_[static_cast<std::size_t>(step.next)];
    }
  }

  template <std::size_t N, class RowOf>
  void walk_together(const RowOf& row_of, std::size_t first, Index* stop) const {
    std::array<std::ptrdiff_t, N> row;
    std::array<Index, N> at{};
    for (std::size_t i = 0; i < N; ++i) row[i] = static_cast<std::ptrdiff_t>(row_of(first + i));
    for (bool walking = true; walking;) {
      walking = false;
      for (std::size_t i = 0; i < N; ++i) {
        const Step& step = steps_[static_cast<std::size_t>(at[i])];
        walking |= step.kind != Kind::End;
        at[i] = next(step, row[i]);
      }
    }
    for (std::size_t i = 0; i < N; ++i) stop[i] = at[i] == lost_ ? unwalked : at[i];
  }

  // The same where all tests are of codes side by side in memory: without a jump for the processor to guess wrong.
  template <std::size_t N, class RowOf>
  void walk_codes(const RowOf& row_of, std::size_t first, Index* stop) const {
    std::array<std::size_t, N> row;
    std::array<Index, N> at{};
    for (std::size_t i = 0; i < N; ++i) row[i] = static_cast<std::size_t>(row_of(first + i));
    const auto next = [&](std::size_t i) {
      const CodeStep& step = code_steps_[static_cast<std::size_t>(at[i])];
      return next_of_[static_cast<std::size_t>(step.next + (step.codes[row[i]] & step.mask))];
    };
    for (Index level = 0; level < depth_; level += levels) {
      for (Index unasked = 1; unasked < levels; ++unasked)
        for (std::size_t i = 0; i < N; ++i) at[i] = next(i);
      Index moved = 0;
      for (std::size_t i = 0; i < N; ++i) {
        const Index before = at[i];
        at[i] = next(i);
        moved |= at[i] ^ before;
      }
      if (moved == 0) break;
    }
    for (std::size_t i = 0; i < N; ++i) stop[i] = at[i] == lost_ ? unwalked : at[i];
  }

  const Table& table_;
  Index lost_;
  Index depth_;
  std::vector<Step> steps_;
  std::vector<CodeStep> code_steps_;  // the same where all tests are of codes side by side in memory; otherwise empty
  std::vector<Index> next_of_;  // of nominal tests: the node of each code
};

}  // namespace thriftwood
