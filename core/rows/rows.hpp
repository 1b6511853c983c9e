// The cases of the open nodes.
//
//   block   storage for some cases: their rows, labels and weights, the codes of the coded columns, the orders of the ordered ones
//   part    the cases of one node: a range of places in a block, and a range of every order
//   place   where a case stands in a block; a case has the same place in rows, labels, weights and codes
//
// Dividing a part moves its cases inside the block, branch after branch, each branch keeping its sequence; so searching and moving both
// read memory from front to back. (Codes of a small table stay where they are, and are read by row.) Only where a case goes down several
// branches at once does every branch get a block of its own.
#pragma once

#include <memory>

#include "../splitting/columns.hpp"
#include "../splitting/offering.hpp"
#include "division.hpp"

namespace thriftwood {

struct Block {
  std::uint32_t capacity = 0;
  std::vector<Row> rows;
  std::vector<std::uint16_t> labels;       // classification
  std::vector<double> weights;             // empty: the target's own
  std::unique_ptr<std::uint8_t[]> codes;   // coded column i begins at i * capacity; none where codes stay
  std::unique_ptr<Entry[]> entries;        // of the ordered columns
};

struct Range {
  std::size_t begin = 0;                   // ordered: in block.entries; coded: of the column in block.codes
  std::uint32_t size = 0;                  // ordered: known cases
};

// Codes of a table of at most so many rows stay in the nearest caches anyway: they are read by row instead of being moved with the cases.
// Not those of a wide table: 2,000 rows of 20,000 codes are 40 MB, and each small node would jump about in all of it.
inline constexpr std::size_t most_rows_that_stay = 4096, most_codes_that_stay = 1u << 18;

// The codes of a coded column at a part, by place.
struct Codes {
  const std::uint8_t* codes;
  const Row* rows;                         // of the part, where codes stay; else null
  std::uint8_t operator[](std::uint32_t place) const { return codes[rows == nullptr ? place : rows[place]]; }
};

struct Part {
  std::shared_ptr<Block> block;
  std::uint32_t first = 0, count = 0;      // places
  std::vector<Index> features;             // that may still be tested
  std::vector<Range> ranges;               // of each of those
  std::span<const Row> rows() const { return {block->rows.data() + first, count}; }
  std::span<const std::uint16_t> labels() const { return block->labels.empty() ? std::span<const std::uint16_t>() : std::span(block->labels).subspan(first, count); }
};

// Cases copied to be divided on trial; the memory is kept from one copy to the next.
struct PartCopy {
  Part part;
  std::size_t codes = 0, entries = 0;      // there is room for
};

class Rows {
 public:
  Rows(const Table& table, const Target& target, const Settings& settings, const Columns& columns);

  // All rows, or the given ones (ascending, each once).
  Part whole(std::span<const Row> subset);
  // The same cases in a block of their own, to be divided without moving those of the part.
  Part copied(const Part& part) const;

  // Prepares the workspace for the node at hand. Call before anything below.
  void prepare(const Part& part, const Summary& summary, Workspace& workspace) const;
  // Of the first part.
  Summary summary(const Part& part) const;
  std::size_t work(const Part& part) const { return static_cast<std::size_t>(part.count) * part.features.size(); }
  bool whole_weights(const Part& part) const { return target_.unit() && part.block->weights.empty(); }

  // What the feature part.features[i] offers. `workspace` is the node's, `own` the calling thread's.
  Offer offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  // Value against the others: what the nominal feature part.features[i] offers for each category, in order.
  std::vector<Offer> value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const;
  Split split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const;

  // Marks where every case goes and sums up the branches, in workspace.division; nothing is moved.
  void weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const;
  // The parts of the branches marked open; the others stay empty. workspace.kept says which features stay testable.
  void divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool, std::vector<Part>& parts) const;

  // Copies a part with the features at the given places.
  void copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const;

  // For the thread of that number.
  Workspace make_workspace(int worker) const;

 private:
  // How much each case counts: one number for all, or by row.
  const double* weights(const Part& part, const Workspace& workspace) const;
  // What to predict, by row, measured from where the node's cells are.
  const double* numbers(const Workspace& workspace) const { return absolute() ? target_.numbers.data() : workspace.numbers.data(); }
  std::span<const Entry> order(const Part& part, std::size_t i) const { return {part.block->entries.get() + part.ranges[i].begin, part.ranges[i].size}; }
  Codes codes(const Part& part, std::size_t i) const {
    if (codes_stay_) return {columns_[part.features[i]].code_of.data(), part.rows().data()};
    return {part.block->codes.get() + part.ranges[i].begin + part.first, nullptr};
  }
  // Whether the feature's codes are in the blocks.
  bool codes_move(Index feature) const { return columns_[feature].form == Form::Coded && !codes_stay_; }
  std::size_t find(const Part& part, Index feature) const;
  bool absolute() const { return settings_.impurity == ImpurityName::AbsoluteError; }

  Offer ordered_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer coded_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer category_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer absolute_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer counted_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;

  void count(const Part& part, std::size_t i, const Workspace& workspace, CategoryCells& cells) const;
  // Two classes, whole cases: the codes that occur, in order; the last one may be "missing".
  std::span<const Counted> count_codes(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const;
  // The order of a coded or nominal column at the node, as an ordered column would have it.
  void sort_codes(const Part& part, std::size_t i, std::vector<Entry>& entries) const;
  Index code_at(const Part& part, std::size_t i, Row row) const;
  Split threshold_split(const Part& part, const NodeView& node, std::size_t i, const Offer& offer) const;
  // The test that a nominal feature offered; workspace.categories has its cells.
  NominalTest nominal_test(const Part& part, const NodeView& node, std::size_t i, const Offer& offer, const Workspace& workspace) const;
  double cut_between(Index feature, double low, double high) const;
  NominalTest absolute_test(const Part& part, std::size_t i, const Workspace& workspace) const;
  void find_surrogates(const Part& part, Split& split, Workspace& workspace) const;
  void mark(const Part& part, const Split& split, Workspace& workspace) const;
  Part own_block(const Part& part, std::size_t branch, const Workspace& workspace) const;

  const Table& table_;
  const Target& target_;
  const Settings& settings_;
  const Columns& columns_;
  bool codes_stay_;
  bool any_ordered_ = false;
  std::vector<std::vector<double>> observed_;  // by feature: the training values in order, for CutAt::Observed
};

}  // namespace thriftwood
