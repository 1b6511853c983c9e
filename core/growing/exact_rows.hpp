// The cases of the open nodes, with every numeric column in order (see splitting/presort.hpp): exact thresholds.
//
//   block   storage for some rows: the rows, their weights if fractions were made, and the orders of all numeric columns
//   part    the cases of one node: a range of a block's rows, and of each order
//
// Dividing a part moves its entries inside the block, branch after branch, each branch still in order. Only where a case goes down
// several branches at once does every branch get a block of its own.
#pragma once

#include <memory>

#include "../splitting/offering.hpp"
#include "division.hpp"

namespace thriftwood {

class ExactRows {
 public:
  struct Block {
    std::vector<Row> rows;
    std::vector<double> weights;  // parallel to rows; empty: the target's own
    std::unique_ptr<Entry[]> entries;
  };
  struct Range {
    std::size_t begin = 0;
    std::uint32_t size = 0;
  };
  struct Part {
    std::shared_ptr<Block> block;
    std::uint32_t first = 0, count = 0;  // in block->rows
    std::vector<Index> features;         // that may still be tested
    std::vector<Range> ranges;           // of each of those in block->entries
    std::span<const Row> rows() const { return {block->rows.data() + first, count}; }
  };

  ExactRows(const Table& table, const Target& target, const Settings& settings, const Presorted& sorted);

  // All rows, or the given ones (ascending, each once).
  Part whole(std::span<const Row> subset);

  // Everything about the desk's thread that depends on the node at hand. Call before offers are asked for.
  void sit_down(const Part& part, Desk& desk) const;
  Summary summary(const Part& part, const Desk& desk) const;
  std::size_t work(const Part& part) const { return static_cast<std::size_t>(part.count) * part.features.size(); }

  // What the feature at `place` of part.features offers. `desk` is the node's, `own` the calling thread's.
  Offer offer(const Part& part, const NodeView& node, std::size_t place, const Desk& desk, Desk& own) const;
  Split split(const Part& part, const NodeView& node, const Offer& offer, Desk& desk) const;

  Division weigh(const Part& part, const Split& split, Desk& desk) const;
  // The parts of the branches marked open; the others come back empty. `features` are those that stay testable.
  std::vector<Part> divide(Part&& part, const Division& division, const std::vector<bool>& open, const std::vector<bool>& keep_feature,
                           Desk& desk, std::vector<Desk>& desks, Team* team) const;

  Desk desk() const;
  bool whole_weights(const Part& part) const { return target_.unit() && part.block->weights.empty(); }

 private:
  const double* weights(const Part& part, const Desk& desk) const;
  std::span<const Entry> entries(const Part& part, std::size_t place) const {
    return {part.block->entries.get() + part.ranges[place].begin, part.ranges[place].size};
  }
  Cut cut(const Part& part, const NodeView& node, std::size_t place, const Desk& desk, Cell known, double known_weight,
          double tolerance) const;
  void count_categories(const Part& part, Index feature, const double* weights, CategoryCells& cells) const;
  double threshold(const Part& part, std::size_t place, std::uint32_t position) const;
  void find_stand_ins(const Part& part, Split& split, const Desk& desk) const;
  // Cost of the cases whose value is known, and of the others if they get a branch of their own.
  std::pair<double, double> known_and_missing_cost(const Part& part, std::size_t place, const NodeView& node, Cell known,
                                                   const Desk& desk) const;
  Part own_block(const Part& part, const Division& division, std::size_t branch, const std::vector<bool>& keep_feature,
                 const Desk& desk, Team* team) const;
  // A median is not a function of a cell, so the absolute error looks at the rows of each category.
  NominalTest absolute_nominal_test(const Part& part, Index feature, const Desk& desk) const;
  Offer absolute_nominal_offer(const Part& part, const NodeView& node, Index feature, const Desk& desk, Desk& own) const;

  const Table& table_;
  const Target& target_;
  const Settings& settings_;
  const Presorted& sorted_;
  std::vector<std::vector<double>> observed_;  // by feature: the training values in order, for CutAt::Observed
};

}  // namespace thriftwood
