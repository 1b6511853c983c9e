// A split as a value: the test of a node and where cases without an answer go.
#pragma once

#include <vector>

#include "../tree/tree.hpp"

namespace thriftwood {

struct SurrogateSplit {
  Surrogate test;
  std::vector<Index> branch_of;  // nominal: branch of every category
};

struct Split {
  Index feature = -1;
  NodeKind kind = NodeKind::Leaf;
  double threshold = 0.0;
  Index branches = 0;
  std::uint32_t left_cases = 0;  // threshold: known cases (ordered column) or codes (coded column) that go left
  std::vector<Index> branch_of;  // nominal: branch of every category; -1 = none here
  Index missing_route = route_fractional;
  Index unseen_route = route_fractional;
  std::vector<SurrogateSplit> surrogates;
};

}  // namespace thriftwood
