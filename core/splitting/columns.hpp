// Every column prepared for searching, once per table.
//
//   ordered   a numeric column of many values: its rows by ascending value (see presort.hpp), for exact thresholds
//   coded     a column of few values, or one that was cut into bins: a byte per row. Exact columns have a code per value, so a
//             test found from codes is the test found from values; nominal columns have a code per category.
//   wide      a nominal column of more categories than a byte holds, read from the table itself
//
// The last code + 1 stands for "missing" (or unseen).
//
// One engine searches them all: above this line nothing asks which form a column has. Binned columns are cut at quantiles of at most 200,000
// rows. Codes fit a byte: at most 255 values or bins, and one more code for missing. Up to how many values an exact column is coded depends
// on the number of rows (a quarter of them, from 16 to 255), which changes the speed and not the tree. Dividing a node moves its rows,
// labels, codes and orders so that each branch lies together and keeps its sequence; nodes never sort.
#pragma once

#include "presort.hpp"
#include "strips.hpp"

namespace thriftwood {

inline constexpr Index most_codes = 255;

enum class Form : std::uint8_t { Ordered, Coded, Wide };

struct PreparedColumn {
  Form form = Form::Ordered;
  bool nominal = false;
  std::vector<Entry> order;           // ordered
  bool distinct = false;              // ordered: no two rows have the same value
  double smallest_gap = infinity;     // ordered: least distance between neighbouring values
  Index codes = 0;                    // coded: how many; code `codes` is missing
  std::vector<std::uint8_t> code_of;  // coded: by row
  std::vector<double> low, high;      // coded, numeric: smallest and largest value a code can stand for
};

struct Columns {
  std::vector<PreparedColumn> all;
  Strips strips;  // of a target; see lay_strips
  const PreparedColumn& operator[](Index feature) const { return all[static_cast<std::size_t>(feature)]; }
};

// bins = 0: exact. bins > 0: numeric columns of more values are cut at quantiles of a sample into at most so many bins.
// coded_values: exact columns of up to so many values are coded.
Columns prepare(const Table& table, ThreadPool& pool, int bins, bool with_gaps, Index coded_values);

}  // namespace thriftwood
