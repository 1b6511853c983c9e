// The walk of one row: which branch a case takes, and every leaf (or stopping node) it reaches. Prediction, pruning and the
// ledger all use this code, so they cannot disagree about a path.
#pragma once

#include <cmath>
#include <vector>

#include "tree.hpp"

namespace thriftwood {

// The branch that a threshold or nominal test gives, or missing_code / unseen_code when it has no answer.
// RowView: double number(feature), Index code(feature).
template <class Test, class RowView>
Index outcome(const Tree& tree, const Test& test, const RowView& row) {
  if (test.kind == NodeKind::Threshold) {
    const double number = row.number(test.feature);
    if (std::isnan(number)) return missing_code;
    return number <= test.threshold ? 0 : 1;
  }
  const Index code = row.code(test.feature);
  if (code < 0) return code == missing_code ? missing_code : unseen_code;
  if (code >= tree.feature_values[static_cast<std::size_t>(test.feature)]) return unseen_code;
  return tree.branch_map[static_cast<std::size_t>(test.map_offset + code)];  // -1 (no branch here) reads as missing
}

// The branch a case takes at an inner node, or route_fractional / route_stop.
template <class RowView>
Index branch(const Tree& tree, const Node& node, const RowView& row) {
  const Index primary = outcome(tree, node, row);
  if (primary >= 0) return primary;
  for (Index s = 0; s < node.n_surrogates; ++s) {
    const Surrogate& surrogate = tree.surrogates[static_cast<std::size_t>(node.first_surrogate + s)];
    const Index second = outcome(tree, surrogate, row);
    if (second >= 0) return surrogate.flipped ? 1 - second : second;
  }
  return primary == unseen_code ? node.unseen_route : node.missing_route;
}

// The branch that nobody but cases without a value takes; -1: there is none.
inline Index missing_branch(const Tree& tree, const Node& node) {
  if (node.kind == NodeKind::Threshold) {
    if (node.n_children > 2) return 2;
    return node.threshold == every_number && node.n_surrogates == 0 && node.missing_route == 1 ? 1 : -1;
  }
  if (node.leaf() || node.n_surrogates > 0 || node.missing_route < 0) return -1;
  const Index* branch_of = tree.branch_map.data() + node.map_offset;
  for (Index code = 0; code < tree.feature_values[static_cast<std::size_t>(node.feature)]; ++code)
    if (branch_of[code] < 0 || branch_of[code] == node.missing_route) return -1;
  return node.missing_route;
}

// The training weight of a node's branches together.
inline double branch_total(const Tree& tree, const Node& node) {
  double total = 0.0;
  for (Index c = 0; c < node.n_children; ++c) total += tree.node(node.first_child + c).weight;
  return total;
}

// The share of a case with a missing value that goes down branch b: by training weight; equal shares if nothing was weighed (or if a
// tree from a file weighs more than a number can hold).
inline double branch_share(const Tree& tree, const Node& node, Index b, double total) {
  if (!(total > 0.0 && total < infinity)) return 1.0 / node.n_children;
  return tree.node(node.first_child + b).weight / total;
}
inline double branch_share(const Tree& tree, const Node& node, Index b) { return branch_share(tree, node, b, branch_total(tree, node)); }

// Divides a case that a node sends down all its branches: open(child, its share of the case), the last branch first, so that a stack of
// them is walked in their order.
template <class Open>
void divide_case(const Tree& tree, const Node& node, double share, Open&& open) {
  const double total = branch_total(tree, node);
  for (Index c = node.n_children - 1; c >= 0; --c) {
    const double part = share * branch_share(tree, node, c, total);
    if (part > 0.0) open(node.first_child + c, part);
  }
}

// Calls visit(node number, share of the case) for every node where the walk ends; the shares sum to 1. Visits come in the order
// of the branches. No recursion: a tree from a file may be a million nodes deep. view_at(node number) gives the row as it is read at
// that node.
template <class ViewAt, class Visit>
void walk_viewing(const Tree& tree, ViewAt&& view_at, Visit&& visit, Index start = 0) {
  struct Stop {
    Index node;
    double share;
  };
  std::vector<Stop> open;  // allocates only where a case is split
  Stop at{start, 1.0};
  while (true) {
    const Node& node = tree.node(at.node);
    const Index b = node.leaf() ? route_stop : branch(tree, node, view_at(at.node));
    if (b >= 0) {
      at.node = node.first_child + b;
      continue;
    }
    if (b == route_stop) {
      visit(at.node, at.share);
    } else {
      divide_case(tree, node, at.share, [&](Index child, double part) { open.push_back({child, part}); });
    }
    if (open.empty()) return;
    at = open.back();
    open.pop_back();
  }
}

// The same, with a row that reads alike everywhere.
template <class RowView, class Visit>
void walk(const Tree& tree, const RowView& row, Visit&& visit, Index start = 0) {
  walk_viewing(tree, [&row](Index) -> const RowView& { return row; }, visit, start);
}

}  // namespace thriftwood
