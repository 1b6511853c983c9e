#include "ensembles/forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "ensembles/bag.hpp"
#include "growing/offers.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

struct Planted {
  std::vector<std::vector<double>> columns;
  std::vector<Index> labels;
  Table table;

  explicit Planted(std::size_t n, double missing = 0.0) : columns(6, std::vector<double>(n)), labels(n) {
    Random random(5);
    for (auto& column : columns)
      for (double& x : column) x = unit(random) < missing ? std::nan("") : unit(random);
    for (std::size_t i = 0; i < n; ++i) labels[i] = (std::isnan(columns[0][i]) ? 0.5 : columns[0][i]) + 0.5 * unit(random) > 0.75 ? 1 : 0;
    table.rows = n;
    for (const auto& column : columns) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
  }
  Target target(std::span<const double> weights = {}) const { return class_target(labels, 2, weights); }
};

Settings random_features(int threads = 1) {
  Settings settings;
  settings.nominal = NominalTests::Binary;
  settings.feature_draw = FeatureDraw::Number;
  settings.max_features = 2;
  settings.threads = threads;
  return settings;
}

Bagging bags(std::size_t cases, int trees, bool replacement = true) { return {trees, replacement ? cases : cases / 2, replacement, 7, {}, cases}; }

bool same(const Tree& a, const Tree& b) {
  return a.values == b.values && std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), [](const Node& m, const Node& n) {
           return m.feature == n.feature && m.threshold == n.threshold && m.first_child == n.first_child && m.weight == n.weight;
         });
}

std::vector<Predictor> ready(std::vector<Tree> trees) {
  std::vector<Predictor> predictors;
  for (Tree& tree : trees) predictors.emplace_back(std::move(tree));
  return predictors;
}

std::vector<const Predictor*> pointers(const std::vector<Predictor>& trees) {
  std::vector<const Predictor*> list;
  for (const Predictor& tree : trees) list.push_back(&tree);
  return list;
}

}  // namespace

TEST_CASE("a bag has as many cases as were drawn, about 63 percent of them different") {
  for (Key key : {1u, 2u, 3u}) {
    const auto bag = draw_bag(key, 10000, 10000, true);
    CHECK(std::accumulate(bag.begin(), bag.end(), 0u) == 10000u);
    const auto distinct = static_cast<double>(std::count_if(bag.begin(), bag.end(), [](auto n) { return n > 0; }));
    CHECK(std::abs(distinct / 10000.0 - 0.632) < 0.02);
    const auto once = draw_bag(key, 1000, 400, false);
    CHECK(std::accumulate(once.begin(), once.end(), 0u) == 400u);
    CHECK(*std::max_element(once.begin(), once.end()) == 1u);
  }
  CHECK(draw_bag(1, 50, 50, true) == draw_bag(1, 50, 50, true));
  CHECK(draw_bag(1, 50, 50, true) != draw_bag(2, 50, 50, true));
  CHECK(draw_bag(3, 5, 5, false) == std::vector<std::uint32_t>(5, 1));
}

TEST_CASE("without replacement every case is as likely as the others") {
  std::vector<double> counts(20, 0.0);
  for (Key key = 0; key < 4000; ++key) {
    const auto bag = draw_bag(key, 20, 5, false);
    for (std::size_t i = 0; i < 20; ++i) counts[i] += bag[i];
  }
  double chi_square = 0.0;
  for (double count : counts) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  CHECK(chi_square < 43.82);  // the 99.9 % point with 19 degrees of freedom; less for draws without replacement
}

TEST_CASE("a forest is the same for any number of threads, its trees differ") {
  const Planted planted(3000, 0.05);
  Target target = planted.target();
  const auto alone = grow_forest(planted.table, target, random_features(1), bags(3000, 6));
  const auto together = grow_forest(planted.table, target, random_features(3), bags(3000, 6));
  for (std::size_t t = 0; t < 6; ++t) CHECK(same(alone[t], together[t]));
  CHECK(!same(alone[0], alone[1]));
  const auto more = grow_forest(planted.table, target, random_features(1), bags(3000, 8));
  CHECK(same(alone[5], more[5]));  // tree t depends on t, not on how many there are
}

TEST_CASE("a tree of a forest is grown on its bag") {
  const Planted planted(400);
  std::vector<double> weights(400, 1.0);
  for (std::size_t i = 0; i < 400; i += 3) weights[i] = 0.0;
  for (const auto& given : {std::vector<double>{}, weights}) {
    Target target = planted.target(given);
    for (bool replacement : {true, false}) {
      const Bagging bagging = bags(400, 3, replacement);
      const auto trees = grow_forest(planted.table, target, random_features(), bagging);
      for (std::size_t t = 0; t < 3; ++t) {
        const auto bag = bag_of(bagging, t, target);
        std::vector<double> counts(2, 0.0);
        for (std::size_t i = 0; i < 400; ++i) counts[static_cast<std::size_t>(planted.labels[i])] += bag[i] * (given.empty() ? 1.0 : given[i]);
        CHECK(trees[t].value(0)[0] == counts[0]);
        CHECK(trees[t].value(0)[1] == counts[1]);
      }
    }
  }
}

TEST_CASE("rows of one case come and go together") {
  const Planted planted(300);
  Target target = planted.target();
  std::vector<Row> case_of(300);
  for (std::size_t i = 0; i < 300; ++i) case_of[i] = static_cast<Row>(i / 3);
  const Bagging bagging{4, 100, true, 7, case_of, 100};
  const auto trees = grow_forest(planted.table, target, random_features(), bagging);
  for (const Tree& tree : trees) CHECK(tree.node(0).weight == 300.0);
  Bagging wrong = bagging;
  wrong.cases = 99;
  CHECK_THROWS_AS(InputError, grow_forest(planted.table, target, random_features(), wrong));
}

TEST_CASE("answers are means over the trees, and of those left out for training cases") {
  const Planted planted(500);
  Target target = planted.target();
  const Bagging bagging = bags(500, 5);
  const auto trees = ready(grow_forest(planted.table, target, random_features(), bagging));
  std::vector<double> all(1000), left(1000), threads(1000), sum(1000, 0.0), out(1000, 0.0), one(1000);
  mean_shares(pointers(trees), planted.table, 1, all);
  mean_shares(pointers(trees), planted.table, 2, threads);
  CHECK(all == threads);
  left_out_shares(pointers(trees), planted.table, target, bagging, 2, left);
  std::vector<double> times(500, 0.0);
  for (std::size_t t = 0; t < 5; ++t) {
    trees[t].class_shares(planted.table, 1, one);
    const auto bag = bag_of(bagging, t, target);
    for (std::size_t i = 0; i < 1000; ++i) {
      sum[i] += one[i];
      if (bag[i / 2] == 0) out[i] += one[i];
    }
    for (std::size_t i = 0; i < 500; ++i) times[i] += bag[i] == 0 ? 1.0 : 0.0;
  }
  for (std::size_t i = 0; i < 1000; ++i) {
    CHECK(std::abs(all[i] - sum[i] / 5.0) < 1e-12);
    if (times[i / 2] == 0.0)
      CHECK(std::isnan(left[i]));
    else
      CHECK(std::abs(left[i] - out[i] / times[i / 2]) < 1e-12);
  }
}

TEST_CASE("a forest counts cases again by bag") {
  const Planted planted(300);
  Target target = planted.target();
  const Bagging bagging = bags(300, 3);
  auto trees = grow_forest(planted.table, target, random_features(), bagging);
  const auto before = trees;
  std::vector<double> costs;
  for (Index label : planted.labels)
    for (Index answer : {0, 1}) costs.push_back(answer == label ? 0.0 : 1.0);
  const std::vector<double> loss{0, 1, 1, 0};
  recount_forest(trees, {planted.table, planted.labels}, target, bagging, costs, loss, 2);
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t i = 0; i < trees[t].values.size(); ++i) CHECK(std::abs(trees[t].values[i] - before[t].values[i]) < 1e-9);
}

TEST_CASE("a forest that is interrupted has its first trees") {
  const Planted planted(2000);
  Target target = planted.target();
  const auto whole = grow_forest(planted.table, target, random_features(1), bags(2000, 400));
  for (int threads : {1, 3}) {
    int questions = 0;
    const Listener listener([&] { return ++questions > 1; });
    const auto some = grow_forest(planted.table, target, random_features(threads), bags(2000, 100000));
    CHECK(!some.empty() && some.size() < 100000);
    for (std::size_t t = 0; t < std::min(some.size(), whole.size()); ++t) CHECK(same(some[t], whole[t]));
  }
}

TEST_CASE("bags that cannot be drawn are refused") {
  const Planted planted(20);
  Target target = planted.target();
  Bagging none = bags(20, 0), too_many = bags(20, 2, false), empty = bags(20, 2);
  too_many.draws = 21;
  empty.draws = 0;
  for (const Bagging& wrong : {none, too_many, empty}) CHECK_THROWS_AS(InputError, grow_forest(planted.table, target, random_features(), wrong));
  std::vector<double> nothing(20, 0.0);
  Target weightless = planted.target(nothing);
  CHECK_THROWS_AS(InputError, grow_forest(planted.table, weightless, random_features(), bags(20, 1)));
}

TEST_CASE("as many features are drawn as was asked") {
  Settings settings;
  CHECK(features_drawn(settings, 10) == 0u);
  settings.feature_draw = FeatureDraw::Root;
  CHECK(features_drawn(settings, 10) == 3u);
  CHECK(features_drawn(settings, 1) == 0u);  // all of them
  settings.feature_draw = FeatureDraw::Share;
  settings.max_features = 0.3;
  CHECK(features_drawn(settings, 10) == 3u);
  CHECK(features_drawn(settings, 2) == 1u);
  settings.feature_draw = FeatureDraw::Number;
  settings.max_features = 4;
  CHECK(features_drawn(settings, 10) == 4u);
  CHECK(features_drawn(settings, 4) == 0u);
}
