// Tables made of gathered codes. Values are gone: a column of the table has a single value, "missing", which is looked at for cases without a
// code alone.
#include <cmath>

#include "slot.hpp"

namespace thriftwood {

namespace {

const double no_number = std::nan("");
const Index no_code = missing_code;

Column without_values(const PreparedColumn& column) {
  Column made;
  made.storage = column.nominal ? Storage::Codes : Storage::Float64;
  made.data = column.nominal ? static_cast<const void*>(&no_code) : &no_number;
  made.stride = 0;
  made.values = column.nominal ? column.codes : 0;
  return made;
}

}  // namespace

Table table_of(const Coding& coding, std::size_t rows) {
  Table table;
  table.rows = rows;
  for (const PreparedColumn& column : coding.columns) table.columns.push_back(without_values(column));
  return table;
}

Gathered::Gathered(CodedRows rows, const Coding& coding, const Target& target, const Settings& settings,
                   std::shared_ptr<std::atomic<std::size_t>> held)
    : wide_(coding.columns.size()), held_(std::move(held)) {
  const std::size_t n = rows.rows();
  held_->fetch_add(n);
  table_ = table_of(coding, n);
  columns_.all = coding.columns;
  for (Index f = 0; f < coding.features(); ++f) {
    const auto at = static_cast<std::size_t>(f);
    if (!coding.wide(f)) {
      columns_.all[at].code_of = std::move(rows.bytes[at]);
      continue;
    }
    const Index categories = coding.column(f).codes;
    for (std::uint16_t code : rows.pairs[at]) wide_[at].push_back(code == categories ? missing_code : code);
    table_.columns[at].data = wide_[at].data();
    table_.columns[at].stride = 1;
  }
  target_.regression = target.regression;
  target_.grid = target.grid;
  target_.classes = target.classes;
  target_.cases_per_weight = target.cases_per_weight;
  target_.x_log_x = target.x_log_x;
  target_.regret = target.regret;
  target_.labels = std::move(rows.labels);
  target_.numbers = std::move(rows.numbers);
  target_.weights = std::move(rows.weights);
  rows_ = std::make_unique<Rows>(table_, target_, settings, columns_);
  whole_ = rows_->whole({});
  if (!rows_->codes_stay())
    for (PreparedColumn& column : columns_.all) column.code_of = {};  // the block has them
}

Part Gathered::part(const std::vector<Index>& features) {
  Part part = whole_;
  part.features.clear();
  part.ranges.clear();
  for (Index f : features) {
    part.features.push_back(f);
    part.ranges.push_back(whole_.ranges[static_cast<std::size_t>(f)]);
  }
  return part;
}

}  // namespace thriftwood
