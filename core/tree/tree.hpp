// The finished tree: flat arrays, fixed once made.
//
//   node       a leaf, a threshold test (number <= threshold goes to branch 0, else branch 1) or a nominal test
//              (branch_map[map_offset + code] is the branch; -1 = this category has no branch here, treated as missing)
//   children   of a node have consecutive numbers first_child .. first_child + n_children - 1, all greater than the node's
//              own number; the root is node 0. So a loop from the last node to the first visits children before parents.
//   route      where a case goes whose value is missing (or whose category was unseen) and no surrogate decides:
//              a branch number, or route_fractional (down every branch, by weight), or route_stop (the node answers)
//   values     classification: the training weight of each class at each node (width = number of classes);
//              regression: the node's prediction (width = 1; a stage of a booster has a step for every class)
//
// A threshold test may have a third branch, which then is the branch of missing values (missing_route == 2). With the threshold
// every_number it asks only whether there is a value: all numbers go to branch 0, cases without one to branch 1 (missing_route == 1).
//
// A branch of its own for missing values is the last branch. Cases that stay at a node (missing = stay) are in such a branch, a leaf that
// is never split; where nobody stayed the node itself answers. A category without a branch counts as missing.
//
// Growing and the grown tree are different things: a Tree is fixed once made, and `validate` accepts only trees that can be walked safely;
// files, arrays and pickles all pass through it. Nothing recurses by depth: a tree from a file may be deeper than any stack.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "../basics/types.hpp"

namespace thriftwood {

enum class NodeKind : std::uint8_t { Leaf = 0, Threshold = 1, Nominal = 2 };

inline constexpr Index route_fractional = -1;
inline constexpr Index route_stop = -2;

inline constexpr double every_number = std::numeric_limits<double>::max();

struct Node {
  NodeKind kind = NodeKind::Leaf;
  Index feature = -1;
  Index first_child = -1;
  Index n_children = 0;
  Index map_offset = -1;              // nominal: start of this node's categories in branch_map
  Index missing_route = route_fractional;
  Index unseen_route = route_fractional;
  Index label = 0;                    // classification: the answer if the walk ends here; from `width` on, one that is no class
  Index first_surrogate = 0;
  Index n_surrogates = 0;
  double threshold = 0.0;
  double weight = 0.0;                // training weight that reached the node
  double impurity = 0.0;              // per unit of weight, by the impurity the tree was grown with
  double gain = 0.0;                  // what the criterion's impurity lost by the split, per unit of weight; 0 at a leaf
  double risk = 0.0;                  // training loss if the walk ended here, summed over the node's weight

  bool leaf() const { return kind == NodeKind::Leaf; }
};

// A surrogate for a missing primary test; always two-way: branch 0 or 1, exchanged when `flipped`.
struct Surrogate {
  NodeKind kind = NodeKind::Threshold;
  Index feature = -1;
  Index map_offset = -1;
  bool flipped = false;
  double threshold = 0.0;
  double agreement = 0.0;             // share of the weight on which it agrees with the primary test
  double adjusted = 0.0;              // agreement beyond always guessing the larger branch
};

struct Tree {
  Index width = 0;                    // numbers per node in `values`
  bool regression = false;
  std::vector<Node> nodes;
  std::vector<double> values;         // nodes.size() * width
  std::vector<Index> branch_map;
  std::vector<Surrogate> surrogates;
  std::vector<Index> feature_values;  // per feature: number of categories, 0 for a numeric feature
  std::vector<double> loss;           // classification: what answers cost, width x answers() by [actual][answer]; empty: 1 for a mistake.
                                      // Labels say which answer is cheapest at a node; this decides for a case that ends at several.
  std::vector<double> smoothing;      // classification: weight added to each class before the shares of a node are taken; empty: none.
                                      // `values` stay what was counted.
  std::size_t cases = 0;              // training cases behind the root's weight, where they have weights of their own; 0: they weigh 1 on average

  Index size() const { return static_cast<Index>(nodes.size()); }
  const Node& node(Index i) const { return nodes[static_cast<std::size_t>(i)]; }
  Node& node(Index i) { return nodes[static_cast<std::size_t>(i)]; }
  std::span<const double> value(Index i) const {
    return {values.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(width), static_cast<std::size_t>(width)};
  }
  std::span<double> value(Index i) {
    return {values.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(width), static_cast<std::size_t>(width)};
  }

  // The classes, and the answers besides them, such as "refer to an expert", for which the loss has further columns.
  Index answers() const { return loss.empty() ? width : static_cast<Index>(loss.size() / static_cast<std::size_t>(width)); }

  Index leaves() const;
  Index depth() const;
};

// Throws InputError naming the node unless every index in the tree is in range, every node but the root has one parent with
// a smaller number, and every number that must be finite is. A tree that passes can be walked safely.
void validate(const Tree& tree);

// The same tree with the nodes below every leaf dropped, and nodes, maps and surrogates renumbered into the one canonical
// order (depth first; the children of a node stand together). Pruning marks leaves, then compacts.
Tree compact(const Tree& tree);

// What Tree::cases is for so many cases of that weight together; for the cases with weights above 0.
std::size_t weighted_cases(std::size_t cases, double weight);
std::size_t weighted_cases(std::span<const double> weights);

// Turns an inner node into a leaf; its descendants stay in the arrays until `compact`.
void make_leaf(Node& node);

}  // namespace thriftwood
