// The finished tree of an outline.
#include <string>

#include "../tree/predict.hpp"
#include "optimal.hpp"

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void add_nodes(Tree& tree, std::size_t n) {
  tree.nodes.resize(tree.nodes.size() + n);
  tree.values.resize(tree.nodes.size() * at(tree.width), 0.0);
}

// Gives a node its test, and branches as leaves.
void copy_question(Tree& tree, Index to, const OutlineNode& from) {
  Node& node = tree.node(to);
  node.kind = from.nominal ? NodeKind::Nominal : NodeKind::Threshold;
  node.feature = from.feature;
  node.threshold = from.threshold;
  node.first_child = tree.size();
  node.n_children = static_cast<Index>(from.branches.size());
  node.missing_route = from.missing_branch ? node.n_children - 1 : route_stop;
  node.unseen_route = route_stop;
  if (from.nominal) {
    node.map_offset = static_cast<Index>(tree.branch_map.size());
    for (Index category = 0; category < tree.feature_values[at(from.feature)]; ++category)
      tree.branch_map.push_back(from.category < 0 ? category : category != from.category);
  }
  add_nodes(tree, from.branches.size());
}

// What the cases of each node weigh by class, and what each answer costs them.
std::vector<double> count_cases(Tree& tree, const OptimalInput& input, std::span<const Index> labels) {
  const std::size_t answers = at(input.answers);
  std::vector<double> costs(tree.nodes.size() * answers, 0.0);
  std::vector<Index> ends(input.table.rows);
  Predictor(tree).apply(input.table, 1, ends);
  for (std::size_t row = 0; row < ends.size(); ++row) {
    const double weight = input.weights.empty() ? 1.0 : input.weights[row];
    tree.value(ends[row])[at(labels[row])] += weight;
    for (std::size_t a = 0; a < answers; ++a) costs[at(ends[row]) * answers + a] += weight * input.answer_costs[row * answers + a];
  }
  for (Index i = tree.size() - 1; i >= 0; --i) {
    const Node& node = tree.node(i);
    for (Index child = node.first_child; child < node.first_child + node.n_children; ++child) {
      for (std::size_t c = 0; c < at(tree.width); ++c) tree.value(i)[c] += tree.value(child)[c];
      for (std::size_t a = 0; a < answers; ++a) costs[at(i) * answers + a] += costs[at(child) * answers + a];
    }
  }
  return costs;
}

// The label is the cheapest class; answers that are none are given by `relabel`, with the loss that makes them answers of the tree. Risks
// are those of the cheapest answer.
void answer_nodes(Tree& tree, const std::vector<double>& costs, std::size_t answers, const OptimalSettings& settings) {
  for (Index i = 0; i < tree.size(); ++i) {
    Node& node = tree.node(i);
    for (double weight : tree.value(i)) node.weight += weight;
    if (!(node.weight > 0.0)) continue;  // it has its parent's answer
    const double* cost = costs.data() + at(i) * answers;
    double least = infinity;
    for (std::size_t a = 0; a < answers; ++a) {
      const double own = cost[a] + (settings.prior_weight > 0.0 ? settings.prior_weight * settings.prior_cost[a] : 0.0);
      if (!clearly_greater(least, own)) continue;
      least = own;
      node.risk = cost[a];
      if (a < at(tree.width)) node.label = static_cast<Index>(a);
    }
    node.impurity = node.risk / node.weight;
    for (Index b = 0; b < node.n_children; ++b) tree.node(node.first_child + b).label = node.label;
  }
  for (Index i = 0; i < tree.size(); ++i) {
    Node& node = tree.node(i);
    if (node.leaf() || !(node.weight > 0.0)) continue;
    double below = 0.0;
    for (Index b = 0; b < node.n_children; ++b) below += tree.node(node.first_child + b).risk;
    node.gain = (node.risk - below) / node.weight;
  }
}

}  // namespace

Tree to_tree(const OptimalOutline& outline, const OptimalInput& input, const OptimalSettings& settings, std::span<const Index> labels,
             Index classes) {
  if (classes < 1 || classes > input.answers)
    throw InputError("There are " + std::to_string(classes) + " classes, but " + std::to_string(input.answers) + " answers.");
  if (labels.size() != input.table.rows)
    throw InputError("There are " + std::to_string(labels.size()) + " labels for " + std::to_string(input.table.rows) + " cases.");
  for (Index label : labels)
    if (label < 0 || label >= classes)
      throw InputError("A label is " + std::to_string(label) + "; there are " + std::to_string(classes) + " classes.");
  Tree tree;
  tree.width = classes;
  tree.cases = weighted_cases(input.weights);
  for (const Column& column : input.table.columns) tree.feature_values.push_back(column.values);
  add_nodes(tree, 1);
  std::vector<Index> place(outline.nodes.size(), 0);
  for (std::size_t i = 0; i < outline.nodes.size(); ++i) {
    const OutlineNode& node = outline.nodes[i];
    if (node.feature < 0) continue;
    copy_question(tree, place[i], node);
    for (std::size_t b = 0; b < node.branches.size(); ++b)
      if (node.branches[b] >= 0) place[at(node.branches[b])] = tree.node(place[i]).first_child + static_cast<Index>(b);
  }
  answer_nodes(tree, count_cases(tree, input, labels), at(input.answers), settings);
  return compact(tree);
}

}  // namespace thriftwood
