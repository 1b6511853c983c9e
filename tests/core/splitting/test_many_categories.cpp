#include "splitting/many_categories.hpp"

#include "check.hpp"

using namespace thriftwood;

namespace {

// Cells of categories of so many cases each.
CategoryCells cells_of(const std::vector<std::vector<double>>& rows, std::uint32_t cases) {
  CategoryCells cells;
  cells.clear(rows.size(), rows.front().size());
  cells.cases.assign(rows.size() + 1, cases);
  for (std::size_t c = 0; c < rows.size(); ++c) std::copy(rows[c].begin(), rows[c].end(), cells.cell(c).begin());
  return cells;
}

bool tells(const std::vector<std::vector<double>>& rows, std::uint32_t cases, bool regression = false) {
  Target target;
  target.regression = regression;
  target.classes = static_cast<Index>(rows.front().size());
  return tells_of_new_cases(target, cells_of(rows, cases));
}

}  // namespace

TEST_CASE("categories of one case tell nothing of new ones") {
  CHECK(!tells({{1, 0}, {0, 1}, {1, 0}, {0, 1}}, 1));
  CHECK(!tells({{3, 0}, {0, 0.5}, {7, 0}, {0, 1}}, 1));
  CHECK(!tells({{0.001, 0}, {0, 0.001}, {0.001, 0}, {0, 0.001}}, 1));
}

TEST_CASE("categories of many cases of one class tell of new ones, in any unit of weight") {
  CHECK(tells({{9, 0}, {0, 9}, {9, 0}, {0, 9}}, 9));
  CHECK(tells({{0.9, 0}, {0, 0.9}, {0.9, 0}, {0, 0.9}}, 9));
  // By hand: 40 bits at the node, 0 in the categories. Left out, each case has the share (10 - 1 + 1/2) / 10: 40 log2(1 / .95) = 2.96.
  CHECK(tells({{10, 0}, {0, 10}, {10, 0}, {0, 10}}, 10));
  CHECK(!tells({{6, 4}, {4, 6}, {6, 4}, {4, 6}}, 10));
}

TEST_CASE("numbers: a case lies n / (n - 1) times as far from the mean of the others") {
  // Two categories of two cases at -1 and +1 by weight, sum, sum of squares.
  CHECK(!tells({{2, 0, 2}, {2, 0, 2}}, 2, true));
  CHECK(tells({{4, 8, 17}, {4, -8, 17}}, 4, true));  // means 2 and -2, spread 1 within
  CHECK(!tells({{1, 5, 25}, {1, -5, 25}}, 1, true));
}
