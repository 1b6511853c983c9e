// C4.5's grouping of categories (option -s of release 8).
//
//   block   categories that share a branch
//   rest    categories that (almost) no case of the node has; they become one more branch
//
// Start with a block per category, join pure blocks of the same class, then join the pair of blocks that scores best, again and
// again, as long as the gain ratio rises. With the plain gain, joining goes on down to two blocks.
#pragma once

#include "nominal.hpp"

namespace thriftwood {

NominalTest group_categories(const NominalSearch& search, const CategoryCells& cells);

}  // namespace thriftwood
