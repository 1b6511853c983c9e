// A forest: many trees of the same settings, each grown on a bag of the cases and on random features at every node; together they
// answer with the mean of their class shares.
//
//   bag        see bag.hpp; drawn among cases. Several rows may belong to one case (see Bagging::case_of): they come and go together.
//   left out   of a tree: the cases that are not in its bag
//
// Tree t depends on the seed and on t alone, and sums are made in the order of the trees: any number of threads gives the same forest
// and the same answers.
//
// What is drawn at a node depends on the way to it, so a larger forest begins with the trees of a smaller one. Features that are constant
// at a node do not count as drawn, and drawing goes on until some feature has a test, as in scikit-learn.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "../pruning/cases.hpp"
#include "../settings.hpp"
#include "../splitting/target.hpp"
#include "../table.hpp"
#include "../tree/predict.hpp"

namespace thriftwood {

struct Bagging {
  int trees = 100;
  std::size_t draws = 0;             // cases drawn for a tree
  bool replacement = true;
  Key seed = 0;
  std::span<const Row> case_of = {};  // the case of each row; empty: each row is a case
  std::size_t cases = 0;             // how many there are
};

// The bag of tree t: how often each case counts. Where none of its rows has weight, it is drawn again, with another key.
std::vector<std::uint32_t> bag_of(const Bagging& bagging, std::size_t t, const Target& target);

// Grown in parallel, each tree by one thread. If that is interrupted, the first trees, as a smaller forest of this bagging would have them.
std::vector<Tree> grow_forest(const Table& table, Target& target, const Settings& settings, const Bagging& bagging);

// Rows x width: the mean over the trees of the class shares where each row ends.
void mean_shares(std::span<const Predictor* const> trees, const Table& table, int n_threads, std::span<double> out);

// What follows is of a forest that grow_forest gave for this target and this bagging, and of its cases: a table of one row per case.

// The mean over the trees that a case was left out of; NaN for a case that is in every bag.
void left_out_shares(std::span<const Predictor* const> trees, const Table& table, const Target& target, const Bagging& bagging, int n_threads,
                     std::span<double> out);

// Counts cases at the nodes of every tree, each as often as it is in the tree's bag; see pruning/recount.hpp.
void recount_forest(std::vector<Tree>& trees, const Cases& cases, const Target& target, const Bagging& bagging, std::span<const double> answer_costs,
                    std::span<const double> loss, int n_threads);

}  // namespace thriftwood
