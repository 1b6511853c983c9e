// What a pruning rule is given besides the tree: labelled cases. The arrays belong to the caller.
//
//   labels    the class of each row of the table
//   targets   the number to be predicted for each row (regression)
//   weights   how much each row counts; empty = 1 each
//   rows      which rows they are, ascending; empty = all
#pragma once

#include <span>
#include <vector>

#include "../table.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

struct Cases {
  const Table& table;
  std::span<const Index> labels;
  std::span<const double> weights = {};
  std::span<const Row> rows = {};

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

struct NumberCases {
  const Table& table;
  std::span<const double> targets;
  std::span<const double> weights = {};
  std::span<const Row> rows = {};

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

// Calls visit(row) for every case.
template <class SomeCases, class Visit>
void each_row(const SomeCases& cases, Visit&& visit) {
  if (cases.rows.empty())
    for (std::size_t row = 0; row < cases.table.rows; ++row) visit(static_cast<Row>(row));
  else
    for (Row row : cases.rows) visit(row);
}

// Throw InputError, saying what came and what was wanted, unless the cases fit the tree: its features, its
// classes, one label and one finite, non-negative weight for every row. Cases that pass can be sent down the
// tree safely.
void check_cases(const Tree& tree, const Cases& cases);
void check_cases(const Tree& tree, const NumberCases& cases);

// Throws unless the tree has classes; `rule` names the pruning rule that needs them.
void require_classes(const Tree& tree, const char* rule);
// The same, and that no node's answer is anything but a class.
void require_class_answers(const Tree& tree, const char* rule);

// Class weights that end at an inner node because their value is missing and their route is to stop: they are in no branch.
std::vector<double> stopped_weights(const Tree& tree, Index node);

}  // namespace thriftwood
