// Trials are what growing, cutting, answering and billing give one by one. Here rather than in Python so that the sanitizers watch.
#include "trials/trials.hpp"

#include "accounting/tree_ledger.hpp"
#include "basics/interruption.hpp"
#include "check.hpp"
#include "growing/grow.hpp"
#include "plain_prices.hpp"
#include "splitting/numbers.hpp"
#include "tree/relabel.hpp"

using namespace thriftwood;

namespace {

// Two numeric columns and a nominal one, some values missing; the first column tells most about the three classes.
struct Sample {
  std::vector<double> first, second;
  std::vector<Index> third, labels;
  Table table;

  Sample(Random& random, std::size_t n) : first(n), second(n), third(n), labels(n) {
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = unit(random);
      labels[i] = std::min<Index>(2, static_cast<Index>(3.0 * (0.7 * first[i] + 0.4 * unit(random))));
      if (below(random, 10) == 0) first[i] = std::nan("");
      second[i] = static_cast<double>(below(random, 7));
      third[i] = static_cast<Index>(below(random, 5)) - 1;
    }
    table.rows = n;
    table.columns = {{Storage::Float64, first.data(), 1, 0, nullptr, 0},
                     {Storage::Float64, second.data(), 1, 0, nullptr, 0},
                     {Storage::Codes, third.data(), 1, 4, nullptr, 0}};
  }
};

std::vector<Row> some_rows(Random& random, std::size_t n) {
  std::vector<Row> rows;
  for (Row row = 0; row < n; ++row)
    if (below(random, 3) > 0) rows.push_back(row);
  return rows;
}

bool same(const Tree& a, const Tree& b) {
  if (a.values != b.values || a.branch_map != b.branch_map || a.nodes.size() != b.nodes.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    if (a.nodes[i].feature != b.nodes[i].feature || a.nodes[i].threshold != b.nodes[i].threshold || a.nodes[i].label != b.nodes[i].label)
      return false;
  return true;
}

}  // namespace

TEST_CASE("a trial is growing, cutting, answering and billing, for any number of threads") {
  Random random(3);
  const Sample sample(random, 240);
  const Prices prices(plain({2.0, 1.0, 0.5}));
  const std::vector<double> loss{0, 1, 4, 1, 0, 1, 2, 1, 0};
  const std::vector<CutRule> cuts{{}, PessimisticCut{}, MdlSettings{}};
  std::vector<std::vector<Row>> lists(12);
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lists[i] = some_rows(random, 240);
    Trial trial;
    trial.settings.impurity = i % 2 ? ImpurityName::Gini : ImpurityName::Entropy;
    trial.settings.bins = i % 4 == 3 ? 8 : 0;
    trial.settings.min_gap = i % 3 ? 0.0 : 1e-5;
    trial.cut = cuts[i % cuts.size()];
    trial.bill = i == 5 ? nullptr : &prices;
    trial.grow_rows = lists[i];
    trial.judge_rows = lists[(i + 1) % lists.size()];
    trials.push_back(trial);
  }
  const TrialTable shared{sample.table, sample.labels, 3, {}, loss};
  for (const int threads : {1, 4}) {
    const auto outcomes = run_trials(shared, trials, threads);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const Trial& trial = trials[i];
      Target target = class_target(sample.labels, 3, {});
      Tree tree = grow(sample.table, target, trial.settings, trial.grow_rows);
      tree = cut_back(std::move(tree), {sample.table, sample.labels, {}, trial.grow_rows}, trial.cut);
      relabel(tree, loss);
      CHECK(same(outcomes[i]->tree.tree(), tree));
      std::vector<Index> labels(240);
      outcomes[i]->tree.labels(sample.table, 1, labels);
      std::vector<double> shares(240 * 3);
      outcomes[i]->tree.class_shares(sample.table, 1, shares);
      const Ledger ledger = keep_ledger(tree, prices, sample.table, 1);
      for (std::size_t j = 0; j < trial.judge_rows.size(); ++j) {
        const Row row = trial.judge_rows[j];
        CHECK(outcomes[i]->labels[j] == labels[row]);
        CHECK(outcomes[i]->probabilities[3 * j + 1] == shares[3 * row + 1]);
        if (trial.bill != nullptr) CHECK(outcomes[i]->test_cost[j] == ledger.test_cost[row]);
      }
      if (trial.bill == nullptr) CHECK(outcomes[i]->test_cost.empty());
      double upfront = 0.0;
      for (Index test : tests_below(tree)) upfront += prices.list_price(test);
      CHECK_NEAR(outcomes[i]->upfront_cost, trial.bill == nullptr ? 0.0 : upfront, 1e-12);
    }
  }
}

TEST_CASE("class weights of a trial are weights of its cases, in growing and in cutting") {
  Random random(7);
  const Sample sample(random, 240);
  const std::vector<double> own_weights = [&] {
    std::vector<double> weights(240);
    for (double& weight : weights) weight = 0.5 + unit(random);
    return weights;
  }();
  const std::vector<std::vector<double>> factors{{}, {1.0, 1.0, 1.0}, {0.25, 3.0, 1.0}, {2.0, 0.0, 0.5}};
  for (const bool weighed : {false, true}) {
    const std::span<const double> weights = weighed ? std::span<const double>(own_weights) : std::span<const double>();
    const auto times = [&](const std::vector<double>& factor) {
      std::vector<double> product(240);
      for (std::size_t i = 0; i < 240; ++i)
        product[i] = (weighed ? own_weights[i] : 1.0) * (factor.empty() ? 1.0 : factor[static_cast<std::size_t>(sample.labels[i])]);
      return product;
    };
    for (const auto& growing : factors)
      for (const auto& cutting : factors) {
        const std::vector<Row> rows = some_rows(random, 240);
        Trial trial;
        trial.settings.impurity = ImpurityName::Entropy;
        trial.cut = PessimisticCut{};
        trial.grow_rows = rows;
        trial.grow_weights = growing;
        trial.cut_weights = cutting;
        const auto outcomes = run_trials({sample.table, sample.labels, 3, weights}, std::span(&trial, 1), 1);
        Target target = class_target(sample.labels, 3, times(growing));
        const Tree tree = grow(sample.table, target, trial.settings, rows);
        const std::vector<double> to_cut = times(cutting);
        CHECK(same(outcomes[0]->tree.tree(), cut_back(tree, {sample.table, sample.labels, to_cut, rows}, trial.cut)));
      }
  }
}

TEST_CASE("cutting with some rows is cutting with weight for those rows only") {
  Random random(4);
  const Sample sample(random, 200);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Row> rows = some_rows(random, 200);
    std::vector<double> weights(200, 0.0);
    for (Row row : rows) weights[row] = 1.0;
    Target target = class_target(sample.labels, 3, {});
    const Tree tree = grow(sample.table, target, Settings{}, rows);
    const CutRule cut = PessimisticCut{{0.25, round % 2 == 0, ZRule::Table}, true, false};
    CHECK(same(cut_back(tree, {sample.table, sample.labels, {}, rows}, cut), cut_back(tree, {sample.table, sample.labels, weights}, cut)));
  }
}

TEST_CASE("a stopped run has the outcomes of the trials that were begun") {
  Random random(5);
  const Sample sample(random, 100);
  const std::vector<Row> rows = some_rows(random, 100);
  Trial trial;
  trial.grow_rows = rows;
  const std::vector<Trial> trials(50, trial);
  for (const int threads : {1, 3}) {
    const auto outcomes = run_trials({sample.table, sample.labels, 3}, trials, threads, [](std::size_t done) { return done < 4; });
    std::size_t reached = 0;
    for (const auto& outcome : outcomes) reached += outcome.has_value();
    CHECK(reached >= 4);
    if (threads == 1) CHECK(reached == 4);
  }
}

TEST_CASE("a run that is interrupted before its first trial, while columns are prepared, has no outcomes") {
  Random random(5);
  const Sample sample(random, 300'000);
  const std::vector<Row> few{0, 1, 2, 3};
  Trial trial;
  trial.grow_rows = trial.judge_rows = few;
  const Listener listener([] { return true; });
  for (const int threads : {1, 2}) {
    listen_anew();
    const auto outcomes = run_trials({sample.table, sample.labels, 3, {}, {}}, std::vector<Trial>(2, trial), threads);
    CHECK(outcomes.size() == 2);
    CHECK(!outcomes[0] && !outcomes[1]);
  }
}

TEST_CASE("trials that cannot be run are refused before any is") {
  Random random(6);
  const Sample sample(random, 30);
  const std::vector<Row> rows{1, 2, 5}, outside{30};
  const Prices short_list(plain({1.0}));
  const auto run = [&](const Trial& trial) { run_trials({sample.table, sample.labels, 3}, std::span(&trial, 1), 1); };
  Trial trial;
  CHECK_THROWS_AS(InputError, run(trial));  // nothing to grow on
  trial.grow_rows = outside;
  CHECK_THROWS_AS(InputError, run(trial));
  trial.grow_rows = rows;
  trial.judge_rows = outside;
  CHECK_THROWS_AS(InputError, run(trial));
  trial.judge_rows = rows;
  trial.bill = &short_list;
  CHECK_THROWS_AS(InputError, run(trial));
  trial.bill = nullptr;
  const std::vector<double> two{1.0, 1.0}, negative{1.0, -1.0, 1.0}, endless{1.0, infinity, 1.0}, nobody{0.0, 0.0, 0.0};
  for (const std::vector<double>* wrong : {&two, &negative, &endless}) {
    trial.grow_weights = *wrong;
    CHECK_THROWS_AS(InputError, run(trial));
    trial.grow_weights = {};
    trial.cut_weights = *wrong;
    CHECK_THROWS_AS(InputError, run(trial));
    trial.cut_weights = {};
  }
  trial.grow_weights = nobody;
  CHECK_THROWS_AS(InputError, run(trial));
  trial.grow_weights = {};
  trial.settings.impurity = ImpurityName::SquaredError;
  CHECK_THROWS_AS(InputError, run(trial));
}
