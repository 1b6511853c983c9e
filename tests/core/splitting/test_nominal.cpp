#include "splitting/nominal.hpp"

#include "check.hpp"
#include "numbers.hpp"
#include "splitting/grouping.hpp"

using namespace thriftwood;

namespace {

CategoryCells cells_of(const std::vector<std::vector<double>>& rows) {
  CategoryCells cells;
  cells.clear(rows.size(), rows.front().size());
  for (std::size_t c = 0; c < rows.size(); ++c) std::copy(rows[c].begin(), rows[c].end(), cells.cell(c).begin());
  return cells;
}

double weight_of(const CategoryCells& cells) { return std::accumulate(cells.sums.begin(), cells.sums.end(), 0.0); }

// The least cost of all ways to divide the categories in two, each side with at least `least`.
double least_cost(const NominalSearch& search, const CategoryCells& cells, double least) {
  double best = infinity;
  const std::size_t n = cells.categories();
  for (std::size_t set = 1; set + 1 < 1u << n; ++set) {
    std::vector<double> sides[2] = {std::vector<double>(cells.width), std::vector<double>(cells.width)};
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t i = 0; i < cells.width; ++i) sides[set >> c & 1][i] += cells.cell(c)[i];
    double cost = 0.0;
    bool heavy = true;
    for (const auto& side : sides) {
      const double weight = search.target.weight_of(side);
      heavy = heavy && weight > 0.0 && weight >= least;
      cost += cell_cost(search.settings.impurity, search.target, side, weight, false);
    }
    if (heavy) best = std::min(best, cost);
  }
  return best;
}

}  // namespace

TEST_CASE("no division of the categories is better than the one found") {
  Random random(5);
  Settings settings;
  settings.nominal = NominalTests::Binary;
  settings.min_branch_weight = 0.0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t classes = 2 + below(random, 3), categories = 2 + below(random, 5);
    std::vector<std::vector<double>> rows(categories, std::vector<double>(classes));
    for (auto& row : rows)
      for (double& w : row) w = 0.5 * static_cast<double>(below(random, 9));
    const CategoryCells cells = cells_of(rows);
    Target target;
    target.classes = static_cast<Index>(classes);
    settings.impurity = round % 2 ? ImpurityName::Gini : ImpurityName::Entropy;
    const NominalSearch search{target, settings, false, weight_of(cells)};
    const NominalTest found = partition_categories(search, cells);
    const double best = least_cost(search, cells, 0.0);
    if (found.branches == 0) {
      CHECK(best == infinity);
      continue;
    }
    CHECK_NEAR(found.cost, best, 1e-9);
    for (std::size_t c = 0; c < categories; ++c) CHECK((found.branch_of[c] < 0) == (target.weight_of(cells.cell(c)) == 0.0));
  }
}

TEST_CASE("no division of categories by their means is better either") {
  Random random(6);
  Settings settings;
  settings.nominal = NominalTests::Binary;
  settings.impurity = ImpurityName::SquaredError;
  settings.min_branch_weight = 0.0;
  Target target;
  target.regression = true;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<double>> rows(2 + below(random, 5), std::vector<double>(3, 0.0));
    for (auto& row : rows)
      for (std::size_t i = 0; i < 1 + below(random, 4); ++i) {
        const double y = unit(random) * 10.0 - 5.0;
        row[0] += 1.0;
        row[1] += y;
        row[2] += y * y;
      }
    const CategoryCells cells = cells_of(rows);
    const NominalSearch search{target, settings, false, 1.0};
    CHECK_NEAR(partition_categories(search, cells).cost, least_cost(search, cells, 0.0), 1e-9);
  }
}

TEST_CASE("a division keeps the least weight on both sides") {
  Settings settings;
  settings.nominal = NominalTests::Binary;
  settings.min_branch_weight = 3.0;
  Target target;
  target.classes = 2;
  const CategoryCells cells = cells_of({{2, 0}, {0, 4}, {4, 3}});
  const NominalTest found = partition_categories({target, settings, false, 13.0}, cells);
  CHECK(found.branch_of == (std::vector<Index>{0, 1, 0}));
  settings.min_branch_weight = 7.0;
  CHECK(partition_categories({target, settings, false, 13.0}, cells).branches == 0);
}

TEST_CASE("one category against all others, those that nobody has among them") {
  Settings settings;
  settings.nominal = NominalTests::Value;
  settings.impurity = ImpurityName::Entropy;
  Target target;
  target.classes = 2;
  const CategoryCells cells = cells_of({{2, 3}, {4, 0}, {0, 0}, {3, 2}});
  const NominalSearch search{target, settings, false, 14.0};
  const NominalTest found = partition_categories(search, cells);
  CHECK(found.value == 1);
  CHECK(found.branch_of == (std::vector<Index>{1, 0, 1, 1}));
  CHECK_NEAR(found.cost, 10.0, 1e-12);
  for (Index value : {0, 1, 3}) CHECK(value_test(search, cells, value).cost >= found.cost);
  settings.min_branch_weight = 5.0;
  CHECK(partition_categories(search, cells).value == 0);
  CHECK(partition_categories(search, cells_of({{2, 3}, {0, 0}})).branches == 0);
}

TEST_CASE("C4.5 groups the outlook of golf: overcast against the rest") {
  Settings settings;
  settings.nominal = NominalTests::Grouped;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = GainRatio{};
  settings.asks_split_info = true;
  Target target;
  target.classes = 2;
  const CategoryCells cells = cells_of({{2, 3}, {4, 0}, {3, 2}});
  const NominalTest found = partition_categories({target, settings, false, 14.0}, cells);
  CHECK(found.branches == 2);
  CHECK(found.branch_of == (std::vector<Index>{0, 1, 0}));
  CHECK_NEAR(found.cost, 10.0, 1e-12);
}

TEST_CASE("pure categories of one class are one group, absent ones a branch of their own") {
  Settings settings;
  settings.nominal = NominalTests::Grouped;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = GainRatio{};
  settings.asks_split_info = true;
  Target target;
  target.classes = 3;
  const CategoryCells cells = cells_of({{5, 0, 0}, {0, 0, 0}, {0, 4, 0}, {6, 0, 0}, {0, 0, 0.3}, {0, 0, 7}, {0, 3, 0}});
  const NominalTest found = group_categories({target, settings, false, 25.3}, cells);
  const auto& branch = found.branch_of;
  CHECK(branch[0] == branch[3]);
  CHECK(branch[2] == branch[6]);
  CHECK(branch[1] == branch[4]);
  CHECK(branch[1] == found.branches - 1);
  CHECK(branch[0] != branch[2]);
}

TEST_CASE("ten thousand pure categories are grouped at once") {
  Settings settings;
  settings.nominal = NominalTests::Grouped;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = GainRatio{};
  settings.asks_split_info = true;
  Target target;
  target.classes = 2;
  std::vector<std::vector<double>> rows;
  for (int c = 0; c < 10000; ++c) rows.push_back(c % 2 ? std::vector<double>{1, 0} : std::vector<double>{0, 1});
  const NominalTest found = group_categories({target, settings, false, 10000.0}, cells_of(rows));
  CHECK(found.branches == 2);
  CHECK(found.cost == 0.0);
}
