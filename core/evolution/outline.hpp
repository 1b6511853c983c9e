// The tree that a string of ECCO stands for, as far as the training cases reach, with what they weigh at its leaves.
//
//   string   the nodes of a complete tree, level by level, each with a question's number; node i has its branches at b i + 1 .. b i + b
//   outline  the nodes that some training case reaches, in pre-order. A node without a question is a leaf whatever comes below it. A
//            question that was asked further up is passed over: the branch of the outcome it had takes the node's place. A node
//            whose question none of its cases has an answer to is a leaf
//   whole    the rows that are at a node with all their weight of 1, as bits
//   piece    any other row at a node: one with another weight, or with a part of it because a missing value spread it
#pragma once

#include <optional>
#include <vector>

#include "../growing/spending.hpp"
#include "bits.hpp"
#include "row_sets.hpp"

namespace thriftwood {

struct Outline {
  struct Node {
    Index question;  // -1: a leaf
    Index branch;    // which outcome of its parent's question
    Index parent;    // -1: the root
    Index end;       // one past the last node below it
  };
  // What ends at a leaf of a case that ends at several.
  struct Part {
    Index node;
    Row row;
    double share;
  };

  std::size_t classes = 0;
  std::vector<Node> nodes;
  std::vector<double> weights;  // of the classes at every leaf; of inner nodes once they are summed up
  std::vector<Part> parts;

  double* weight_of(std::size_t node) { return weights.data() + node * classes; }
  std::span<const double> weights_of(std::size_t node) const { return {weights.data() + node * classes, classes}; }
  // Gives every node with others below it their weights together.
  void sum_up();
};

// What all strings of a genome have in common. The parts belong to the caller.
struct Ground {
  const Judged& judged;
  const std::vector<Question>& questions;
  const Shape& shape;
  const RowSets& sets;            // of the rows that weigh 1 each; without any row where others weigh otherwise
  const std::vector<Row>& apart;  // the rows that are in no set, because of their weight
  const Budget& budget;           // a node whose question is beyond it is a leaf
};

// Draws outlines. Every thread has its own.
class Drafter {
 public:
  explicit Drafter(const Ground& ground);

  // Good until the next one.
  Outline& draw(const Bits& string);

 private:
  struct Piece {
    Row row;
    double share;  // of all weight
    bool parted;   // whether other pieces of the row are elsewhere
    Index outcome; // of the question asked at the node, while it is asked
  };
  // A node's place in the string, and its cases: bits, and the pieces from `first` to `last` of the stack.
  struct Place {
    std::size_t gene, level;
    const std::uint64_t* whole;
    std::size_t first, last;
  };

  void grow(Place place, Index branch, Index parent);
  // The question at a place, passing over those answered further up; -1: none.
  Index question_at(Place& place) const;
  // Whether the budget leaves the question.
  bool affordable(Index question);
  bool spreads(const Place& place, std::size_t question) const;
  void divide(const Place& place, std::size_t question, Index node);
  // The same where pieces are to be divided, or cases have no answer. False: no case has one.
  bool divide_pieces(Place place, std::size_t question, Index node);
  void weigh(const Place& place, Index node);
  // The whole rows of an outcome, in the workspace of the level below; null: there are none.
  const std::uint64_t* taken(const Place& place, std::size_t question, Index outcome);
  Place below(const Place& place, Index outcome, const std::uint64_t* whole) const {
    return {place.gene * ground_.shape.branches + 1 + static_cast<std::size_t>(outcome), place.level + 1, whole, pieces_.size(), pieces_.size()};
  }

  Ground ground_;
  const Bits* string_ = nullptr;
  unsigned bits_per_node_;
  std::vector<Index> answered_;         // per question: 1 + the outcome it had on the path; 0: not asked
  std::vector<std::uint64_t> levels_;   // one set of rows per level
  std::vector<std::uint64_t> nobody_;   // an empty set
  std::vector<Piece> pieces_;
  std::vector<double> known_;           // per outcome, of the nodes under way
  Spending spent_;                      // with a budget: on the path
  std::optional<Basket> basket_;        // the same, to be filled
  Outline outline_;
};

// The finished tree. Branches that no training case takes are leaves with their parent's answer.
Tree to_tree(Outline& outline, const Ground& ground);

}  // namespace thriftwood
