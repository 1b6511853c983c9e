// A tree of thresholds packed for walking many rows at once.
//
//   step     16 bytes: threshold, feature, left child; children stand side by side, so the next step is
//            left + (number > threshold), with no jump for the processor to guess wrong
//   lanes    rows walked side by side: while one lane waits for its step from memory, the others compute
//   leaf     a step that leads to itself; it looks at the root's feature, which every row has looked at already
//
// A lane that meets a missing value is given up (stop = unwalked); its row takes the general walk of
// walk.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "../table.hpp"
#include "tree.hpp"

namespace thriftwood {

inline constexpr Index unwalked = -1;

// Rows of an array whose features are neighbours in memory.
template <class Float>
struct RowMajor {
  const Float* data;
  std::ptrdiff_t stride;

  const Float* lane(std::size_t row) const { return data + static_cast<std::ptrdiff_t>(row) * stride; }
  Float at(const Float* lane, Index feature) const { return lane[feature]; }
};

// Rows of columns that lie anywhere.
template <class Float>
struct ColumnMajor {
  const Column* columns;

  std::ptrdiff_t lane(std::size_t row) const { return static_cast<std::ptrdiff_t>(row); }
  Float at(std::ptrdiff_t lane, Index feature) const {
    const Column& column = columns[feature];
    return static_cast<const Float*>(column.data)[lane * column.stride];
  }
};

// The largest float that is <= threshold: for a float x, x <= floor_to<float>(t) exactly when double(x) <= t.
template <class Float>
Float floor_to(double threshold) {
  using Limits = std::numeric_limits<Float>;
  if (threshold > static_cast<double>(Limits::max())) return Limits::max();
  if (threshold < static_cast<double>(Limits::lowest())) return -Limits::infinity();
  const auto nearest = static_cast<Float>(threshold);
  return static_cast<double>(nearest) <= threshold ? nearest : std::nextafter(nearest, -Limits::infinity());
}

template <class Float>
class Packed {
 public:
  explicit Packed(const Tree& tree) : depth_(tree.depth()) {
    steps_.reserve(tree.nodes.size());
    for (Index i = 0; i < tree.size(); ++i) {
      const Node& node = tree.node(i);
      if (node.leaf())
        steps_.push_back({std::numeric_limits<Float>::infinity(), tree.node(0).feature, i});
      else
        steps_.push_back({floor_to<Float>(node.threshold), node.feature, node.first_child});
    }
  }

  // stop[r - begin] = the leaf of row r, or `unwalked`, for r in begin..end-1.
  template <class Rows>
  void reach(const Rows& rows, std::size_t begin, std::size_t end, Index* stop) const {
    std::size_t row = begin;
    for (; row + lanes <= end; row += lanes) walk_together<lanes>(rows, row, stop + (row - begin));
    for (; row < end; ++row) walk_together<1>(rows, row, stop + (row - begin));
  }

 private:
  struct alignas(16) Step {
    Float threshold;
    Index feature;
    Index left;
  };
  static_assert(sizeof(Step) == 16);
  static constexpr std::size_t lanes = 8;
  static constexpr Index levels = 4;  // walked before asking whether all lanes have arrived

  template <std::size_t N, class Rows>
  void walk_together(const Rows& rows, std::size_t row, Index* stop) const {
    decltype(rows.lane(0)) lane[N];
    Index at[N];
    Float seen[N];  // the sum of all numbers looked at: not a number once one of them was missing
    for (std::size_t i = 0; i < N; ++i) {
      lane[i] = rows.lane(row + i);
      at[i] = 0;
      seen[i] = 0;
    }
    const auto next = [&](std::size_t i) {
      const Step step = steps_[static_cast<std::size_t>(at[i])];
      const Float x = rows.at(lane[i], step.feature);
      seen[i] += x;
      return step.left + static_cast<Index>(x > step.threshold);
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
    for (std::size_t i = 0; i < N; ++i) stop[i] = std::isnan(seen[i]) ? unwalked : at[i];
  }

  std::vector<Step> steps_;
  Index depth_;
};

}  // namespace thriftwood
