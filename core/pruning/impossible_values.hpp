// Values that cannot arrive at a nominal test, because a test of the same feature above has already sent them
// elsewhere. Multiway tests ask a feature once on a path, so a tree of them comes back as it was.
//
//   grouped test       a nominal test whose branches are sets of values; C4.5 with value grouping makes them
//   rest               the last branch of a grouped test: values that (nearly) no case had when it was made
//   impossible value   a value that some ancestor, testing the same feature, sends down another branch
//
// Impossible values leave the last branch; a last branch without values is dropped. Predictions stay the
// same: nothing could arrive there.
#pragma once

#include "../tree/tree.hpp"

namespace thriftwood {

Tree drop_impossible_values(const Tree& tree);

}  // namespace thriftwood
