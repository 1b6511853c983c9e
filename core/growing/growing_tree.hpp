// A tree while it grows.
//
//   open node      a node that may still be split, with its part of the table
//   choice         the test an open node is to have
//   growing tree   the nodes made so far, in the order they were made; `compact` gives them their final numbers
#pragma once

#include <optional>
#include <vector>

#include "../rows/engine.hpp"
#include "spending.hpp"

namespace thriftwood {

class Chooser;

struct Choice {
  Offer offer;
  std::vector<std::size_t> kept;  // places in part.features of the features that may be tested below the node
  double priority = 0.0;
  std::size_t bought = 0;         // features of the tree when the choice was made
  bool settled = false;           // planned with the test above it, not to be weighed again
  std::vector<Choice> planned = {};  // for the first two branches, by choosers that plan ahead; without a feature: nothing planned
};

struct OpenNode {
  Index node;
  int depth;
  Part part;
  Summary summary;
  std::vector<Index> path = {};  // sequential payment: the features tested above the node, in order
  double path_factor = 1.0;      // see MeritRules
  std::optional<Choice> choice = std::nullopt;  // best first, or planned: found when the node is opened
  std::size_t number = 0;        // of opening; the earlier one wins a tie
  Key key = 0;                   // what is drawn at the node and below it; depends on the seed and the way to the node
  Index order = -1;              // with a budget: which of the tree's orders pays for its test; -1: none
};

// The open nodes in the order they are taken: the newest first, the oldest first or the most promising first.
class OpenNodes {
 public:
  explicit OpenNodes(Order order) : order_(order) {}

  bool empty() const { return nodes_.empty(); }
  void push(OpenNode&& open);
  OpenNode pop();
  // The one with that number in the tree; null: it is not open.
  const OpenNode* find(Index node) const;

 private:
  Order order_;
  std::vector<OpenNode> nodes_;
  std::size_t taken_ = 0;        // oldest first: so many at the front were taken already, never half of them or more
};

struct GrowingTree {
  GrowingTree(Order order, Chooser& chooses) : chooser(&chooses), open(order) {}

  Chooser* chooser;              // of the tests of its nodes
  Tree tree;
  OpenNodes open;
  std::size_t opened = 0, splits = 0, leaves = 1;
  std::vector<Index> bought;     // upfront payment: the features of the tree, in the order of purchase
  std::vector<Spending> orders;  // with a budget: what was ordered at once with a delayed test, or upfront
  std::size_t ordered = 0;       // so many tests have they, all together
  bool trial = false;            // grown for an estimate; given up when growth is to stop
  std::vector<bool> branch_open; // of the node at hand, and the parts of its branches: kept, so that a node costs no allocation
  std::vector<Part> parts;
  std::vector<Part> spare;       // without cases, of nodes that are done: the memory of their lists serves the next ones
  std::vector<OpenNode> waiting; // until their cases have been counted; see Engine::ready
  std::vector<OpenNode> shelved; // best first, upfront: nodes with no test worth its price, or within the budget, until more is bought

  // Takes the part of a node that is done, and lends such parts to so many branches: half of what a small node costs is allocations.
  void take_back(Part&& part);
  void lend(std::size_t branches);
};

// Adds leaves at the end and returns the number of the first.
Index add_nodes(Tree& tree, Index count);

// Makes a leaf an inner node with that test.
void install(Tree& tree, Index number, Index first_child, const Split& split, double gain);

// Puts a whole tree in the place of a leaf.
void set_in(Tree& tree, Index place, const Tree& subtree);

}  // namespace thriftwood
