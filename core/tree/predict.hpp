// A finished tree, ready to answer.
//
//   ending   a node where the walk of a row ends, with the share of the row that ends there
//   answer   one ending: that node's own label or number. Several endings (a missing value spread the row): the class that
//            costs least by the share-weighted mean of the nodes' class shares, or the share-weighted mean of the numbers.
//
// Batch calls take n_threads (<= 0: one per core) and give the same result for any number.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../table.hpp"
#include "tree.hpp"

namespace thriftwood {

// A single row as an array: numbers, codes written as numbers, NaN for a missing value.
template <class Float>
struct ArrayRow {
  const Float* data;
  std::ptrdiff_t stride;

  double number(Index feature) const { return static_cast<double>(data[feature * stride]); }
  Index code(Index feature) const {
    const double value = number(feature);
    if (std::isnan(value)) return missing_code;
    if (value != std::floor(value))
      throw InputError("Feature " + std::to_string(feature) + " is nominal: its value must be a whole number (a category code), got " +
                       std::to_string(value) + ".");
    if (value < 0.0) return value == missing_code ? missing_code : unseen_code;
    return value > static_cast<double>(std::numeric_limits<Index>::max()) ? unseen_code : static_cast<Index>(value);
  }
};

struct Ending {
  Index node;
  double share;
};

// Rows of node numbers, ascending, one after another: row r has nodes[starts[r]] .. nodes[starts[r + 1] - 1].
struct Paths {
  std::vector<std::int64_t> starts;
  std::vector<Index> nodes;
};

class Predictor {
 public:
  // The tree must be one that `validate` accepts.
  explicit Predictor(Tree tree);

  const Tree& tree() const { return tree_; }

  // Throws InputError unless the table has the tree's features, nominal where the tree's are nominal.
  void check_fits(const Table& table) const;

  // The node reached; of several, the one with the largest share (ties: the lowest number).
  void apply(const Table& table, int n_threads, std::span<Index> out) const;
  // Classification: rows x width class shares, and the answer of each row.
  void class_shares(const Table& table, int n_threads, std::span<double> out) const;
  void labels(const Table& table, int n_threads, std::span<Index> out) const;
  // Regression.
  void numbers(const Table& table, int n_threads, std::span<double> out) const;
  // Every node visited on the way to every ending.
  Paths paths(const Table& table, int n_threads) const;

  // What a case is answered that ends so; classification.
  Index label(std::span<const Ending> endings) const;
  // Regression.
  double number(std::span<const Ending> endings) const;
  void put_class_shares(std::span<const Ending> endings, std::span<double> out) const;

  // The class of one row of a table that fits, and (in `shares`, one number per class) how sure that is.
  Index label_of(const TableRow& row, std::span<double> shares) const;

  // The answer for one row, which must have a value for every feature of the tree. Float: float or double.
  template <class Float>
  Index label_of(const ArrayRow<Float>& row) const;
  template <class Float>
  double number_of(const ArrayRow<Float>& row) const;

 private:
  void require_classes() const;
  void require_regression() const;

  template <class Finish>
  void each_row(const Table& table, int n_threads, const Finish& finish) const;

  Tree tree_;
  std::vector<Index> labels_;  // the nodes' labels close together: leaves are looked up at random
};

}  // namespace thriftwood
