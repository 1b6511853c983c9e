// Trees small enough to follow by hand, for several test files.
#pragma once

#include <utility>
#include <vector>

#include "tree/tree.hpp"

namespace thriftwood {

inline Node leaf(Index label, double weight) {
  Node node;
  node.label = label;
  node.weight = weight;
  return node;
}

inline Node threshold_test(Index feature, double threshold, Index first_child, double weight) {
  Node node;
  node.kind = NodeKind::Threshold;
  node.feature = feature;
  node.threshold = threshold;
  node.first_child = first_child;
  node.n_children = 2;
  node.weight = weight;
  return node;
}

inline Node nominal_test(Index feature, Index map_offset, Index first_child, Index n_children, double weight) {
  Node node = threshold_test(feature, 0.0, first_child, weight);
  node.kind = NodeKind::Nominal;
  node.map_offset = map_offset;
  node.n_children = n_children;
  return node;
}

// Two classes; the class weights of a node are its weight for its own label.
inline Tree classes_tree(std::vector<Node> nodes, std::vector<Index> feature_values) {
  Tree tree;
  tree.width = 2;
  tree.nodes = std::move(nodes);
  tree.feature_values = std::move(feature_values);
  for (const Node& node : tree.nodes) {
    tree.values.push_back(node.label == 0 ? node.weight : 0.0);
    tree.values.push_back(node.label == 1 ? node.weight : 0.0);
  }
  return tree;
}

//   0: x0 <= 1.5 ?   1: leaf, class 0, weight 3
//                    2: x1 <= -2 ?   3: leaf, class 1, weight 4
//                                    4: leaf, class 0, weight 1
inline Tree two_thresholds() {
  return classes_tree({threshold_test(0, 1.5, 1, 8), leaf(0, 3), threshold_test(1, -2.0, 3, 5), leaf(1, 4), leaf(0, 1)}, {0, 0});
}

//   0: colour ?   red -> 1: leaf, class 0, weight 1    green -> 2: leaf, class 1, weight 3    blue has no
//   branch
inline Tree colours() {
  Tree tree = classes_tree({nominal_test(0, 0, 1, 2, 4), leaf(0, 1), leaf(1, 3)}, {3, 0});
  tree.branch_map = {0, 1, -1};
  return tree;
}

}  // namespace thriftwood
