// Which tests a node of a growing tree may have, where there is a budget (spending.hpp). Without one everything is allowed.
#pragma once

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

// Writes into the workspace which features of the node may be tested at it.
void mark_affordable(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace);
// The same of its branches, if it takes the test of this feature.
void mark_affordable_below(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index taken, Workspace& workspace);
// Whether the node may have the test of this feature now.
bool may_take(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index feature);
// Writes into the workspace which features may be surrogates if the node takes the test of this feature.
void mark_stand_ins(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index taken, Workspace& workspace);

// The root of a tree whose tests are paid upfront orders all of them.
void order_upfront(const Fit& fit, GrowingTree& growing, OpenNode& root);
// Notes that the node has the test of its choice; before the feature is on its path.
void spend(const Fit& fit, GrowingTree& growing, OpenNode& open);

}  // namespace thriftwood
