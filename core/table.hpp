// The encoded table: columns that point at the caller's memory. Nothing is copied and nothing is owned here, except the
// numbers of columns and rows; whoever builds a Table keeps the arrays alive.
//
//   numeric column   float32 or float64, with a stride (so a row-major array needs no transposing); NaN is missing
//   nominal column   int32 codes 0..values-1; missing_code and unseen_code are the two ways of not having one
//   sparse column    (row, number) pairs in row order; rows that are not stored have the number 0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "basics/types.hpp"

namespace thriftwood {

enum class Storage : std::uint8_t { Float32, Float64, Codes, SparseFloat32, SparseFloat64 };

struct Column {
  Storage storage = Storage::Float64;
  const void* data = nullptr;
  std::ptrdiff_t stride = 1;        // in elements; 1 for sparse columns
  Index values = 0;                 // nominal: how many categories are declared; numeric: 0
  const Index* stored_rows = nullptr;  // sparse: ascending row numbers of the stored entries
  std::size_t stored = 0;           // sparse: how many

  bool nominal() const { return storage == Storage::Codes; }
  bool missing(Row row) const { return nominal() ? code(row) == missing_code : std::isnan(number(row)); }
  bool sparse() const { return storage == Storage::SparseFloat32 || storage == Storage::SparseFloat64; }

  Index code(Row row) const { return static_cast<const Index*>(data)[static_cast<std::ptrdiff_t>(row) * stride]; }

  double number(Row row) const {
    const auto at = static_cast<std::ptrdiff_t>(row) * stride;
    switch (storage) {
      case Storage::Float32: return static_cast<double>(static_cast<const float*>(data)[at]);
      case Storage::Float64: return static_cast<const double*>(data)[at];
      case Storage::Codes: return code(row) < 0 ? std::nan("") : static_cast<double>(code(row));
      default: return stored_number(row);
    }
  }

 private:
  double stored_number(Row row) const {
    const Index* end = stored_rows + stored;
    const Index* found = std::lower_bound(stored_rows, end, static_cast<Index>(row));
    if (found == end || *found != static_cast<Index>(row)) return 0.0;
    const auto at = found - stored_rows;
    return storage == Storage::SparseFloat32 ? static_cast<double>(static_cast<const float*>(data)[at]) : static_cast<const double*>(data)[at];
  }
};

struct Table {
  std::size_t rows = 0;
  std::vector<Column> columns;

  Index features() const { return static_cast<Index>(columns.size()); }
  const Column& column(Index feature) const { return columns[static_cast<std::size_t>(feature)]; }
};

// One row of a table, as the walk through a tree sees it.
struct TableRow {
  const Table& table;
  Row row;

  double number(Index feature) const { return table.column(feature).number(row); }
  Index code(Index feature) const { return table.column(feature).code(row); }
  bool missing(Index feature) const { return table.column(feature).missing(row); }
};

}  // namespace thriftwood
