// Sums over the cases of a node, by the code of each feature: weight, gradients and curvatures of the loss, one of each per class.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "../splitting/columns.hpp"

namespace thriftwood {

// Codes of all columns; the code after the last is missing. A nominal column of many categories has its codes in the table.
struct CodedTable {
  CodedTable(const Table& table, ThreadPool& pool, int bins);

  std::size_t features() const { return columns.all.size(); }
  // Codes of a feature, missing included.
  Index cells(Index feature) const { return columns[feature].codes + 1; }
  Index code(Index feature, Row row) const {
    const PreparedColumn& column = columns[feature];
    if (column.form == Form::Coded) return column.code_of[row];
    const Index code = table.column(feature).code(row);
    return code < 0 ? column.codes : code;
  }

  const Table& table;
  Columns columns;
  std::vector<std::size_t> first;  // per feature: cells of the features before
};

class Sums {
 public:
  Sums(const CodedTable& coded, std::size_t width) : coded_(&coded), width_(width), cells_(coded.first.back() * width, 0.0) {}

  std::span<const double> cell(Index feature, Index code) const {
    return {cells_.data() + (coded_->first[static_cast<std::size_t>(feature)] + static_cast<std::size_t>(code)) * width_, width_};
  }
  // Adds up `terms`, width numbers per row, over the rows.
  void add(Index feature, std::span<const Row> rows, std::span<const double> terms);
  // These less those of `part`, of a feature.
  void subtract(Index feature, const Sums& part);

 private:
  const CodedTable* coded_;
  std::size_t width_;
  std::vector<double> cells_;
};

}  // namespace thriftwood
