#include "growing_tree.hpp"

#include <algorithm>
#include <utility>

namespace thriftwood {

namespace {

// Priorities are rounded when they are set, so equal ones are equal to the bit, and the earlier node wins.
bool less_promising(const OpenNode& a, const OpenNode& b) {
  if (a.choice->priority != b.choice->priority) return a.choice->priority < b.choice->priority;
  return a.number > b.number;
}

}  // namespace

void OpenNodes::push(OpenNode&& open) {
  nodes_.push_back(std::move(open));
  if (order_ == Order::Best) std::push_heap(nodes_.begin(), nodes_.end(), less_promising);
}

OpenNode OpenNodes::pop() {
  if (order_ == Order::Best) std::pop_heap(nodes_.begin(), nodes_.end(), less_promising);
  if (order_ != Order::Breadth) {
    OpenNode open = std::move(nodes_.back());
    nodes_.pop_back();
    return open;
  }
  OpenNode open = std::move(nodes_[taken_++]);
  if (2 * taken_ >= nodes_.size()) {
    nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }
  return open;
}

const OpenNode* OpenNodes::find(Index node) const {
  const auto found =
      std::find_if(nodes_.begin() + static_cast<std::ptrdiff_t>(taken_), nodes_.end(), [node](const OpenNode& open) { return open.node == node; });
  return found == nodes_.end() ? nullptr : &*found;
}

void GrowingTree::take_back(Part&& part) {
  part.clear();
  spare.push_back(std::move(part));
}

void GrowingTree::lend(std::size_t branches) {
  parts.resize(branches);
  for (Part& part : parts) {
    if (spare.empty()) return;
    if (part.features.capacity() > 0) continue;
    part = std::move(spare.back());
    spare.pop_back();
  }
}

Index add_nodes(Tree& tree, Index count) {
  const Index first = tree.size();
  tree.nodes.resize(static_cast<std::size_t>(first + count));
  tree.values.resize(tree.nodes.size() * static_cast<std::size_t>(tree.width), 0.0);
  return first;
}

void install(Tree& tree, Index number, Index first_child, const Split& split, double gain) {
  Node& node = tree.node(number);
  node.kind = split.kind;
  node.feature = split.feature;
  node.threshold = split.threshold;
  node.first_child = first_child;
  node.n_children = split.branches;
  node.gain = gain;
  node.missing_route = split.missing_route;
  node.unseen_route = split.unseen_route;
  const auto add_map = [&tree](const std::vector<Index>& map) {
    const auto offset = static_cast<Index>(tree.branch_map.size());
    tree.branch_map.insert(tree.branch_map.end(), map.begin(), map.end());
    return offset;
  };
  if (split.kind == NodeKind::Nominal) node.map_offset = add_map(split.branch_of);
  node.first_surrogate = split.surrogates.empty() ? 0 : static_cast<Index>(tree.surrogates.size());
  node.n_surrogates = static_cast<Index>(split.surrogates.size());
  for (const SurrogateSplit& found : split.surrogates) {
    Surrogate surrogate = found.test;
    if (surrogate.kind == NodeKind::Nominal) surrogate.map_offset = add_map(found.branch_of);
    tree.surrogates.push_back(surrogate);
  }
}

void set_in(Tree& tree, Index place, const Tree& subtree) {
  const Index shift = tree.size() - 1, map_shift = static_cast<Index>(tree.branch_map.size()),
              surrogate_shift = static_cast<Index>(tree.surrogates.size());
  const auto moved = [&](Node node) {
    if (node.first_child >= 0) node.first_child += shift;
    if (node.map_offset >= 0) node.map_offset += map_shift;
    if (node.n_surrogates > 0) node.first_surrogate += surrogate_shift;
    return node;
  };
  tree.node(place) = moved(subtree.node(0));
  for (Index i = 1; i < subtree.size(); ++i) tree.nodes.push_back(moved(subtree.node(i)));
  tree.values.insert(tree.values.end(), subtree.values.begin() + subtree.width, subtree.values.end());
  tree.branch_map.insert(tree.branch_map.end(), subtree.branch_map.begin(), subtree.branch_map.end());
  for (Surrogate surrogate : subtree.surrogates) {
    if (surrogate.map_offset >= 0) surrogate.map_offset += map_shift;
    tree.surrogates.push_back(surrogate);
  }
}

}  // namespace thriftwood
