#include "bayes/naive_bayes.hpp"

#include <cmath>

#include "check.hpp"

using namespace thriftwood;

namespace {

Table columns_of(const std::vector<double>& first, const std::vector<double>& second) {
  Table table;
  table.rows = first.size();
  for (const std::vector<double>* data : {&first, &second}) {
    Column column;
    column.data = data->data();
    table.columns.push_back(column);
  }
  return table;
}

}  // namespace

TEST_CASE("only what was asked counts") {
  const std::vector<double> x{0, 1, 5, 6, 7}, noise{3, 1, 4, 1, 5};
  const Table table = columns_of(x, noise);
  const std::vector<Index> labels{0, 0, 1, 1, 1};
  const NaiveBayes bayes(Densities({0, 0}, 2), table, labels, {});
  const std::vector<Index> group(5, 0);
  const std::vector<double> blind = bayes.shares(table, std::vector<std::uint8_t>(10, 0), group);
  for (std::size_t row = 0; row < 5; ++row) CHECK_NEAR(blind[2 * row], 0.4, 1e-12);
  const std::vector<std::uint8_t> first{1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  const std::vector<double> told = bayes.shares(table, first, group);
  CHECK(told[0] > 0.9);
  CHECK(told[9] > 0.9);
  const std::vector<double> other(5, 1e6);
  CHECK(bayes.shares(columns_of(x, other), first, group) == told);
}

TEST_CASE("a group has its own densities, and rows of none have no shares") {
  const Densities densities({0, 0}, 2);
  const std::vector<double> nothing(densities.size(), 0.0);
  const NaiveBayes bayes(densities, {{{1.0, 3.0}, nothing}, {{3.0, 1.0}, nothing}});
  const std::vector<double> x{0, 0, 0};
  const std::vector<double> shares = bayes.shares(columns_of(x, x), std::vector<std::uint8_t>(6, 1), std::vector<Index>{0, 1, -1});
  const std::vector<double> wanted{0.25, 0.75, 0.75, 0.25, 0.0, 0.0};
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK_NEAR(shares[i], wanted[i], 1e-12);
  CHECK_THROWS_AS(InputError, bayes.shares(columns_of(x, x), std::vector<std::uint8_t>(6, 1), std::vector<Index>{0, 2, 0}));
  CHECK_THROWS_AS(InputError, bayes.shares(columns_of(x, x), std::vector<std::uint8_t>(5, 1), std::vector<Index>{0, 0, 0}));
}

TEST_CASE("weights count as cases do") {
  const std::vector<double> x{0, 1, 5}, twice{0, 1, 1, 5};
  const Table once = columns_of(x, x), more = columns_of(twice, twice);
  const NaiveBayes weighted(Densities({0, 0}, 2), once, std::vector<Index>{0, 0, 1}, std::vector{1.0, 2.0, 1.0});
  const NaiveBayes repeated(Densities({0, 0}, 2), more, std::vector<Index>{0, 0, 0, 1}, {});
  for (std::size_t i = 0; i < weighted.groups()[0].learnt.size(); ++i)
    CHECK_NEAR(weighted.groups()[0].learnt[i], repeated.groups()[0].learnt[i], 1e-12);
}
