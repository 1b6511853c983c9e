#include "check.hpp"
#include "hand_made.hpp"
#include "tree/answer.hpp"
#include "tree/relabel.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

TEST_CASE("without a loss the answer is the heaviest class, the lowest of equals") {
  PlainNode tie = leaf({2, 2});
  tie.label = 1;
  Tree tree = tree_of(cut(0, 1, tie, leaf({1, 4})), {0});
  relabel(tree);
  CHECK(tree.node(1).label == 0);
  CHECK(tree.node(1).risk == 2.0);
  CHECK(tree.node(2).label == 1);
  CHECK(tree.node(2).risk == 1.0);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 3.0);
}

TEST_CASE("a dear mistake changes the answer and the risk") {
  Tree tree = tree_of(leaf({6, 2}), {0});
  const std::vector<double> loss{0, 1, 5, 0};  // missing class 1 costs 5
  relabel(tree, loss);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 6.0);
  CHECK(tree.node(0).weight == 8.0);
}

TEST_CASE("class factors scale the weights") {
  Tree tree = tree_of(leaf({6, 2}), {0});
  const std::vector<double> scale{0.5, 4.0};
  relabel(tree, {}, scale);
  CHECK(tree.value(0)[0] == 3.0);
  CHECK(tree.value(0)[1] == 8.0);
  CHECK(tree.node(0).weight == 11.0);
  CHECK(tree.node(0).label == 1);
  CHECK(tree.node(0).risk == 3.0);
}

TEST_CASE("benefits on the diagonal count, and a node without weight keeps its answer") {
  PlainNode empty = leaf({0, 0});
  empty.label = 1;
  Tree tree = tree_of(cut(0, 1, leaf({3, 1}), empty), {0});
  const std::vector<double> loss{-1, 0, 0, -10};
  relabel(tree, loss);
  CHECK(tree.node(1).label == 1);
  CHECK(tree.node(1).risk == -10.0);
  CHECK(tree.node(2).label == 1);
  CHECK(tree.node(2).risk == 0.0);
}

TEST_CASE("a loss matrix of another size or with a gap is refused") {
  Tree tree = tree_of(leaf({6, 2}), {0});
  const std::vector<double> three{0, 1, 5}, gap{0, std::nan(""), 1, 0}, negative{-1, 1};
  CHECK_THROWS_AS(InputError, relabel(tree, three));
  CHECK_THROWS_AS(InputError, relabel(tree, gap));
  CHECK_THROWS_AS(InputError, relabel(tree, {}, negative));
  CHECK_THROWS_AS(InputError, relabel(tree, {}, three));
}

TEST_CASE("smoothing adds one to each class, or m as the root is divided, and leaves counts and risks alone") {
  Tree tree = tree_of(cut(0, 1, leaf({10, 1}), leaf({0, 5})), {0});
  const std::vector<double> loss{0, 1, 6, 0};  // 10 * 1 against 1 * 6, smoothed 11 * 1 against 2 * 6
  relabel(tree, loss);
  CHECK(tree.node(1).label == 0);
  CHECK(tree.smoothing.empty());
  relabel(tree, loss, {}, Smoothing{true});
  CHECK(tree.smoothing == std::vector<double>{1, 1});
  CHECK(tree.node(1).label == 1);
  CHECK(tree.node(1).risk == 10.0);
  CHECK(tree.value(1)[0] == 10.0);
  relabel(tree, loss, {}, Smoothing{false, 8.0});
  CHECK(tree.smoothing == std::vector<double>{5, 3});
  std::vector<double> shares(2);
  each_share(tree, 2, [&](std::size_t c, double share) { shares[c] = share; });
  CHECK_NEAR(shares[0], 5.0 / 13.0, 1e-15);
  CHECK_NEAR(shares[1], 8.0 / 13.0, 1e-15);
  CHECK_THROWS_AS(InputError, relabel(tree, loss, {}, Smoothing{false, -1.0}));
}

TEST_CASE("a node without weight is all its label, or what smoothing says of nothing") {
  PlainNode empty = leaf({0, 0});
  empty.label = 1;
  Tree tree = tree_of(cut(0, 1, leaf({3, 1}), empty), {0});
  std::vector<double> shares(2, 0.0);
  const auto put = [&](std::size_t c, double share) { shares[c] = share; };
  each_share(tree, 2, put);
  CHECK(shares == std::vector<double>{0, 1});
  relabel(tree, {}, {}, Smoothing{false, 4.0});
  each_share(tree, 2, put);
  CHECK(shares == std::vector<double>{0.75, 0.25});
}

TEST_CASE("an answer that is no class is given where it costs least") {
  Tree tree = tree_of(leaf({5, 5}), {0});
  for (const auto& [price, label] : {std::pair{49.0, Index{2}}, std::pair{51.0, Index{0}}}) {
    relabel(tree, std::vector<double>{0.0, 100.0, price, 100.0, 0.0, price});
    CHECK(tree.answers() == 3);
    CHECK(tree.node(0).label == label);
    CHECK_NEAR(tree.node(0).risk, 10.0 * std::min(price, 50.0), 1e-12);
    validate(tree);
  }
  tree.node(0).label = 3;
  CHECK_THROWS_AS(InputError, validate(tree));
  CHECK_THROWS_AS(InputError, relabel(tree, std::vector<double>{0.0, 100.0, 49.0, 100.0, 0.0}));
}

TEST_CASE("an answer that there is no more does not stay at a node without cases") {
  Tree tree = tree_of(leaf({0, 0}), {0});
  tree.node(0).label = 2;
  tree.loss = {0.0, 1.0, 0.5, 1.0, 0.0, 0.5};
  validate(tree);
  relabel(tree);
  CHECK(tree.node(0).label == 0);
  validate(tree);
}
