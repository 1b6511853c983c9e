#include <cmath>
#include <functional>
#include <limits>

#include "check.hpp"
#include "small_trees.hpp"
#include "tree/tree.hpp"

using namespace thriftwood;

namespace {

bool valid_after(Tree tree, const std::function<void(Tree&)>& edit) {
  edit(tree);
  try {
    validate(tree);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

Tree with_surrogate() {
  Tree tree = two_thresholds();
  tree.surrogates.resize(1);
  tree.surrogates[0].feature = 1;
  tree.node(0).n_surrogates = 1;
  return tree;
}

}  // namespace

TEST_CASE("a tree knows its size") {
  const Tree tree = two_thresholds();
  CHECK(tree.size() == 5);
  CHECK(tree.leaves() == 3);
  CHECK(tree.depth() == 2);
  CHECK(tree.value(3)[1] == 4.0);
}

TEST_CASE("sound trees are valid") {
  CHECK(valid_after(two_thresholds(), [](Tree&) {}));
  CHECK(valid_after(colours(), [](Tree&) {}));
  CHECK(valid_after(with_surrogate(), [](Tree&) {}));
  CHECK(valid_after(two_thresholds(), [](Tree& t) { t.node(0).missing_route = route_stop; }));
}

TEST_CASE("an index out of range is found") {
  const Index far = std::numeric_limits<Index>::max();
  for (const Index bad : {-2, 5, far}) {
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(0).feature = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(0).first_child = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(0).n_children = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(1).label = bad; }));
    CHECK(!valid_after(with_surrogate(), [=](Tree& t) { t.node(0).n_surrogates = bad; }));
    CHECK(!valid_after(with_surrogate(), [=](Tree& t) { t.node(0).first_surrogate = bad; }));
    CHECK(!valid_after(with_surrogate(), [=](Tree& t) { t.surrogates[0].feature = bad; }));
    CHECK(!valid_after(colours(), [=](Tree& t) { t.node(0).map_offset = bad; }));
    CHECK(!valid_after(colours(), [=](Tree& t) { t.branch_map[1] = bad; }));
  }
  for (const Index bad : {-3, 2, far}) {
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(0).missing_route = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(2).unseen_route = bad; }));
  }
}

TEST_CASE("a number that is not finite is found") {
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(0).threshold = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(4).weight = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.node(4).risk = bad; }));
    CHECK(!valid_after(two_thresholds(), [=](Tree& t) { t.values[3] = bad; }));
    CHECK(!valid_after(with_surrogate(), [=](Tree& t) { t.surrogates[0].threshold = bad; }));
  }
}

TEST_CASE("shapes that are no tree are found") {
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.node(2).first_child = 1; }));  // a child before its parent
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.node(0).first_child = 3; }));  // two parents, and no parent
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.values.pop_back(); }));
  CHECK(valid_after(two_thresholds(), [](Tree& t) { t.regression = true; }));  // a stage: a step for every class
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.width = 0; }));
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.node(0).kind = static_cast<NodeKind>(7); }));
  CHECK(!valid_after(two_thresholds(), [](Tree& t) { t.node(0).kind = NodeKind::Nominal; }));
  CHECK(!valid_after(colours(), [](Tree& t) { t.node(0).kind = NodeKind::Threshold; }));
  CHECK(!valid_after(colours(), [](Tree& t) { t.feature_values[0] = 4; }));
  CHECK(!valid_after(Tree{}, [](Tree&) {}));
}

TEST_CASE("compact drops what is below a leaf and nothing else") {
  Tree tree = two_thresholds();
  make_leaf(tree.node(2));
  const Tree small = compact(tree);
  validate(small);
  CHECK(small.size() == 3);
  CHECK(small.depth() == 1);
  CHECK(small.node(0).threshold == 1.5);
  CHECK(small.node(2).weight == 5.0);
  CHECK(small.node(2).leaf());
}

TEST_CASE("compact renumbers maps and surrogates") {
  // The maps and surrogates of the first subtree go away with it; those of the second move to the front.
  Tree tree = classes_tree(
      {threshold_test(1, 0.0, 1, 6), nominal_test(0, 0, 3, 2, 3), nominal_test(0, 3, 5, 2, 3), leaf(0, 1), leaf(1, 2), leaf(1, 1), leaf(0, 2)},
      {3, 0});
  tree.branch_map = {0, 1, 1, 1, 0, -1};
  tree.surrogates.resize(2);
  for (Index i : {0, 1}) {
    tree.surrogates[static_cast<std::size_t>(i)].feature = 1;
    tree.surrogates[static_cast<std::size_t>(i)].threshold = 10.0 + i;
    tree.node(1 + i).first_surrogate = i;
    tree.node(1 + i).n_surrogates = 1;
  }
  validate(tree);
  make_leaf(tree.node(1));
  const Tree small = compact(tree);
  validate(small);
  CHECK(small.size() == 5);
  CHECK((small.branch_map == std::vector<Index>{1, 0, -1}));
  CHECK(small.surrogates.size() == 1);
  CHECK(small.surrogates[0].threshold == 11.0);
  CHECK(small.node(small.node(2).first_child).label == 1);
}
