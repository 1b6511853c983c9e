// A split as a value: the test of a node and where cases without an answer go.
#pragma once

#include <vector>

#include "../tree/tree.hpp"

namespace thriftwood {

struct StandIn {
  Surrogate test;
  std::vector<Index> branch_of;  // nominal: branch of every category
};

struct Split {
  Index feature = -1;
  NodeKind kind = NodeKind::Leaf;
  double threshold = 0.0;
  double gain = 0.0;             // unpenalised, per unit of the node's weight
  Index branches = 0;
  Index left_codes = -1;         // threshold on a coded column: codes below it go left; -1 = compare the numbers
  std::vector<Index> branch_of;  // nominal: branch of every category; -1 = none here
  Index missing_route = route_fractional;
  Index unseen_route = route_fractional;
  std::vector<StandIn> stand_ins;
};

}  // namespace thriftwood
