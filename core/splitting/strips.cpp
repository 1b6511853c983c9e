#include "strips.hpp"

#include <algorithm>

#include "columns.hpp"

namespace thriftwood {

namespace {

constexpr Index most_lanes_of_a_column = 8;
constexpr std::size_t worth_a_strip = 3;  // columns

}  // namespace

Strips lay_strips(const Columns& columns, const Target& target) {
  if (target.classes != 2 || !target.unit() || target.rows() > most_rows_in_strips) return {};
  Strips strips;
  strips.first_lane.assign(columns.all.size(), -1);
  std::vector<std::size_t> laid;
  Index next = 0;
  for (std::size_t f = 0; f < columns.all.size(); ++f) {
    const PreparedColumn& column = columns.all[f];
    const Index lanes = column.codes + 1;
    if (column.form != Form::Coded || column.nominal || lanes > std::min(most_lanes_of_a_column, lanes_of_a_strip - next)) continue;
    strips.first_lane[f] = next;
    next += lanes;
    laid.push_back(f);
  }
  if (laid.size() < worth_a_strip) return {};
  strips.of_row.resize(target.rows(), Strip{});
  for (std::size_t f : laid)
    for (std::size_t row = 0; row < target.rows(); ++row) {
      const Index lane = strips.first_lane[f] + columns.all[f].code_of[row];
      const std::uint64_t counts = 1u | static_cast<std::uint64_t>(target.labels[row]) << 8;
      strips.of_row[row][static_cast<std::size_t>(lane / 4)] |= counts << (lane % 4 * 16);
    }
  return strips;
}

StripSums Strips::sums(std::span<const Row> rows) const {
  constexpr std::size_t most = 255;  // cases that a byte can count
  constexpr std::uint64_t lower_bytes = 0x00ff00ff00ff00ff;
  StripSums sums{};
  while (!rows.empty()) {
    const auto some = rows.first(std::min(most, rows.size()));
    Strip sum{};
    for (Row row : some)
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += of_row[row][j];
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sums.cases[j] += sum[j] & lower_bytes;
      sums.ones[j] += sum[j] >> 8 & lower_bytes;
    }
    rows = rows.subspan(some.size());
  }
  return sums;
}

}  // namespace thriftwood
