// Grows a tree.
//
// 1. Take an open node (the newest, the oldest or the most promising, by `order`).
// 2. The chooser says which test it gets, or none: the node stays a leaf.
// 3. Pay for the test and divide the node's cases; branches that cannot be split further stay leaves, the others are opened.
//
// Where the cases are elsewhere (rows/engine.hpp), a node waits until they have been counted; all that wait are counted in one round. Then
// growth goes on; or, where what one node buys changes the prices of others, it begins anew with more nodes known, until none waits.
//
// Big nodes share their features among the threads of the pool; small ones are set aside and then grown as whole subtrees, one thread each.
// Every subtree depends on its own cases alone, so the tree is the same for any number of threads.
#pragma once

#include <memory>

#include "chooser.hpp"
#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

class Grower {
 public:
  Grower(const Table& table, const Target& target, const Settings& settings, Engine& rows, ThreadPool& pool)
      : rows_(rows), fit_(table, target, settings, rows, pool), chooser_(make_chooser(fit_, *this)) {}

  // A tree on all rows of the table, or on the given ones (ascending, each once).
  Tree grow(std::span<const Row> subset);

  // For choosers that grow trees on trial.

  // A tree of one leaf, which is that node of another; it knows what that tree has bought, and how many splits and leaves it has.
  GrowingTree single_leaf(const GrowingTree& growing, Index node, Chooser& chooser) const;
  // Grows a tree of one leaf, whose open node is `root`, to its end. The calling thread works alone.
  void grow_below(GrowingTree& growing, OpenNode&& root, Workspace& workspace);
  // Gives an open node the test of its choice and opens its branches. `workspace` has been prepared for the node.
  void expand(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool);

 private:
  GrowingTree empty_tree(Chooser& chooser) const;
  // Whether subtrees know nothing of each other.
  bool independent() const;
  // Writes weight, impurity and answer of a node.
  void describe(Tree& tree, Index number, const Summary& summary, Index label_if_empty) const;
  // The same for the branches of a split, and whether each may be split further, in growing.branch_open; false if none may.
  bool describe_branches(GrowingTree& growing, const OpenNode& open, Index first, const Split& split, std::span<const Summary> summaries) const;
  void push(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool);
  // Splits open nodes until there is none left; small ones go to `later` if it is given.
  void run(GrowingTree& growing, Workspace& workspace, ThreadPool* pool, std::vector<OpenNode>* later);
  // Has the waiting nodes counted, or their cases gathered.
  void fetch(GrowingTree& growing);
  // The same again and again, where subtrees know nothing of each other, until no node waits.
  void grow_waiting(GrowingTree& growing, std::vector<OpenNode>& later);
  // Grows every node set aside as a subtree of its own and sets it in its place.
  void graft(GrowingTree& growing, std::vector<OpenNode>& later);

  Engine& rows_;
  Fit fit_;
  std::unique_ptr<Chooser> chooser_;
};

}  // namespace thriftwood
