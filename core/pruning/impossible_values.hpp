// Values that cannot arrive at a grouped nominal test, because a test above has already sent them elsewhere.
//
//   grouped test       a nominal test with a branch for several values (or for none); C4.5 with value grouping makes them
//   rest               the last branch of a grouped test, home of the values that were (nearly) absent when it was made
//   impossible value   a value that some ancestor, testing the same feature, sends down another branch
//
// Impossible values leave the last branch; a last branch without values is dropped. Predictions stay the same: nothing could
// arrive there.
#pragma once

#include "../tree/tree.hpp"

namespace thriftwood {

Tree drop_impossible_values(const Tree& tree);

// Does the nominal node have exactly one value for each branch (a multiway test)?
bool one_value_per_branch(const Tree& tree, const Node& node);

}  // namespace thriftwood
