#include "accounting/node_payments.hpp"

#include <map>

#include "check.hpp"
#include "plain_prices.hpp"
#include "pruning/hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

using Tests = std::vector<Index>;

// Test 0 has two categories, and a third branch for missing values. Test 1 below the first and the third; test 2 below the second, and
// below that test 0 once more, with a branch for missing values too.
Tree small_tree() {
  const auto ask_1 = [] { return cut(1, 0, leaf({1, 0}), leaf({0, 1})); };
  const auto again = nominal(0, {0, 1}, {leaf({1, 0}), leaf({0, 1}), leaf({1, 1})});
  Tree tree = tree_of(nominal(0, {0, 1}, {ask_1(), cut(2, 0, leaf({1, 0}), again), ask_1()}), {2, 0, 0});
  for (Node& node : tree.nodes)
    if (node.kind == NodeKind::Nominal) node.missing_route = 2;
  validate(tree);
  return tree;
}

// The branches of the root, and the node that asks test 0 again.
struct Places {
  Index first, second, third, again;

  explicit Places(const Tree& tree)
      : first(tree.node(0).first_child), second(first + 1), third(first + 2), again(tree.node(second).first_child + 1) {}
};

std::map<Index, Tests> tests_by_node(const NodePayments& found) {
  std::map<Index, Tests> tests;
  for (const auto& [node, bought] : found.orders) {
    tests[node] = {};
    for (const Bought& entry : bought) tests[node].push_back(entry.test);
  }
  return tests;
}

double bill(const NodePayments& found, Index node) { return found.bill[static_cast<std::size_t>(node)]; }

}  // namespace

TEST_CASE("a node pays for its test unless that was paid above") {
  const Tree tree = small_tree();
  const Places at(tree);
  const Prices prices(plain({4, 1, 2}));
  const NodePayments found = node_payments(tree, prices);
  const auto tests = tests_by_node(found);
  CHECK(tests.size() == 4 && !tests.contains(at.again));
  CHECK(tests.at(0) == Tests({0}) && tests.at(at.first) == Tests({1}) && tests.at(at.second) == Tests({2}) && tests.at(at.third) == Tests({1}));
  CHECK(bill(found, 0) == 0.0);
  CHECK(bill(found, at.third) == 4.0);  // a missing value is paid
  CHECK(bill(found, at.again) == 6.0);
  CHECK(bill(found, tree.node(at.first).first_child) == 5.0);
}

TEST_CASE("where missing values are free, the branch for them has not paid, wherever the test was ordered") {
  const Tree tree = small_tree();
  const Places at(tree);
  PriceList list = plain({4, 1, 2});
  list.charge_missing = false;
  const Prices prices(list);
  NodePayments found = node_payments(tree, prices);
  CHECK(bill(found, at.third) == 0.0);
  CHECK(bill(found, tree.node(at.third).first_child) == 1.0);
  const Index missing_again = tree.node(at.again).first_child + 2;
  CHECK(bill(found, missing_again) == 2.0);
  CHECK(bill(found, missing_again - 1) == 6.0);
  list.delayed = {1, 0, 0};
  const Prices delayed(list);
  found = node_payments(tree, delayed);
  CHECK(tests_by_node(found).at(0) == Tests({0, 1, 2}));
  CHECK(!tests_by_node(found).contains(at.second));
  CHECK(tests_by_node(found).at(at.third) == Tests({1}));
  CHECK(bill(found, at.second) == 7.0);
  CHECK(bill(found, missing_again) == 2.0);  // it has ordered nothing at the root, and test 2 by itself
}

TEST_CASE("upfront, each price stands where its test is asked first, and the bill is the same everywhere") {
  const Tree tree = small_tree();
  const Places at(tree);
  PriceList list = plain({4, 1, 2});
  list.upfront = true;
  const Prices charged(list);
  NodePayments found = node_payments(tree, charged);
  CHECK(tests_by_node(found).size() == 3 && tests_by_node(found).at(at.first) == Tests({1}));
  CHECK(bill(found, 0) == 7.0 && bill(found, at.third) == 7.0);
  list.charge_missing = false;
  const Prices prices(list);
  found = node_payments(tree, prices);
  CHECK(bill(found, at.second) == 7.0 && bill(found, at.third) == 3.0);
}
