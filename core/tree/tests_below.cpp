#include "tests_below.hpp"

namespace thriftwood {

std::vector<Index> tests_below(const Tree& tree, Index start) {
  std::vector<Index> tests;
  std::vector<bool> listed(tree.feature_values.size(), false);
  std::vector<Index> open{start};
  while (!open.empty()) {
    const Node& node = tree.node(open.back());
    open.pop_back();
    if (node.leaf()) continue;
    if (!listed[static_cast<std::size_t>(node.feature)]) {
      listed[static_cast<std::size_t>(node.feature)] = true;
      tests.push_back(node.feature);
    }
    for (Index c = node.n_children - 1; c >= 0; --c) open.push_back(node.first_child + c);
  }
  return tests;
}

}  // namespace thriftwood
