#include "check.hpp"
#include "planting.hpp"
#include "tree/relabel.hpp"

using namespace thriftwood;
using namespace thriftwood::planting;

TEST_CASE("without a loss the answer is the heaviest class, the lowest of equals") {
  Sprout tie = leaf({2, 2});
  tie.label = 1;
  Tree tree = plant(cut(0, 1, tie, leaf({1, 4})), {0});
  relabel(tree);
  CHECK(tree.node(1).label == 0);
  CHECK(tree.node(1).risk == 2.0);
  CHECK(tree.node(2).label == 1);
  CHECK(tree.node(2).risk == 1.0);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 3.0);
}

TEST_CASE("a dear mistake changes the answer and the risk") {
  Tree tree = plant(leaf({6, 2}), {0});
  const std::vector<double> loss{0, 1, 5, 0};  // missing class 1 costs 5
  relabel(tree, loss);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 6.0);
  CHECK(tree.node(0).weight == 8.0);
}

TEST_CASE("class factors scale the weights") {
  Tree tree = plant(leaf({6, 2}), {0});
  const std::vector<double> scale{0.5, 4.0};
  relabel(tree, {}, scale);
  CHECK(tree.value(0)[0] == 3.0);
  CHECK(tree.value(0)[1] == 8.0);
  CHECK(tree.node(0).weight == 11.0);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 3.0);
}

TEST_CASE("benefits on the diagonal count, and a node without weight keeps its answer") {
  Sprout empty = leaf({0, 0});
  empty.label = 1;
  Tree tree = plant(cut(0, 1, leaf({3, 1}), empty), {0});
  const std::vector<double> loss{-1, 0, 0, -10};
  relabel(tree, loss);
  CHECK(tree.node(1).label == 1);
  CHECK(tree.node(1).risk == -10.0);
  CHECK(tree.node(2).label == 1);
  CHECK(tree.node(2).risk == 0.0);
}

TEST_CASE("a loss matrix of another size or with a gap is refused") {
  Tree tree = plant(leaf({6, 2}), {0});
  const std::vector<double> three{0, 1, 5}, gap{0, std::nan(""), 1, 0}, negative{-1, 1};
  CHECK_THROWS_AS(InputError, relabel(tree, three));
  CHECK_THROWS_AS(InputError, relabel(tree, gap));
  CHECK_THROWS_AS(InputError, relabel(tree, {}, negative));
  CHECK_THROWS_AS(InputError, relabel(tree, {}, three));
}
