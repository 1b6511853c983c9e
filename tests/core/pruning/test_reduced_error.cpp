#include <random>

#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/reduced_error.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

// Outlook (sunny, overcast, rain), Humidity (high, normal), Wind (weak, strong); classes Yes, No.
Tree play_tree() {
  return tree_of(multiway(0, {multiway(1, {leaf({0, 3}), leaf({2, 0})}), leaf({4, 0}), multiway(2, {leaf({3, 0}), leaf({0, 2})})}), {3, 2, 2});
}

struct Validation {
  HandTable made;
  std::vector<Index> labels;
};

Validation play_validation() {
  Validation v;
  v.made.nominal({0, 0, 0, 1, 2, 2}, 3);
  v.made.nominal({0, 0, 1, 0, 0, 0}, 2);
  v.made.nominal({0, 0, 0, 0, 0, 1}, 2);
  v.labels = {1, 1, 0, 0, 0, 0};
  return v;
}

// A case for each number; the tree below looks at that number only.
Validation numbered(std::vector<double> numbers, std::vector<Index> labels) {
  Validation v;
  v.made.numeric(std::move(numbers));
  v.labels = std::move(labels);
  return v;
}

double losses(const Tree& tree, const Validation& v) {
  double wrong = 0.0;
  for (std::size_t r = 0; r < v.labels.size(); ++r) {
    Index i = 0;
    while (!tree.node(i).leaf()) i = tree.node(i).first_child + (v.made.numbers[0][r] <= tree.node(i).threshold ? 0 : 1);
    wrong += tree.node(i).label == v.labels[r] ? 0.0 : 1.0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("of the play tree only Wind is pruned") {
  const Validation v = play_validation();
  for (const PruneOrder order : {PruneOrder::Greedy, PruneOrder::BottomUp}) {
    const Tree pruned = prune_reduced_error(play_tree(), {v.made.table, v.labels}, order);
    validate(pruned);
    CHECK(pruned.size() == 6);
    CHECK(pruned.node(pruned.node(0).first_child).feature == 1);
    CHECK(pruned.node(pruned.node(0).first_child + 2).leaf());
    CHECK(pruned.node(pruned.node(0).first_child + 2).label == 0);
  }
}

TEST_CASE("two siblings worth +2 each under a parent worth +3: greedy takes the parent, bottom-up gets +4") {
  // The root cuts at 0. As a leaf, `low` answers 0 and mends the two cases at -6, `high` answers 1 and mends
  // the two at 3. The root answers 0: it mends those at -6 and three at 8, and breaks two at 8.
  PlainNode low = cut(0, -5, leaf({0, 3}), leaf({4, 0}));
  low.label = 0;
  PlainNode high = cut(0, 5, leaf({5, 0}), leaf({0, 6}));
  high.label = 1;
  PlainNode root = cut(0, 0, low, high);
  root.label = 0;
  const Tree both = tree_of(root, {0});
  const Validation w = numbered({-6, -6, 3, 3, 8, 8, 8, 8, 8}, {0, 0, 1, 1, 0, 0, 0, 1, 1});
  CHECK(losses(both, w) == 7.0);
  const Tree greedy = prune_reduced_error(both, {w.made.table, w.labels}, PruneOrder::Greedy);
  const Tree bottom_up = prune_reduced_error(both, {w.made.table, w.labels}, PruneOrder::BottomUp);
  CHECK(greedy.size() == 1);
  CHECK(losses(greedy, w) == 4.0);  // +3
  CHECK(bottom_up.size() == 3);
  CHECK(losses(bottom_up, w) == 3.0);  // +4
}

TEST_CASE("no evidence: without validation cases everything is pruned") {
  const Validation none = numbered({}, {});
  const Tree tree = tree_of(cut(0, 0, leaf({2, 0}), leaf({0, 2})), {0});
  for (const PruneOrder order : {PruneOrder::Greedy, PruneOrder::BottomUp})
    CHECK(prune_reduced_error(tree, {none.made.table, none.labels}, order).size() == 1);
}

TEST_CASE("what a mistake costs can save a split that counting mistakes would not") {
  const Tree tree = tree_of(cut(0, 0, leaf({5, 0}), leaf({0, 3})), {0});
  const Validation v = numbered({1, 1, 1}, {0, 0, 1});  // the split answers 1 three times: 2 mistakes; the leaf answers 0: 1
  CHECK(prune_reduced_error(tree, {v.made.table, v.labels}).size() == 1);
  const std::vector<double> costs{0, 1, 10, 0};  // taking class 1 for class 0 costs 10
  CHECK(prune_reduced_error(tree, {v.made.table, v.labels}, PruneOrder::Greedy, costs).size() == 3);
  CHECK(prune_reduced_error(tree, {v.made.table, v.labels}, PruneOrder::BottomUp, costs).size() == 3);
  const std::vector<double> weights{1, 1, 3};
  CHECK(prune_reduced_error(tree, {v.made.table, v.labels, weights}).size() == 3);
  const std::vector<double> three{0, 1, 10};
  CHECK_THROWS_AS(InputError, prune_reduced_error(tree, {v.made.table, v.labels}, PruneOrder::Greedy, three));
}

TEST_CASE("a validation case with a missing value counts by its shares") {
  // 3 of 4 training cases went left. Missing: 3/4 answered 0, 1/4 answered 1; the node as a leaf answers 0.
  const Tree tree = tree_of(cut(0, 0, leaf({3, 0}), leaf({0, 1})), {0});
  const double gap = std::nan("");
  const Validation ones = numbered({gap}, {1});  // the split is right by 1/4, the leaf never
  CHECK(prune_reduced_error(tree, {ones.made.table, ones.labels}).size() == 3);
  const Validation zeros = numbered({gap, 1}, {0, 0});
  CHECK(prune_reduced_error(tree, {zeros.made.table, zeros.labels}).size() == 1);
}

TEST_CASE("a regression tree is pruned by its distance from the validation numbers") {
  Tree tree = tree_of(cut(0, 0, leaf({1}), leaf({5})), {0});
  tree.regression = true;
  tree.value(0)[0] = 3.0;
  HandTable made;
  made.numeric({-1, 1});
  const std::vector<double> split{1, 5}, flat{3, 3};
  const std::vector<Index> labels{0, 0};
  for (const NumberLoss loss : {NumberLoss::Squared, NumberLoss::Absolute}) {
    CHECK(prune_reduced_error(tree, NumberCases{made.table, split}, PruneOrder::Greedy, loss).size() == 3);
    CHECK(prune_reduced_error(tree, NumberCases{made.table, flat}, PruneOrder::Greedy, loss).size() == 1);
  }
  // Distances 0, 0, 5 with the split and 2, 2, 3 without: 5 against 7, but squared 25 against 17.
  HandTable high;
  high.numeric({1, 1, 1});
  const std::vector<double> outlier{5, 5, 0};
  CHECK(prune_reduced_error(tree, NumberCases{high.table, outlier}, PruneOrder::Greedy, NumberLoss::Absolute).size() == 3);
  CHECK(prune_reduced_error(tree, NumberCases{high.table, outlier}, PruneOrder::Greedy, NumberLoss::Squared).size() == 1);
  CHECK_THROWS_AS(InputError, prune_reduced_error(tree, Cases{made.table, labels}));
  CHECK_THROWS_AS(InputError, prune_reduced_error(golf_tree(), NumberCases{made.table, flat}));
}

// ---- greedy by the letter, on random trees
// ---------------------------------------------------------------------------------

namespace {

PlainNode random_tree(std::mt19937& rng, double low, double high, int depth) {
  if (depth == 0 || high - low < 2 || rng() % 5 == 0) return leaf({static_cast<double>(rng() % 4), static_cast<double>(rng() % 4)});
  const double middle = low + 1 + static_cast<double>(rng() % static_cast<unsigned>(high - low - 1));
  PlainNode split = cut(0, middle, random_tree(rng, low, middle, depth - 1), random_tree(rng, middle, high, depth - 1));
  split.label = static_cast<Index>(rng() % 2);
  return split;
}

// The slides' loop: measure the tree with each node pruned, take the best, stop when accuracy falls.
// compact() numbers nodes depth first with siblings together, so reading order is found by walking.
Tree greedy_by_the_letter(Tree tree, const Validation& v) {
  while (true) {
    const double now = losses(tree, v);
    std::vector<Index> reading, open{0};
    while (!open.empty()) {
      const Index i = open.back();
      open.pop_back();
      reading.push_back(i);
      for (Index b = tree.node(i).n_children - 1; b >= 0; --b) open.push_back(tree.node(i).first_child + b);
    }
    Tree best;
    double least = infinity;
    for (const Index i : reading) {
      if (tree.node(i).leaf()) continue;
      Tree candidate = tree;
      make_leaf(candidate.node(i));
      candidate = compact(candidate);
      const double wrong = losses(candidate, v);
      if (wrong < least || (wrong == least && candidate.size() < best.size())) {
        least = wrong;
        best = candidate;
      }
    }
    if (least > now) return tree;
    tree = best;
    if (tree.size() == 1) return tree;
  }
}

Index best_subtree_loss(const Tree& tree, const Validation& v, Index i, const std::vector<std::size_t>& rows) {
  Index wrong = 0;
  for (std::size_t r : rows) wrong += v.labels[r] != tree.node(i).label;
  if (tree.node(i).leaf()) return wrong;
  std::vector<std::size_t> low, high;
  for (std::size_t r : rows) (v.made.numbers[0][r] <= tree.node(i).threshold ? low : high).push_back(r);
  return std::min(wrong, best_subtree_loss(tree, v, tree.node(i).first_child, low) + best_subtree_loss(tree, v, tree.node(i).first_child + 1, high));
}

}  // namespace

TEST_CASE("the greedy loop gives the tree of the slides' loop, bottom-up the best subtree") {
  std::mt19937 rng(3);
  for (int round = 0; round < 200; ++round) {
    const Tree tree = tree_of(random_tree(rng, 0, 30, 6), {0});
    std::vector<double> numbers;
    std::vector<Index> labels;
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < 40; ++r) {
      numbers.push_back(static_cast<double>(rng() % 30) + 0.5);
      labels.push_back(static_cast<Index>(rng() % 2));
      rows.push_back(r);
    }
    const Validation v = numbered(numbers, labels);
    const Tree greedy = prune_reduced_error(tree, {v.made.table, v.labels}, PruneOrder::Greedy);
    const Tree letter = greedy_by_the_letter(tree, v);
    CHECK(greedy.size() == letter.size());
    CHECK(losses(greedy, v) == losses(letter, v));
    if (greedy.size() == letter.size())
      for (Index i = 0; i < greedy.size(); ++i) CHECK(greedy.node(i).threshold == letter.node(i).threshold);
    const Tree bottom_up = prune_reduced_error(tree, {v.made.table, v.labels}, PruneOrder::BottomUp);
    CHECK(losses(bottom_up, v) == best_subtree_loss(tree, v, 0, rows));
    CHECK(losses(bottom_up, v) <= losses(greedy, v));
  }
}
