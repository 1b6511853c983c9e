// Which tests stand in a subtree.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "tree.hpp"

namespace thriftwood {

// The tests of the subtree of a node (the features its nodes test; no surrogates), in pre-order, each once.
std::vector<Index> tests_below(const Tree& tree, Index start = 0);

// The same, remembered for the nodes that were asked about. Not for all nodes at once: that takes quadratic time in a deep tree.
// Each thread has its own; the tree must outlive it.
class TestsBelow {
 public:
  explicit TestsBelow(const Tree& tree) : tree_(&tree) {}

  const Tree& tree() const { return *tree_; }
  std::span<const Index> at(Index node) {
    const auto [found, fresh] = known_.try_emplace(node);
    if (fresh) found->second = tests_below(*tree_, node);
    return found->second;
  }

 private:
  const Tree* tree_;
  std::unordered_map<Index, std::vector<Index>> known_;
};

}  // namespace thriftwood
