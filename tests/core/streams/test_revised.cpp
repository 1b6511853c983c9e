#include "streams/revised.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "check.hpp"

using namespace thriftwood;

namespace {

struct Case {
  std::vector<double> values;
  Index label;
};

// Small numbers, so that ties and equal cases are common; some missing.
std::vector<Case> drawn(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool missing = random() % 10 == 0;
    const double number = missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(random() % 8);
    cases.push_back({{number, static_cast<double>(random() % 3)}, static_cast<Index>(random() % 2)});
  }
  return cases;
}

RevisedTree fresh() {
  Settings growth;
  growth.impurity = ImpurityName::Entropy;
  growth.nominal = NominalTests::Multiway;
  growth.missing = Missing::Stay;
  growth.two_branches = true;
  growth.gain_floor = 1e-12;
  growth.min_branch_weight = 1e-9;
  growth.max_depth = 2000;
  return RevisedTree({0, 3}, 2, growth, nullptr);
}

Tree tree_of(const std::vector<Case>& cases) {
  RevisedTree tree = fresh();
  for (const Case& one : cases) tree.add(one.values, one.label);
  return tree.tree();
}

bool same(const Tree& a, const Tree& b) {
  if (a.size() != b.size() || a.values != b.values) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (a.node(i).feature != b.node(i).feature || a.node(i).threshold != b.node(i).threshold || a.node(i).label != b.node(i).label) return false;
  return true;
}

}  // namespace

TEST_CASE("a revised tree does not depend on the order of arrival, nor on when it was settled") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<Case> cases = drawn(60, seed);
    const Tree lazy = tree_of(cases);
    RevisedTree greedy = fresh();
    for (const Case& one : cases) {
      greedy.add(one.values, one.label);
      greedy.settle();
    }
    CHECK(same(greedy.tree(), lazy));
    std::shuffle(cases.begin(), cases.end(), std::mt19937(seed + 100));
    CHECK(same(tree_of(cases), lazy));
  }
}

TEST_CASE("a tree that has forgotten is the tree of the cases that are left") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<Case> cases = drawn(50, seed), left(cases.begin() + 25, cases.end());
    RevisedTree tree = fresh();
    for (const Case& one : cases) {
      tree.add(one.values, one.label);
      tree.settle();
    }
    for (std::size_t i = 0; i < 25; ++i) CHECK(tree.forget(cases[i].values, cases[i].label));
    CHECK(same(tree.tree(), tree_of(left)));
    CHECK(tree.cases() == 25);
    CHECK(!tree.forget(std::vector<double>{99.0, 0.0}, 0));
  }
}

TEST_CASE("a tree that discards subtrees begins anew below a test that changes") {
  Settings growth;
  growth.impurity = ImpurityName::Entropy;
  growth.nominal = NominalTests::Multiway;
  growth.missing = Missing::Stay;
  growth.two_branches = true;
  growth.gain_floor = 1e-12;
  growth.min_branch_weight = 1e-9;
  growth.max_depth = 2000;
  RevisedTree tree({2, 2}, 2, growth, nullptr, true), regrouped({2, 2}, 2, growth, nullptr);
  const auto add = [&](double first, double second, Index label) {
    tree.add(std::vector{first, second}, label);
    regrouped.add(std::vector{first, second}, label);
  };
  add(0, 0, 0);
  add(1, 0, 1);
  CHECK(tree.tree().node(0).feature == 0);
  add(0, 0, 0);
  add(0, 1, 1);  // the first feature is as good as the second one by now
  add(0, 1, 1);
  add(0, 1, 1);  // and behind it now: its branches begin with this case alone
  const Tree now = tree.tree();
  CHECK(now.node(0).feature == 1);
  double below = 0.0;
  for (Index b = 0; b < now.node(0).n_children; ++b) below += now.node(now.node(0).first_child + b).weight;
  CHECK(below < 6.0);
  CHECK(regrouped.tree().node(0).weight == 6.0);
  CHECK_THROWS_AS(InputError, tree.forget(std::vector{0.0, 0.0}, 0));
}
