#include "forest.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../basics/thread_pool.hpp"
#include "../growing/grow.hpp"
#include "../pruning/recount.hpp"
#include "bag.hpp"

namespace thriftwood {

namespace {

constexpr std::uint64_t first_bag = std::uint64_t{1} << 43;  // keys of bags are not those of nodes

Key key_of(const Bagging& bagging, std::size_t t) { return key_below(bagging.seed, t); }

std::size_t case_of(const Bagging& bagging, std::size_t row) { return bagging.case_of.empty() ? row : bagging.case_of[row]; }

void check(const Bagging& bagging, const Table& table) {
  if (bagging.trees < 1) throw InputError("A forest has at least 1 tree; got " + std::to_string(bagging.trees) + ".");
  if (bagging.draws < 1 || (!bagging.replacement && bagging.draws > bagging.cases))
    throw InputError("From " + std::to_string(bagging.cases) + " cases " + std::to_string(bagging.draws) + " cannot be drawn" +
                     (bagging.replacement ? "." : " without replacement."));
  if (bagging.case_of.empty() ? bagging.cases != table.rows : bagging.case_of.size() != table.rows)
    throw InputError("The table has " + std::to_string(table.rows) + " rows, which the cases of the bagging do not fit.");
  for (Row one : bagging.case_of)
    if (one >= bagging.cases) throw InputError("A row belongs to case " + std::to_string(one) + "; there are " + std::to_string(bagging.cases) + ".");
}

void check_one_row_each(const Bagging& bagging, const Table& table) {
  if (table.rows != bagging.cases)
    throw InputError("The table has " + std::to_string(table.rows) + " rows; the forest was grown on " + std::to_string(bagging.cases) + " cases.");
}

// The rows of a bag, and what each row of the table then weighs; no weights: 1 each.
struct Grown {
  std::vector<Row> rows;
  std::vector<double> weights;
};

Grown rows_of(const Bagging& bagging, std::span<const std::uint32_t> bag, const Target& target) {
  Grown grown;
  const bool weighed = bagging.replacement || !target.unit();
  if (weighed) grown.weights.assign(target.rows(), 0.0);
  for (std::size_t row = 0; row < target.rows(); ++row) {
    const double weight = bag[case_of(bagging, row)] * (target.unit() ? 1.0 : target.weights[row]);
    if (weight <= 0.0) continue;
    grown.rows.push_back(static_cast<Row>(row));
    if (weighed) grown.weights[row] = weight;
  }
  return grown;
}

// Lets as many trees as there are threads answer at a time, then calls take(tree, its class shares by row), tree after tree.
template <class Take>
void ask_all(std::span<const Predictor* const> trees, const Table& table, int n_threads, std::size_t entries, const Take& take) {
  if (trees.empty()) throw InputError("A forest without trees has no answers.");
  const std::size_t width = entries / std::max<std::size_t>(table.rows, 1);
  for (const Predictor* tree : trees)
    if (static_cast<std::size_t>(tree->tree().width) != width) throw InputError("The trees of a forest must have the same classes.");
  ThreadPool pool(n_threads);
  const auto at_once = static_cast<std::size_t>(pool.size());
  std::vector<std::vector<double>> shares(std::min(at_once, trees.size()), std::vector<double>(entries));
  for (std::size_t first = 0; first < trees.size(); first += at_once) {
    const std::size_t some = std::min(at_once, trees.size() - first);
    pool.run(some, [&](std::size_t i, int) { trees[first + i]->class_shares(table, 1, shares[i]); });
    for (std::size_t i = 0; i < some; ++i) take(first + i, shares[i]);
  }
}

}  // namespace

std::vector<std::uint32_t> bag_of(const Bagging& bagging, std::size_t t, const Target& target) {
  constexpr std::uint64_t most_tries = 1000;
  for (std::uint64_t attempt = 0; attempt < most_tries; ++attempt) {
    std::vector<std::uint32_t> bag = draw_bag(key_below(key_of(bagging, t), first_bag + attempt), bagging.cases, bagging.draws, bagging.replacement);
    for (std::size_t row = 0; row < target.rows(); ++row)
      if (bag[case_of(bagging, row)] > 0 && (target.unit() || target.weights[row] > 0.0)) return bag;
  }
  throw InputError("Almost all cases have weight 0, so that bags of " + std::to_string(bagging.draws) + " have none that counts. Leave those out.");
}

std::vector<Tree> grow_forest(const Table& table, Target& target, const Settings& settings, const Bagging& bagging) {
  check(bagging, table);
  ThreadPool pool(settings.threads);
  const Settings* const only = &settings;
  const PreparedLearner learner(table, target, {&only, 1}, pool);
  std::vector<Tree> trees(static_cast<std::size_t>(bagging.trees));
  const auto grow_one = [&](std::size_t t, int) {
    Settings own = settings;
    own.seed = key_of(bagging, t);
    const Grown grown = rows_of(bagging, bag_of(bagging, t, target), target);
    trees[t] = learner.grow_weighted(own, grown.rows, grown.weights);
  };
  trees.resize(pool.run_until_interrupted(trees.size(), grow_one));
  return trees;
}

void mean_shares(std::span<const Predictor* const> trees, const Table& table, int n_threads, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  ask_all(trees, table, n_threads, out.size(), [&](std::size_t, const std::vector<double>& shares) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += shares[i];
  });
  for (double& share : out) share = std::min(1.0, share / static_cast<double>(trees.size()));
}

void left_out_shares(std::span<const Predictor* const> trees, const Table& table, const Target& target, const Bagging& bagging, int n_threads,
                     std::span<double> out) {
  check_one_row_each(bagging, table);
  const std::size_t width = out.size() / std::max<std::size_t>(table.rows, 1);
  std::vector<std::uint32_t> asked(table.rows, 0);
  std::fill(out.begin(), out.end(), 0.0);
  ask_all(trees, table, n_threads, out.size(), [&](std::size_t t, const std::vector<double>& shares) {
    const std::vector<std::uint32_t> bag = bag_of(bagging, t, target);
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (bag[row] > 0) continue;
      ++asked[row];
      for (std::size_t c = 0; c < width; ++c) out[row * width + c] += shares[row * width + c];
    }
  });
  for (std::size_t row = 0; row < table.rows; ++row)
    for (std::size_t c = 0; c < width; ++c) {
      double& share = out[row * width + c];
      share = asked[row] == 0 ? std::nan("") : std::min(1.0, share / asked[row]);
    }
}

void recount_forest(std::vector<Tree>& trees, const Cases& cases, const Target& target, const Bagging& bagging, std::span<const double> answer_costs,
                    std::span<const double> loss, int n_threads) {
  check_one_row_each(bagging, cases.table);
  ThreadPool pool(n_threads);
  pool.run(trees.size(), [&](std::size_t t, int) {
    const std::vector<std::uint32_t> bag = bag_of(bagging, t, target);
    std::vector<double> weights(bag.begin(), bag.end());
    for (std::size_t row = 0; row < weights.size(); ++row) weights[row] *= cases.weight(row);
    recount(trees[t], {cases.table, cases.labels, weights}, answer_costs, loss);
  });
}

}  // namespace thriftwood
