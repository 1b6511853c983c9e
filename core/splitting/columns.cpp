#include "columns.hpp"

#include <cmath>

#include "binning.hpp"

namespace thriftwood {

namespace {

PreparedColumn prepare_nominal(const Column& column, std::size_t rows) {
  PreparedColumn prepared;
  prepared.nominal = true;
  prepared.codes = column.values;
  prepared.form = column.values <= most_codes ? Form::Coded : Form::Wide;
  if (prepared.form == Form::Wide) return prepared;
  prepared.code_of.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const Index code = column.code(static_cast<Row>(r));
    prepared.code_of[r] = static_cast<std::uint8_t>(code < 0 ? column.values : code);
  }
  return prepared;
}

// A code per distinct value, from the order.
void code_values(PreparedColumn& prepared, const std::vector<double>& numbers) {
  prepared.form = Form::Coded;
  prepared.codes = 0;
  for (Entry entry : prepared.order) {
    if (entry & new_value) {
      prepared.low.push_back(numbers[entry & row_mask]);
      ++prepared.codes;
    }
  }
  prepared.high = prepared.low;
  prepared.code_of.assign(numbers.size(), static_cast<std::uint8_t>(prepared.codes));
  Index code = -1;
  for (Entry entry : prepared.order) {
    code += (entry & new_value) != 0;
    prepared.code_of[entry & row_mask] = static_cast<std::uint8_t>(code);
  }
  prepared.order = {};
}

Index count_values(const std::vector<Entry>& order, Index enough) {
  Index values = 0;
  for (Entry entry : order) {
    values += (entry & new_value) != 0;
    if (values > enough) break;
  }
  return values;
}

}  // namespace

Columns prepare(const Table& table, ThreadPool& pool, int bins, bool with_gaps, Index coded_values) {
  if (table.rows > row_mask) throw InputError("A table may have at most 2147483647 rows.");
  Columns columns;
  columns.all.resize(table.columns.size());
  std::vector<Index> numeric;
  for (Index f = 0; f < table.features(); ++f)
    if (!table.column(f).nominal()) numeric.push_back(f);
  if (numeric.size() < columns.all.size())
    pool.run(columns.all.size(), [&](std::size_t f, int) {
      if (table.columns[f].nominal()) columns.all[f] = prepare_nominal(table.columns[f], table.rows);
    });
  if (bins > 0) {
    bin_columns(table, pool, numeric, bins, columns);
    return columns;
  }
  constexpr std::size_t group = 16;  // float32 columns that share a cache line in a row-major table
  struct Space {
    SortSpace sort;
    std::vector<std::vector<double>> numbers;
  };
  std::vector<Space> spaces(static_cast<std::size_t>(pool.size()));
  pool.run((numeric.size() + group - 1) / group, [&](std::size_t g, int worker) {
    const auto features = std::span<const Index>(numeric).subspan(g * group, std::min(group, numeric.size() - g * group));
    Space& space = spaces[static_cast<std::size_t>(worker)];
    read_columns(table, features, space.numbers);
    for (std::size_t i = 0; i < features.size(); ++i) {
      poll(table.rows);
      PreparedColumn& prepared = columns.all[static_cast<std::size_t>(features[i])];
      space.sort.numbers.swap(space.numbers[i]);
      sort_numbers(space.sort, prepared.order);
      prepared.distinct = std::all_of(prepared.order.begin(), prepared.order.end(), [](Entry entry) { return (entry & new_value) != 0; });
      if (count_values(prepared.order, coded_values) <= coded_values) {
        code_values(prepared, space.sort.numbers);
      } else if (with_gaps) {
        prepared.smallest_gap = smallest_gap(space.sort, prepared.order);
      }
      space.sort.numbers.swap(space.numbers[i]);
    }
  });
  return columns;
}

}  // namespace thriftwood
