#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/recount.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

Column numbers(const std::vector<double>& values) {
  Column column;
  column.data = values.data();
  return column;
}

const std::vector<double> no_loss{0, 1, 1, 0};

}  // namespace

TEST_CASE("nodes count the classes of the cases that reach them and answer what costs those least") {
  const std::vector<double> x{0, 1, 2, 3};
  const Table table{4, {numbers(x)}};
  Tree tree = tree_of(cut(0, 1.5, leaf({5, 0}), leaf({0, 7})), {0});
  const std::vector<Index> labels{0, 1, 1, 1};
  const std::vector<double> costs{0, 9, 1, 0, 2, 0, 0, 3};  // the last one is of class 1, and answer 0 costs it nothing
  recount(tree, {table, labels}, costs, no_loss);
  CHECK(tree.value(1)[0] == 1.0);
  CHECK(tree.value(1)[1] == 1.0);
  CHECK(tree.value(2)[0] == 0.0);
  CHECK(tree.value(2)[1] == 2.0);
  CHECK(tree.node(1).label == 0);  // 1 against 9
  CHECK(tree.node(1).risk == 1.0);
  CHECK(tree.node(2).label == 0);  // 2 against 3, though both are of class 1
  CHECK(tree.node(2).risk == 2.0);
  CHECK(tree.node(0).label == 0);  // 3 against 12
  CHECK(tree.node(0).weight == 4.0);
  CHECK(tree.loss == no_loss);
}

TEST_CASE("votes for no answer, the last class of the tree, are left out") {
  const std::vector<double> x{0, 3};
  const Table table{2, {numbers(x)}};
  Tree tree = tree_of(cut(0, 1.5, leaf({0.5, 0, 0.5}), leaf({0, 0.2, 0.8})), {0});
  recount(tree, {table, std::vector<Index>{0, 1}}, std::vector<double>{0, 5, 2, 0}, no_loss);
  CHECK(tree.width == 2);
  CHECK(tree.values == std::vector<double>{1, 1, 1, 0, 0, 1});
  CHECK(tree.node(1).label == 0);
  CHECK(tree.node(2).label == 1);
}

TEST_CASE("weights count, and gains stay what they were in all") {
  const std::vector<double> x{0, 3};
  const Table table{2, {numbers(x)}};
  Tree tree = tree_of(cut(0, 1.5, leaf({5, 0}), leaf({0, 7})), {0});
  tree.node(0).gain = 0.5;
  const double before = tree.node(0).gain * tree.node(0).weight;
  const std::vector<Index> labels{0, 1};
  const std::vector<double> costs{0, 1, 1, 0}, weights{2, 0.5};
  recount(tree, {table, labels, weights}, costs, no_loss);
  CHECK(tree.node(0).weight == 2.5);
  CHECK(std::abs(tree.node(0).gain * tree.node(0).weight - before) < 1e-12);
}

TEST_CASE("a missing value counts in parts, and a node nobody reaches answers as its parent does") {
  const std::vector<double> x{0, 0, 0, 3, std::nan("")};
  const Table table{5, {numbers(x)}};
  Tree tree = tree_of(cut(0, 1.5, leaf({5, 0}), cut(0, 9.0, leaf({0, 7}), leaf({1, 0}))), {0});
  const std::vector<Index> labels{0, 0, 0, 1, 1};
  const std::vector<double> costs{0, 1, 0, 1, 0, 1, 1, 0, 4, 0};
  recount(tree, {table, labels}, costs, no_loss);
  CHECK(tree.value(1)[1] == 0.75);
  CHECK(tree.value(2)[1] == 1.25);
  CHECK(tree.node(2).label == 1);
  const Index empty = tree.node(2).first_child + 1;
  CHECK(tree.node(empty).weight == 0.0);
  CHECK(tree.node(empty).label == 1);
}

TEST_CASE("weight that smoothing adds to a class counts at the mean costs of the class") {
  const std::vector<double> x{0, 0, 0, 0};
  const Table table{4, {numbers(x)}};
  const std::vector<Index> labels{0, 0, 0, 1};
  const std::vector<double> costs{0, 1, 0, 1, 0, 1, 2.5, 0}, means{0, 1, 2.5, 0};
  Tree tree = tree_of(leaf({3, 1}), {0});
  recount(tree, {table, labels}, costs, means);
  CHECK(tree.node(0).label == 0);  // 2.5 against 3
  recount(tree, {table, labels}, costs, means, Smoothing{true, 0.0});
  CHECK(tree.node(0).label == 1);  // 5 against 4
  CHECK(tree.node(0).risk == 3.0);  // what was added costs nothing in truth
}

TEST_CASE("costs of another size, or not finite, are refused") {
  const std::vector<double> x{0, 1};
  const Table table{2, {numbers(x)}};
  Tree tree = tree_of(leaf({1, 1}), {0});
  const std::vector<Index> labels{0, 1}, wrong{0, 2};
  const std::vector<double> costs{0, 1, 1, 0}, few{0, 1}, gap{0, 1, std::nan(""), 0};
  CHECK_THROWS_AS(InputError, recount(tree, {table, labels}, few, no_loss));
  CHECK_THROWS_AS(InputError, recount(tree, {table, labels}, gap, no_loss));
  CHECK_THROWS_AS(InputError, recount(tree, {table, labels}, costs, few));
  CHECK_THROWS_AS(InputError, recount(tree, {table, wrong}, costs, no_loss));
}
