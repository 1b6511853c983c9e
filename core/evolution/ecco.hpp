// ECCO (Omielan & Vadera 2012): strings that stand for whole trees, node by node, level by level; see outline.hpp.
//
//   judged on       all training cases, which also give the leaves their answers: those that cost least
//   crossing        at one point between two nodes: the head of one, the tail of the other
//   mutation        of up to a part of the nodes, at least of up to one; each gets another number
//   the first ones  any number at the root; below it no question with the probability `leaf_share`, else any
#pragma once

#include <vector>

#include "genome.hpp"
#include "outline.hpp"

namespace thriftwood {

struct EccoSettings {
  std::size_t depth = 5;
  double mutation = 0.02;    // the largest part of the nodes
  double leaf_share = 0.2;
  bool prune_always = false; // every tree is pruned before it is judged
  Budget budget = {};
};

class Ecco : public Genome {
 public:
  // What `judged` points at must outlive it. Without a question every tree is a leaf, and strings are empty.
  // Throws Interrupted when `stop` is asked to.
  Ecco(const Judged& judged, std::vector<Question> questions, const EccoSettings& settings, Stop* stop = nullptr);

  std::size_t bits() const override { return shape_.bits(); }
  void begin(Bits& string, std::size_t place, Draws draws) const override;
  void cross(Bits& a, Bits& b, Draws draws) const override;
  void mutate(Bits& string, Draws draws) const override;
  std::unique_ptr<Judge> judge() const override;
  std::size_t worth_a_thread() const override;

  const Shape& shape() const { return shape_; }
  const std::vector<Question>& questions() const { return questions_; }
  // The number of the question at every node, level by level.
  std::vector<Index> decode(const Bits& string) const;
  Bits encode(const std::vector<Index>& numbers) const;
  // The tree of a string, pruned by what it costs the training cases if asked for.
  Tree tree(const Bits& string, bool pruned) const;

 private:
  Index number(const Bits& string, std::size_t node) const {
    return static_cast<Index>(string.field(node * shape_.bits_per_node(), shape_.bits_per_node()));
  }
  void put(Bits& string, std::size_t node, std::size_t value) const {
    string.put(node * shape_.bits_per_node(), shape_.bits_per_node(), static_cast<std::uint32_t>(value));
  }
  Ground ground() const { return {judged_, questions_, shape_, sets_, apart_, settings_.budget}; }
  void check_size(const Bits& string) const;

  Judged judged_;
  std::vector<Question> questions_;
  EccoSettings settings_;
  Shape shape_;
  std::vector<Row> apart_;  // see Ground
  RowSets sets_;
};

}  // namespace thriftwood
