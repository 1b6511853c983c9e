// The finished tree of a Hoeffding tree, and more classes for it.
#include <algorithm>

#include "../growing/growing_tree.hpp"
#include "../tree/relabel.hpp"
#include "counted_offers.hpp"
#include "hoeffding.hpp"

namespace thriftwood {

Tree HoeffdingTree::tree() const {
  Tree tree;
  tree.width = classes_;
  tree.feature_values = feature_values_;
  add_nodes(tree, 1);
  std::vector<Index> from{0};  // by number, before they are put into the order of a finished tree
  for (Index number = 0; number < tree.size(); ++number) {
    const Node& node = nodes_[static_cast<std::size_t>(from[static_cast<std::size_t>(number)])];
    std::copy(node.counts.begin(), node.counts.end(), tree.value(number).begin());
    if (node.feature < 0) continue;
    Split split;
    split.feature = node.feature;
    split.kind = node.kind;
    split.threshold = node.threshold;
    split.branches = static_cast<Index>(node.children.size());
    split.branch_of = node.branch_of;
    split.missing_route = split.unseen_route = node.missing_route;
    install(tree, number, add_nodes(tree, split.branches), split, node.gain);
    from.insert(from.end(), node.children.begin(), node.children.end());
  }
  for (Index number = tree.size(); number-- > 0;) {  // an inner node has what its branches have
    const auto& node = tree.node(number);
    if (node.leaf()) continue;
    const auto sums = tree.value(number);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (Index b = 0; b < node.n_children; ++b)
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += tree.value(node.first_child + b)[c];
  }
  // Nodes that no case reached answer as the node above: labels go down, those with cases get their own.
  relabel(tree, growth_.loss);
  for (Index number = 0; number < tree.size(); ++number) {
    auto& node = tree.node(number);
    if (node.weight > 0.0) node.impurity = cell_cost(growth_.impurity, target_, tree.value(number), node.weight, false) / node.weight;
    for (Index b = 0; b < node.n_children; ++b)
      if (auto& child = tree.node(node.first_child + b); child.weight <= 0.0) child.label = node.label;
  }
  return compact(tree);
}

void HoeffdingTree::widen(Index classes, std::span<const Index> place, std::span<const double> loss) {
  const auto old = static_cast<std::size_t>(classes_), now = static_cast<std::size_t>(classes);
  if (now < old || place.size() != old) throw InputError("Classes are added, and each old one has a place.");
  for (const Index p : place)
    if (p < 0 || p >= classes) throw InputError("There is no class " + std::to_string(p) + ".");
  const Densities wider(feature_values_, classes);
  for (Node& node : nodes_) {
    if (node.counts.empty()) continue;
    if (!node.densities.empty()) node.densities = densities_.widened(node.densities, wider, place);
    std::vector<double> counts(now, 0.0);
    for (std::size_t c = 0; c < old; ++c) counts[static_cast<std::size_t>(place[c])] = node.counts[c];
    node.counts = std::move(counts);
    if (node.cells.empty()) continue;
    std::vector<std::uint32_t> cells(codes_in_all_ * now, 0);
    for (std::size_t i = 0; i < codes_in_all_; ++i)
      for (std::size_t c = 0; c < old; ++c) cells[i * now + static_cast<std::size_t>(place[c])] = node.cells[i * old + c];
    node.cells = std::move(cells);
  }
  classes_ = classes;
  growth_.loss.assign(loss.begin(), loss.end());
  set_up();
}

}  // namespace thriftwood
