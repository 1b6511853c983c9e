#include "impossible_values.hpp"

namespace thriftwood {

namespace {

Index branch_of(const Tree& tree, const Node& node, Index code) { return tree.branch_map[static_cast<std::size_t>(node.map_offset + code)]; }

class Cleaner {
 public:
  explicit Cleaner(const Tree& tree) : tree_(tree), parent_(tree.nodes.size(), -1) {}

  Tree run() {
    for (Index i = 0; i < tree_.size(); ++i) {  // parents first: a dropped branch takes its subtree along
      Node& node = tree_.node(i);
      for (Index b = 0; b < node.n_children; ++b) parent_[static_cast<std::size_t>(node.first_child + b)] = i;
      if (node.kind == NodeKind::Nominal) clean_last_branch(i);
    }
    return compact(tree_);
  }

 private:
  void clean_last_branch(Index i) {
    Node& node = tree_.node(i);
    const Index last = node.n_children - 1;
    const Index categories = tree_.feature_values[static_cast<std::size_t>(node.feature)];
    bool empty = true;
    for (Index code = 0; code < categories; ++code) {
      if (branch_of(tree_, node, code) != last) continue;
      if (possible(i, code))
        empty = false;
      else
        tree_.branch_map[static_cast<std::size_t>(node.map_offset + code)] = -1;
    }
    // A branch that missing values are sent to is in use, and a node keeps one branch at least.
    if (empty && last > 0 && node.missing_route != last && node.unseen_route != last) --node.n_children;
  }

  bool possible(Index i, Index code) const {
    const Index feature = tree_.node(i).feature;
    for (Index child = i, above = parent_[static_cast<std::size_t>(i)]; above >= 0; child = above, above = parent_[static_cast<std::size_t>(above)]) {
      const Node& ancestor = tree_.node(above);
      if (ancestor.kind != NodeKind::Nominal || ancestor.feature != feature) continue;
      const Index sent = branch_of(tree_, ancestor, code);  // -1: treated as missing there, so it may arrive anywhere below
      if (sent >= 0 && ancestor.first_child + sent != child) return false;
    }
    return true;
  }

  Tree tree_;
  std::vector<Index> parent_;
};

}  // namespace

Tree drop_impossible_values(const Tree& tree) { return Cleaner(tree).run(); }

}  // namespace thriftwood
