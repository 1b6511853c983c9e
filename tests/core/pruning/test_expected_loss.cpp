#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/expected_loss.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {
const std::vector<double> dear{0, 1, 5, 0};  // missing class 1 costs 5
const Smoothing laplace{true};
}  // namespace

TEST_CASE("a leaf that is expected to lose 5.6 does not replace branches that lose 5.333333") {
  const Tree tree = tree_of(cut(0, 1, leaf({4, 0}), leaf({2, 2})), {0});
  CHECK(prune_expected_loss(tree, dear, laplace).leaves() == 2);
  CHECK(prune_expected_loss(tree, {}, laplace).leaves() == 1);  // 2.4 against 0.666667 + 2
}

TEST_CASE("of equals the leaf stays, and without smoothing only training losses count") {
  const Tree same = tree_of(cut(0, 1, leaf({4, 2}), leaf({4, 2})), {0});
  CHECK(prune_expected_loss(same, dear).leaves() == 1);
  const Tree saves = tree_of(cut(0, 1, leaf({5, 0}), leaf({4, 1})), {0});
  CHECK(prune_expected_loss(saves, dear).leaves() == 2);  // 4 against 5
  CHECK(prune_expected_loss(saves).leaves() == 1);        // 1 mistake either way
}

TEST_CASE("branches are cut before the node above them is looked at") {
  const Tree tree = tree_of(cut(0, 2, cut(0, 1, leaf({3, 0}), leaf({3, 0})), leaf({0, 9})), {0});
  const Tree pruned = prune_expected_loss(tree, {}, laplace);
  CHECK(pruned.leaves() == 2);
  CHECK(pruned.node(1).weight == 6.0);
}

TEST_CASE("what every answer costs a class alike decides nothing") {
  const Tree tree = tree_of(cut(0, 1, leaf({4, 0}), leaf({2, 2})), {0});
  for (double more : {-3.0, 10.0, 100.0}) {
    const std::vector<double> shifted{0, 1, 5 + more, more};
    CHECK(prune_expected_loss(tree, shifted, laplace).leaves() == 2);
  }
}

TEST_CASE("a loss matrix of another size is refused") {
  const std::vector<double> three{0, 1, 5};
  CHECK_THROWS_AS(InputError, prune_expected_loss(tree_of(leaf({6, 2}), {0}), three));
}
