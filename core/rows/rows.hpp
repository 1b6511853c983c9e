// The cases of the open nodes (part.hpp): what their features offer, and the moving of cases to branches. In the order of their use:
//
//   rows_begin      the part of the root; preparing a workspace for a node
//   rows_offer      the best test of a feature; rows_absolute: by the absolute error
//   rows_cuts       some tests of a numeric feature, for choosers that look further
//   rows_split      the split of the test that was chosen, with surrogates
//   rows_divide     which branch a case takes, and the parts of the branches
//   rows_copy       copies of parts, to be divided on trial
//
// Dividing a part moves its cases inside the block, branch after branch, each branch keeping its sequence; so searching and moving both
// read memory from front to back. (Codes of a small table stay where they are, and are read by row.) Only where a case goes down several
// branches at once does every branch get a block of its own.
#pragma once

#include <algorithm>

#include "../splitting/columns.hpp"
#include "../splitting/offering.hpp"
#include "division.hpp"
#include "engine.hpp"
#include "part.hpp"

namespace thriftwood {

// Codes of a table of at most so many rows stay in the nearest caches anyway: they are read by row instead of being moved with the cases.
// Not those of a wide table: 2,000 rows of 20,000 codes are 40 MB, and each small node would jump about in all of it.
inline constexpr std::size_t most_rows_that_stay = 4096, most_codes_that_stay = 1u << 18;

// How much a case counts; null: every case 1.
inline double weight_at(const double* weights, Row row) { return weights == nullptr ? 1.0 : weights[row]; }

class Rows final : public Engine {
 public:
  Rows(const Table& table, const Target& target, const Settings& settings, const Columns& columns);

  Part whole(std::span<const Row> subset) override;
  Part copied(const Part& part) const override;
  void prepare(const Part& part, const Summary& summary, Workspace& workspace) const override;
  Summary summary(const Part& part) const override;
  std::size_t work(const Part& part) const override { return static_cast<std::size_t>(part.count) * part.features.size(); }
  bool whole_weights(const Part& part) const override { return target_.unit() && part.block->weights.empty(); }
  Offer offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const override;
  std::vector<Offer> value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const override;
  std::vector<Offer> cut_offers(const Part& part, const NodeView& node, std::size_t i, CutWindow window, const Workspace& workspace,
                                Workspace& own) const override;
  Split split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const override;
  // Marks where every case goes, by place and where need be by row.
  void weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const override;
  void divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
              std::vector<Part>& parts) const override;
  void copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const override;
  Workspace make_workspace(int worker) const override;

  // Whether codes are read from the prepared columns, not from the blocks.
  bool codes_stay() const { return codes_stay_; }

 private:
  // How much each case counts, by row; null: every case 1.
  const double* weights(const Part& part, const Workspace& workspace) const {
    if (!part.block->weights.empty()) return workspace.weights.data();
    return target_.unit() ? nullptr : target_.weights.data();
  }
  // What to predict, by row, measured from where the node's cells are.
  const double* numbers(const Workspace& workspace) const { return absolute() ? target_.numbers.data() : workspace.numbers.data(); }
  std::span<const Entry> order(const Part& part, std::size_t i) const {
    return {part.block->entries.get() + part.ranges[i].begin, part.ranges[i].size};
  }
  Codes codes(const Part& part, std::size_t i) const {
    if (codes_stay_) return {columns_[part.features[i]].code_of.data(), part.rows().data()};
    return {part.block->codes.get() + part.ranges[i].begin + part.first, nullptr};
  }
  // Whether the feature's codes are in the blocks.
  bool codes_move(Index feature) const { return columns_[feature].form == Form::Coded && !codes_stay_; }
  // The place of a feature in part.features.
  static std::size_t find(const Part& part, Index feature) {
    return static_cast<std::size_t>(std::find(part.features.begin(), part.features.end(), feature) - part.features.begin());
  }
  bool absolute() const { return settings_.impurity == ImpurityName::AbsoluteError; }
  // Whether sums of the part's numbers are exact: none of its cases is a fraction of one.
  bool exact(const Part& part) const { return target_.grid.exact() && part.block->weights.empty(); }
  // Adds the number of every case, from the node's centre, to the sums that `sums_of` gives for its place. Where sums are exact.
  template <class SumsOf>
  static void add_numbers(const Part& part, const Workspace& workspace, const SumsOf& sums_of);
  // Fills workspace.numbers, or workspace.units.
  void measure_from(double centre, const Part& part, Workspace& workspace) const;
  void measure_in_units(double centre, const Part& part, Workspace& workspace) const;
  void weigh_exactly(const Part& part, const Summary& summary, std::size_t branches, Workspace& workspace) const;

  // The rows and labels of the root's part, without columns.
  Part first_part(std::span<const Row> subset) const;
  // By feature, the values of a numeric column in the part, in order.
  std::vector<std::vector<double>> observed_values(const Part& part) const;

  Offer ordered_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer coded_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer category_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer absolute_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;
  Offer counted_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const;

  template <class Visit>
  void each_cut(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own, const Visit& visit) const;
  // What the cases of each code weigh, by class, in own.categories.
  void count(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const;
  // The same for numbers whose sums are exact.
  void count_numbers(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const;
  void count_cases(const Part& part, std::size_t i, const Workspace& workspace, CategoryCells& cells) const;
  // Two classes, whole cases: the codes that occur, in order; the last one may be "missing".
  std::span<const Counted> count_codes(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const;
  std::span<const Counted> pass_over_codes(const Part& part, std::size_t i, Workspace& own) const;
  // The order of a coded or nominal column at the node, as an ordered column would have it.
  void sort_codes(const Part& part, std::size_t i, std::vector<Entry>& entries) const;
  Index code_at(const Part& part, std::size_t i, Row row) const;
  Split threshold_split(const Part& part, const NodeView& node, std::size_t i, const Offer& offer) const;
  // The test that a nominal feature offered; workspace.categories has its cells.
  NominalTest nominal_test(const Part& part, const NodeView& node, std::size_t i, const Offer& offer, const Workspace& workspace) const;
  std::span<const double> observed_of(Index feature) const {
    return observed_.empty() ? std::span<const double>() : std::span<const double>(observed_[static_cast<std::size_t>(feature)]);
  }
  NominalTest absolute_test(const Part& part, std::size_t i, const Workspace& workspace) const;
  void find_surrogates(const Part& part, Split& split, Workspace& workspace) const;
  // Where every case goes, by place; by row too where orders have to be divided.
  void mark(const Part& part, const Split& split, Workspace& workspace) const;
  // The part of one branch in a block of its own, with the shares of the cases that go down several branches.
  Part own_block(const Part& part, std::size_t branch, const Workspace& workspace) const;

  const Table& table_;
  const Target& target_;
  const Settings& settings_;
  const Columns& columns_;
  bool codes_stay_;
  bool any_ordered_ = false;
  std::vector<std::vector<double>> observed_;  // by feature: the training values in order, for CutAt::Observed
};

template <class SumsOf>
void Rows::add_numbers(const Part& part, const Workspace& workspace, const SumsOf& sums_of) {
  const std::int64_t* number = workspace.units.data();
  if (workspace.weight_units.empty()) {
    for (std::uint32_t k = 0; k < part.count; ++k) sums_of(k).add(number[k]);
  } else {
    for (std::uint32_t k = 0; k < part.count; ++k) sums_of(k).add(number[k], workspace.weight_units[k]);
  }
}

}  // namespace thriftwood
