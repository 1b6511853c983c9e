#include "splitting/surrogate.hpp"

#include "check.hpp"
#include "numbers.hpp"

using namespace thriftwood;

namespace {

struct Example {
  std::vector<double> primary{0, 0, 0, 1, 1, 1, 1, 1}, second{10, 20, 30, 25, 50, 60, 70, std::nan("")};
  std::vector<Row> rows{0, 1, 2, 3, 4, 5, 6, 7};
  Table table;
  Split split;
  Settings settings;

  Example() {
    table.rows = 8;
    for (const auto* numbers : {&primary, &second}) {
      Column column;
      column.data = numbers->data();
      table.columns.push_back(column);
    }
    split.feature = 0;
    split.kind = NodeKind::Threshold;
    split.threshold = 0.5;
    split.branches = 2;
  }

  std::vector<SurrogateSplit> search(const double* weights = nullptr) {
    SurrogateSearch found(table, settings, split, rows, CaseWeight{weights});
    found.try_feature(1, plain_order(second));
    return found.best();
  }
};

}  // namespace

TEST_CASE("the surrogate of the worked example, counted over all cases and over those it knows") {
  Example example;
  const auto over_all = example.search();
  CHECK(over_all.size() == 1);
  CHECK(over_all.front().test.threshold == 22.5);
  CHECK(!over_all.front().test.flipped);
  CHECK_NEAR(over_all.front().test.agreement, 0.75, 1e-12);
  CHECK_NEAR(over_all.front().test.adjusted, 0.333333, 5e-7);
  example.settings.surrogate_known_only = true;
  const auto over_known = example.search();
  CHECK_NEAR(over_known.front().test.agreement, 6.0 / 7.0, 1e-12);
  CHECK_NEAR(over_known.front().test.adjusted, 0.666667, 5e-7);
}

TEST_CASE("weights move the surrogate's cut") {
  Example example;
  const std::vector<double> weights{1, 1, 5, 1, 1, 1, 1, 1};
  const auto found = example.search(weights.data());
  CHECK(found.front().test.threshold == 40.0);
  CHECK_NEAR(found.front().test.agreement, 10.0 / 12.0, 1e-12);
}

TEST_CASE("a surrogate no better than the larger branch is not kept") {
  Example example;
  example.second = {3, 5, 7, 1, 2, 4, 6, 8};
  CHECK(example.search().empty());
}

TEST_CASE("a cut lies between neighbouring values, whether or not their cases know the primary test") {
  Example example;
  example.primary = {0, 0, 0, std::nan(""), 1, 1, 1, 1};
  example.second = {1, 1, 1, 2, 4, 4, 4, 4};
  CHECK(example.search().front().test.threshold == 1.5);
}

TEST_CASE("cases count as they came, whatever their classes weigh") {
  Example example;
  const std::vector<double> weights{1, 1, 5, 1, 1, 1, 1, 1}, per_weight{1.0, 0.2};
  const std::vector<std::uint16_t> labels{0, 0, 1, 0, 0, 0, 0, 0};
  SurrogateSearch search(example.table, example.settings, example.split, example.rows, CaseWeight{weights.data(), labels.data(), per_weight.data()});
  search.try_feature(1, plain_order(example.second));
  CHECK(search.heavier_branch() == 1);
  const auto found = search.best();
  CHECK(found.front().test.threshold == 22.5);
  CHECK_NEAR(found.front().test.agreement, 0.75, 1e-12);
}

TEST_CASE("of two branches with as many cases none is the larger one") {
  Example example;
  example.primary = {0, 0, 0, 0, 1, 1, 1, 1};
  CHECK(SurrogateSearch(example.table, example.settings, example.split, example.rows, CaseWeight{}).heavier_branch() == route_stop);
}
