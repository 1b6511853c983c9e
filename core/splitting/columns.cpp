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
void code_values(PreparedColumn& prepared, const Column& column, std::size_t rows) {
  prepared.form = Form::Coded;
  prepared.codes = 0;
  for (Entry entry : prepared.order) {
    if (entry & new_value) {
      const double value = column.number(entry & row_mask);
      prepared.low.push_back(value);
      ++prepared.codes;
    }
  }
  prepared.high = prepared.low;
  prepared.code_of.assign(rows, static_cast<std::uint8_t>(prepared.codes));
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

Columns prepare(const Table& table, Team& team, int bins, bool with_gaps, Index coded_values) {
  if (table.rows > row_mask) throw InputError("A table may have at most 2147483647 rows.");
  Columns columns;
  columns.all.resize(table.columns.size());
  std::vector<Index> numeric;
  for (Index f = 0; f < table.features(); ++f)
    if (!table.column(f).nominal()) numeric.push_back(f);
  if (numeric.size() < columns.all.size())
    team.run(columns.all.size(), [&](std::size_t f, int) {
      if (table.columns[f].nominal()) columns.all[f] = prepare_nominal(table.columns[f], table.rows);
    });
  if (bins > 0) {
    bin_columns(table, team, numeric, bins, columns);
    return columns;
  }
  std::vector<SortSpace> spaces(static_cast<std::size_t>(team.size()));
  team.run(numeric.size(), [&](std::size_t i, int member) {
    PreparedColumn& prepared = columns.all[static_cast<std::size_t>(numeric[i])];
    const Column& column = table.column(numeric[i]);
    SortSpace& space = spaces[static_cast<std::size_t>(member)];
    sort_column(column, table.rows, space, prepared.order);
    if (count_values(prepared.order, coded_values) <= coded_values) return code_values(prepared, column, table.rows);
    if (with_gaps) prepared.smallest_gap = smallest_gap(space, prepared.order);
  });
  return columns;
}

}  // namespace thriftwood
