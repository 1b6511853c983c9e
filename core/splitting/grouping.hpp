// C4.5's grouping of categories (option -s of release 8).
//
//   block   categories that share a branch
//   rest    categories that (almost) no case of the node has; they become one more branch
//
// Start with a block per category, join pure blocks of the same class, then join the pair of blocks that scores best, again and
// again, as long as the gain ratio rises. With the plain gain, joining goes on down to two blocks.
//
// A joined block keeps the first one's place, the last block fills the gap, and a block is reasonable from the least branch weight on. The
// text does not say this order: it is inferred, being the one that grows release 8's tree of credit screening.
#pragma once

#include "nominal.hpp"

namespace thriftwood {

NominalTest group_categories(const NominalSearch& search, const CategoryCells& cells);

}  // namespace thriftwood
