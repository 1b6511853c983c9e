#include <cmath>
#include <utility>

#include "check.hpp"
#include "small_trees.hpp"
#include "tree/walk.hpp"

using namespace thriftwood;

namespace {

struct Values {
  std::vector<double> numbers;
  double number(Index feature) const { return numbers[static_cast<std::size_t>(feature)]; }
  Index code(Index feature) const { return static_cast<Index>(number(feature)); }
};

using Endings = std::vector<std::pair<Index, double>>;

Endings endings(const Tree& tree, std::vector<double> numbers) {
  Endings result;
  walk(tree, Values{std::move(numbers)}, [&](Index node, double share) { result.emplace_back(node, share); });
  return result;
}

const double missing = std::nan("");

}  // namespace

TEST_CASE("a number equal to the threshold goes left") {
  CHECK((endings(two_thresholds(), {1.5, 0}) == Endings{{1, 1.0}}));
  CHECK((endings(two_thresholds(), {1.6, -2}) == Endings{{3, 1.0}}));
  CHECK((endings(two_thresholds(), {infinity, infinity}) == Endings{{4, 1.0}}));
}

TEST_CASE("a missing value spreads by training weight") {
  CHECK((endings(two_thresholds(), {missing, missing}) == Endings{{1, 3.0 / 8}, {3, 5.0 / 8 * (4.0 / 5)}, {4, 5.0 / 8 * (1.0 / 5)}}));
}

TEST_CASE("without weights a missing value spreads evenly") {
  Tree tree = two_thresholds();
  for (Node& node : tree.nodes) node.weight = 0.0;
  CHECK((endings(tree, {missing, 0}) == Endings{{1, 0.5}, {4, 0.5}}));
}

TEST_CASE("a route sends missing values down one branch, or stops") {
  Tree tree = two_thresholds();
  tree.node(0).missing_route = 1;
  tree.node(2).missing_route = route_stop;
  CHECK((endings(tree, {missing, missing}) == Endings{{2, 1.0}}));
}

TEST_CASE("unseen categories and categories without a branch have their own routes") {
  Tree tree = colours();
  tree.node(0).unseen_route = route_stop;
  tree.node(0).missing_route = 1;
  CHECK((endings(tree, {0, 0}) == Endings{{1, 1.0}}));
  CHECK((endings(tree, {2, 0}) == Endings{{2, 1.0}}));  // no branch: missing
  CHECK((endings(tree, {missing_code, 0}) == Endings{{2, 1.0}}));
  CHECK((endings(tree, {unseen_code, 0}) == Endings{{0, 1.0}}));
  CHECK((endings(tree, {3, 0}) == Endings{{0, 1.0}}));  // a code beyond the tree's
}

TEST_CASE("surrogates decide in order, flipped ones the other way") {
  Tree tree = colours();
  Surrogate surrogate;
  surrogate.feature = 1;
  surrogate.threshold = 0.5;
  surrogate.flipped = true;
  tree.surrogates = {surrogate};
  tree.node(0).n_surrogates = 1;
  CHECK((endings(tree, {missing_code, 0.5}) == Endings{{2, 1.0}}));
  CHECK((endings(tree, {missing_code, 0.6}) == Endings{{1, 1.0}}));
  CHECK((endings(tree, {0, 0.0}) == Endings{{1, 1.0}}));
  CHECK((endings(tree, {missing_code, missing}) == Endings{{1, 0.25}, {2, 0.75}}));
}
