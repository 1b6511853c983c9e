// Trees and tables made by hand for the tests.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "table.hpp"
#include "tree/tree.hpp"

namespace thriftwood::hand_made {

// A tree under construction as nested values; `tree_of` lays it out flat.
struct PlainNode {
  std::vector<double> values;  // class weights (or, for numbers, the prediction)
  std::vector<PlainNode> branches;
  Index feature = -1;
  double threshold = 0.0;
  std::vector<Index> map;  // nominal: code -> branch
  double risk = -1.0;      // -1: weight minus the largest class weight
  Index label = -1;        // -1: the largest class weight, lowest index
};

inline PlainNode leaf(std::vector<double> values) { return {std::move(values), {}, -1, 0.0, {}, -1.0, -1}; }

inline std::vector<double> added(const std::vector<PlainNode>& branches) {
  std::vector<double> sum(branches.at(0).values.size(), 0.0);
  for (const PlainNode& b : branches)
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += b.values[c];
  return sum;
}

inline PlainNode nominal(Index feature, std::vector<Index> map, std::vector<PlainNode> branches) {
  std::vector<double> values = added(branches);
  return {std::move(values), std::move(branches), feature, 0.0, std::move(map), -1.0, -1};
}

// One branch per value, in order.
inline PlainNode multiway(Index feature, std::vector<PlainNode> branches) {
  std::vector<Index> map(branches.size());
  for (std::size_t v = 0; v < map.size(); ++v) map[v] = static_cast<Index>(v);
  return nominal(feature, map, std::move(branches));
}

inline PlainNode cut(Index feature, double threshold, PlainNode low, PlainNode high) {
  std::vector<PlainNode> branches{std::move(low), std::move(high)};
  std::vector<double> values = added(branches);
  return {std::move(values), std::move(branches), feature, threshold, {}, -1.0, -1};
}

inline void place(Tree& tree, Index at, const PlainNode& plain) {
  Node node;
  node.weight = 0.0;
  for (double v : plain.values) node.weight += v;
  const auto most = std::max_element(plain.values.begin(), plain.values.end());
  node.label = plain.label >= 0 ? plain.label : static_cast<Index>(most - plain.values.begin());
  node.risk = plain.risk >= 0.0 ? plain.risk : node.weight - plain.values[static_cast<std::size_t>(node.label)];
  if (!plain.branches.empty()) {
    node.kind = plain.map.empty() ? NodeKind::Threshold : NodeKind::Nominal;
    node.feature = plain.feature;
    node.threshold = plain.threshold;
    node.n_children = static_cast<Index>(plain.branches.size());
    if (!plain.map.empty()) {
      node.map_offset = static_cast<Index>(tree.branch_map.size());
      tree.branch_map.insert(tree.branch_map.end(), plain.map.begin(), plain.map.end());
    }
    node.first_child = tree.size();
    tree.nodes.resize(tree.nodes.size() + plain.branches.size());
    tree.values.resize(tree.nodes.size() * static_cast<std::size_t>(tree.width));
  }
  tree.node(at) = node;
  std::copy(plain.values.begin(), plain.values.end(), tree.value(at).begin());
  for (std::size_t b = 0; b < plain.branches.size(); ++b) place(tree, node.first_child + static_cast<Index>(b), plain.branches[b]);
}

inline Tree tree_of(const PlainNode& root, std::vector<Index> feature_values) {
  Tree tree;
  tree.width = static_cast<Index>(root.values.size());
  tree.feature_values = std::move(feature_values);
  tree.nodes.resize(1);
  tree.values.resize(root.values.size());
  place(tree, 0, root);
  validate(tree);
  return tree;
}

// A table that owns its columns.
struct HandTable {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<Index>> codes;
  Table table;

  void numeric(std::vector<double> column) {
    table.rows = column.size();
    numbers.push_back(std::move(column));
    Column c;
    c.storage = Storage::Float64;
    c.data = numbers.back().data();
    table.columns.push_back(c);
  }

  void nominal(std::vector<Index> column, Index values) {
    table.rows = column.size();
    codes.push_back(std::move(column));
    Column c;
    c.storage = Storage::Codes;
    c.data = codes.back().data();
    c.values = values;
    table.columns.push_back(c);
  }
};

// ---- Quinlan's golf table: outlook (sunny, overcast, rain), temperature, humidity, windy (true, false) ->
// Play, Don't ----

inline HandTable golf(bool outlook_of_row_12_missing = false) {
  HandTable made;
  std::vector<Index> outlook{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2};
  if (outlook_of_row_12_missing) outlook[11] = missing_code;
  made.nominal(outlook, 3);
  made.numeric({85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71});
  made.numeric({85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80});
  made.nominal({1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0}, 2);
  return made;
}

inline std::vector<Index> golf_labels() { return {1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1}; }
inline std::vector<Index> golf_features() { return {3, 0, 0, 2}; }

// outlook: sunny (humidity <= 75), overcast, rain (windy)
inline Tree golf_tree() {
  return tree_of(multiway(0, {cut(2, 75, leaf({2, 0}), leaf({0, 3})), leaf({4, 0}), multiway(3, {leaf({0, 2}), leaf({3, 0})})}), golf_features());
}

}  // namespace thriftwood::hand_made
