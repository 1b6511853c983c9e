// What a merit may say of itself beside its formula. Growing asks these and never which criterion it is; a merit that has none of them is
// treated as most are. All of them are const (or static constexpr) members of the merit:
//
//   Priority priority                       what a node's turn goes by where the most promising one is split first; else the gain
//   Sampling sampling                       looks ahead by trees sampled below every test (growing/look_ahead_chooser.hpp); else it does not
//   double leaf_confidence()                sampled by cost: the confidence factor of the mistakes expected from a leaf; else C4.5's 0.25
//   bool by_ratio()                         whether the split information it asks for divides the gain; else it does
//   double price_weight(reach)              how much prices count at a node, MeritRules::price_weight; else 1
//   double price_unit(list prices)          what prices are measured by, MeritRules::price_unit; else 1
//   bool plans_components()                 a test is weighed with those planned for its outcomes (growing/components.hpp); else alone
#pragma once

#include <cstdint>

namespace thriftwood {

// What the open nodes are ordered by.
enum class Priority : std::uint8_t {
  Gain,              // the gain, times the weight of the node
  Merit,             // the merit, where it has the node's share of the cases in it
  MeritTimesWeight,  // the merit, where it is per unit of the node's weight
};

// How trees are sampled below a test.
struct Sampling {
  bool by_cost = false;          // a tree is judged by what tests and mistakes are expected to cost; false: by its leaves
  bool first_is_best = false;    // the first tree of an outcome draws nothing: it takes the largest merits
  bool takes_finishing = false;  // where a test leaves nothing mixed, it is drawn from such tests alone
};

}  // namespace thriftwood
