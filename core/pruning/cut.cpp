#include "cut.hpp"

#include "collapse.hpp"
#include "impossible_values.hpp"

namespace thriftwood {

namespace {

Tree cut_by(Tree tree, const Cases&, std::monostate) { return tree; }

Tree cut_by(Tree tree, const Cases& cases, const PessimisticCut& cut) {
  if (cut.collapse) tree = collapse(tree);
  tree = prune_pessimistic(tree, cases, cut.pruning).tree;
  return cut.drop_impossible ? drop_impossible_values(tree) : tree;
}

Tree cut_by(Tree tree, const Cases&, const MdlSettings& settings) { return prune_mdl(tree, settings); }

}  // namespace

Tree cut_back(Tree tree, const Cases& cases, const CutRule& cut) {
  return std::visit([&](const auto& rule) { return cut_by(std::move(tree), cases, rule); }, cut);
}

}  // namespace thriftwood
