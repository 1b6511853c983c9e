// Strips count what counting every column by itself counts.
#include "splitting/strips.hpp"

#include "check.hpp"
#include "numbers.hpp"
#include "splitting/code_counter.hpp"
#include "splitting/columns.hpp"

using namespace thriftwood;

namespace {

PreparedColumn coded(Random& random, std::size_t rows, Index codes) {
  PreparedColumn column;
  column.form = Form::Coded;
  column.codes = codes;
  for (std::size_t row = 0; row < rows; ++row)
    column.code_of.push_back(static_cast<std::uint8_t>(below(random, static_cast<std::size_t>(codes) + 1)));  // the last one is "missing"
  return column;
}

Target two_classes(Random& random, std::size_t rows) {
  std::vector<Index> labels(rows);
  for (Index& label : labels) label = static_cast<Index>(below(random, 2));
  return class_target(labels, 2, {});
}

std::vector<Row> some_rows(Random& random, std::size_t rows) {
  std::vector<Row> chosen;
  for (std::size_t row = 0; row < rows; ++row)
    if (below(random, 4) > 0) chosen.push_back(static_cast<Row>(row));
  return chosen;
}

bool same(std::span<const Counted> a, std::span<const Counted> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Counted& x, const Counted& y) { return x.code == y.code && x.cases == y.cases && x.ones == y.ones; });
}

}  // namespace

TEST_CASE("a sum of strips counts every column as if it were alone") {
  for (std::size_t rows : {1u, 60u, 255u, 256u, 2000u}) {  // a byte of a strip counts 255 cases
    Random random(rows);
    Columns columns;
    for (Index codes : {1, 2, 4, 7, 3, 2}) columns.all.push_back(coded(random, rows, codes));
    const Target target = two_classes(random, rows);
    const Strips strips = lay_strips(columns, target);
    std::vector<Row> chosen = some_rows(random, rows);
    std::vector<std::uint16_t> labels;
    for (Row row : chosen) labels.push_back(target.labels[row]);
    const StripSums sums = strips.sums(chosen);
    CodeCounter by_strip, alone;
    for (std::size_t f = 0; f < columns.all.size(); ++f) {
      CHECK(strips.lane_of(static_cast<Index>(f)) >= 0);
      const auto n_codes = static_cast<std::uint32_t>(columns.all[f].codes) + 1;
      const auto code_at = [&](std::uint32_t k) { return columns.all[f].code_of[chosen[k]]; };
      CHECK(same(by_strip.count(sums, strips.first_lane[f], n_codes),
                 alone.count(code_at, labels.data(), static_cast<std::uint32_t>(chosen.size()), n_codes)));
    }
  }
}

TEST_CASE("columns that strips have no room or no use for stay out") {
  Random random(1);
  Columns columns;
  for (Index codes : {30, 7, 7, 7, 7, 1}) columns.all.push_back(coded(random, 50, codes));
  columns.all.push_back({});  // an ordered one
  const Target target = two_classes(random, 50);
  CHECK(lay_strips(columns, target).first_lane == std::vector<Index>({-1, 0, 8, 16, 24, -1, -1}));
  const Target three = class_target(std::vector<Index>(50, 0), 3, {});
  const Target weighted = class_target(std::vector<Index>(50, 0), 2, std::vector<double>(50, 2.0));
  columns.all.resize(3);  // one of many codes and two of few
  for (const Strips& none : {lay_strips(columns, target), lay_strips(columns, three), lay_strips(columns, weighted)}) {
    CHECK(none.of_row.empty());
    CHECK(none.lane_of(0) == -1);
  }
}

TEST_CASE("codes are counted alike by every way of counting") {
  Random random(3);
  for (Index codes : {2, 4, 5, 40, 255})
    for (std::size_t rows : {1u, 2u, 9u, 81u, 600u, 5000u}) {
      const PreparedColumn column = coded(random, rows, codes);
      const Target target = two_classes(random, rows);
      std::vector<Counted> expected;
      for (std::uint32_t code = 0; code <= static_cast<std::uint32_t>(codes); ++code) {
        Counted counted{code, 0, 0};
        for (std::size_t row = 0; row < rows; ++row)
          if (column.code_of[row] == code) {
            ++counted.cases;
            counted.ones += target.labels[row];
          }
        if (counted.cases > 0) expected.push_back(counted);
      }
      CodeCounter counter;
      for (int again = 0; again < 2; ++again)  // nothing is left over from the call before
        CHECK(same(counter.count([&](std::uint32_t k) { return column.code_of[k]; }, target.labels.data(), static_cast<std::uint32_t>(rows),
                                 static_cast<std::uint32_t>(codes) + 1),
                   expected));
    }
}
