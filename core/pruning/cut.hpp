// The pruning rules that need nothing but the tree and the cases it was grown on, as values: whoever grows many trees hands one over
// and each tree is cut where it was grown.
#pragma once

#include <variant>

#include "mdl.hpp"
#include "pessimistic.hpp"

namespace thriftwood {

// C4.5: collapse, pessimistic pruning, and impossible values dropped where categories were grouped.
struct PessimisticCut {
  PessimisticSettings pruning = {};
  bool collapse = true;
  bool drop_impossible = false;
};

using CutRule = std::variant<std::monostate, PessimisticCut, MdlSettings>;  // the first: not cut at all

// The tree, cut back with the cases it was grown on.
Tree cut_back(Tree tree, const Cases& cases, const CutRule& cut);

}  // namespace thriftwood
