// A chooser says which test an open node gets. One is made for each fit; a further way of choosing is a file beside these:
//
//   best_chooser         the test of the largest merit
//   drawn_chooser        one of the tests, drawn in proportion to its merit (SID3, SEG2)
//   component_chooser    the test that is best together with those planned for its outcomes (LASC)
//   search_chooser       the test below which the cheapest tree of a few levels was found
//   look_ahead_chooser   the test below which the best trees were found among samples (LSID3, ACT)
//
// What they share: asking features for offers (offers.hpp), what tests still cost at a node (node_prices.hpp), what the criterion's merit
// is to know (merit_rules.hpp), and turning an offer into a choice (choice.hpp).
#pragma once

#include <memory>
#include <optional>

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

class Grower;

class Chooser {
 public:
  virtual ~Chooser() = default;

  // The test the open node gets, and with it those of its outcomes if it plans them; none: the node stays a leaf. `workspace` has been
  // prepared for the node; threads of the pool may help, null: the calling thread works alone. Several threads may choose at the same
  // time, each with a workspace of its own.
  virtual std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) = 0;

  // Whether even a small node keeps all threads busy. Otherwise small nodes are grown as whole subtrees, one thread each.
  virtual bool shares_small_nodes() const { return false; }
  // What growing the subtree of a part takes, in rows looked at for one feature of it.
  virtual std::size_t subtree_work(const Part& part) const { return part.count; }
};

// The one that the settings ask for. It may grow trial trees with the grower, and must not outlive it.
std::unique_ptr<Chooser> make_chooser(Fit& fit, Grower& grower);

}  // namespace thriftwood
