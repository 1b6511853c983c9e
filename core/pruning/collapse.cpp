#include "collapse.hpp"

#include <algorithm>

#include "cases.hpp"

namespace thriftwood {

namespace {

double errors_with(const Tree& tree, Index i, Index label) { return tree.node(i).weight - tree.value(i)[static_cast<std::size_t>(label)]; }

// Training cases that end at the inner node itself because their value is missing: they are in no branch.
double errors_of_stopped(const Tree& tree, Index i) {
  const Node& node = tree.node(i);
  if (node.missing_route != route_stop) return 0.0;
  double errors = errors_with(tree, i, node.label);
  for (Index b = 0; b < node.n_children; ++b) errors -= errors_with(tree, node.first_child + b, node.label);
  return std::max(0.0, errors);
}

}  // namespace

Tree collapse(const Tree& tree) {
  require_class_answers(tree, "Collapsing");
  Tree fresh = tree;
  std::vector<double> errors(tree.nodes.size());
  for (Index i = tree.size() - 1; i >= 0; --i) {
    Node& node = fresh.node(i);
    const double as_leaf = errors_with(tree, i, node.label);
    double as_tree = as_leaf;
    if (!node.leaf()) {
      as_tree = errors_of_stopped(tree, i);
      for (Index b = 0; b < node.n_children; ++b) as_tree += errors[static_cast<std::size_t>(node.first_child + b)];
      if (as_tree >= as_leaf - collapse_margin) {
        make_leaf(node);
        as_tree = as_leaf;
      }
    }
    errors[static_cast<std::size_t>(i)] = as_tree;
  }
  return compact(fresh);
}

}  // namespace thriftwood
