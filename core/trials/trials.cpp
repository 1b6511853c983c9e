#include "trials.hpp"

#include <atomic>
#include <cmath>
#include <string>

#include "../accounting/tree_ledger.hpp"
#include "../basics/thread_pool.hpp"
#include "../growing/grow.hpp"

namespace thriftwood {

namespace {

void check_class_weights(std::span<const double> weights, Index classes) {
  if (!weights.empty() && weights.size() != static_cast<std::size_t>(classes))
    throw InputError("A trial has " + std::to_string(weights.size()) + " class weights; there are " + std::to_string(classes) + " classes.");
  for (double weight : weights)
    if (!std::isfinite(weight) || weight < 0.0)
      throw InputError("Class weights must be finite and not negative; got " + std::to_string(weight) + ".");
}

void check(const Trial& trial, const TrialTable& shared) {
  const Table& table = shared.table;
  if (trial.grow_rows.empty()) throw InputError("A trial has no rows to grow on.");
  for (Row row : trial.judge_rows)
    if (row >= table.rows)
      throw InputError("A trial is to judge row " + std::to_string(row) + "; the table has " + std::to_string(table.rows) + " rows.");
  for (const Prices* prices : {trial.settings.prices, trial.bill})
    if (prices != nullptr && prices->tests() != table.features())
      throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(table.features()) +
                       " features.");
  check_class_weights(trial.grow_weights, shared.classes);
  check_class_weights(trial.cut_weights, shared.classes);
}

Tree finished(const TrialTable& shared, const PreparedLearner& learner, const Trial& trial) {
  Tree tree = learner.grow(trial.settings, trial.grow_rows, trial.grow_weights);
  std::vector<double> own;
  if (!trial.cut_weights.empty()) own = class_weighted(shared.labels, shared.weights, trial.cut_weights);
  const Cases cases{shared.table, shared.labels, own.empty() ? shared.weights : own, trial.grow_rows};
  tree = cut_back(std::move(tree), cases, trial.cut);
  if (!shared.loss.empty() || shared.smoothing.any()) relabel(tree, shared.loss, {}, shared.smoothing);
  return tree;
}

void judge(Outcome& outcome, const Trial& trial, const Table& table) {
  const auto width = static_cast<std::size_t>(outcome.tree.tree().width);
  outcome.labels.resize(trial.judge_rows.size());
  outcome.probabilities.resize(trial.judge_rows.size() * width);
  for (std::size_t i = 0; i < trial.judge_rows.size(); ++i)
    outcome.labels[i] = outcome.tree.label_of(TableRow{table, trial.judge_rows[i]}, std::span(outcome.probabilities).subspan(i * width, width));
}

void charge(Outcome& outcome, const Trial& trial, const Table& table) {
  const Tree& tree = outcome.tree.tree();
  TreeBiller biller(tree, *trial.bill);
  outcome.test_cost.reserve(trial.judge_rows.size());
  for (Row row : trial.judge_rows) outcome.test_cost.push_back(biller.bill(TableRow{table, row}).cost);
  Basket basket(*trial.bill);
  for (Index test : tests_below(tree)) basket.buy(test);
  outcome.upfront_cost = basket.total();
}

}  // namespace

std::vector<std::optional<Outcome>> run_trials(const TrialTable& shared, std::span<const Trial> trials, int n_threads,
                                               const std::function<bool(std::size_t)>& watch) {
  Target target = class_target(shared.labels, shared.classes, shared.weights);
  std::vector<const Settings*> settings;
  for (const Trial& trial : trials) {
    check(trial, shared);
    settings.push_back(&trial.settings);
  }
  ThreadPool pool(n_threads);
  std::vector<std::optional<Outcome>> outcomes(trials.size());
  std::atomic<std::size_t> done{0};
  const std::function<bool()> tell = [&] { return watch(done.load()); };
  try {
    const PreparedLearner learner(shared.table, target, settings, pool);
    const auto work = [&](std::size_t i, int) {
      Outcome outcome{Predictor(finished(shared, learner, trials[i])), {}, {}, {}, 0.0};
      judge(outcome, trials[i], shared.table);
      if (trials[i].bill != nullptr) charge(outcome, trials[i], shared.table);
      outcomes[i] = std::move(outcome);
      ++done;
    };
    pool.run(trials.size(), work, watch ? tell : nullptr);
  } catch (const Interrupted&) {  // those that are done stay
  }
  return outcomes;
}

}  // namespace thriftwood
