#include <cmath>
#include <numeric>
#include <random>

#include "accounting/tree_ledger.hpp"
#include "check.hpp"
#include "plain_prices.hpp"
#include "pruning/hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

PriceList golf_prices() { return plain({4, 1, 2, 0.5}); }

std::vector<Index> tests_of(const Ledger& ledger, std::size_t row) {
  std::vector<Index> tests;
  for (auto e = ledger.starts[row]; e < ledger.starts[row + 1]; ++e) tests.push_back(ledger.entries[static_cast<std::size_t>(e)].test);
  return tests;
}

double total(const Ledger& ledger) { return std::accumulate(ledger.test_cost.begin(), ledger.test_cost.end(), 0.0); }

Ledger golf_ledger(const PriceList& list, bool missing = false, const Tree& tree = golf_tree()) {
  const HandTable made = golf(missing);
  return keep_ledger(tree, Prices(list), made.table, 1);
}

// alpha (0) above 0: delta (2), and below it epsilon (3); else beta (1). Delta and epsilon are delayed and share a group.
Tree delays_tree() {
  return tree_of(cut(0, 0, cut(1, 0, leaf({1, 0}), leaf({0, 1})), cut(2, 0, leaf({1, 0}), cut(3, 0, leaf({1, 0}), leaf({0, 1})))), {0, 0, 0, 0});
}

PriceList delays_prices() {
  PriceList list = plain({5, 10, 7, 10});
  list.group = {-1, -1, 0, 0};
  list.after = {none, none, 5, 8};
  list.delayed = {0, 0, 1, 1};
  return list;
}

}  // namespace

TEST_CASE("the golf tree costs 4.892857 a case in sequence and 6.5 upfront") {
  const Ledger ledger = golf_ledger(golf_prices());
  CHECK_NEAR(total(ledger) / 14, 4.892857, 5e-7);
  CHECK(tests_of(ledger, 0) == std::vector<Index>({0, 2}));
  CHECK(tests_of(ledger, 2) == std::vector<Index>({0}));
  CHECK(tests_of(ledger, 3) == std::vector<Index>({0, 3}));
  PriceList upfront = golf_prices();
  upfront.upfront = true;
  const Ledger forensic = golf_ledger(upfront);
  for (double cost : forensic.test_cost) CHECK(cost == 6.5);
  CHECK(tests_of(forensic, 2) == std::vector<Index>({0, 2, 3}));
  CHECK(tests_below(golf_tree()) == std::vector<Index>({0, 2, 3}));
}

TEST_CASE("a delayed test orders its whole subtree, with the group's discount") {
  HandTable made;
  made.numeric({1, 1, -1});
  made.numeric({0, 0, 0});
  made.numeric({1, -1, 1});
  made.numeric({1, 1, 1});
  const Ledger ledger = keep_ledger(delays_tree(), Prices(delays_prices()), made.table, 1);
  CHECK(ledger.test_cost[0] == 5.0 + (7.0 + 8.0));  // and 50 for the wrong class make 70
  CHECK(ledger.test_cost[1] == 5.0 + (7.0 + 8.0));  // epsilon was ordered, though never read
  CHECK(ledger.test_cost[2] == 5.0 + 10.0);
  CHECK(tests_of(ledger, 0) == std::vector<Index>({0, 2, 3}));
}

TEST_CASE("all tests delayed cost every case the set of tests in the tree") {
  PriceList list = golf_prices();
  list.delayed.assign(4, 1);
  for (double cost : golf_ledger(list).test_cost) CHECK(cost == 6.5);
}

TEST_CASE("a missing value is charged, and the branches are paid by share") {
  const Ledger ledger = golf_ledger(golf_prices(), true);
  // Outlook missing in row 12: 5 of 14 go on to humidity, 5 to windy.
  CHECK_NEAR(ledger.test_cost[11], 4 + 5.0 / 14 * 2 + 5.0 / 14 * 0.5, 1e-12);
  CHECK(tests_of(ledger, 11) == std::vector<Index>({0, 2, 3}));
  const Bought& humidity = ledger.entries[static_cast<std::size_t>(ledger.starts[11]) + 1];
  CHECK_NEAR(humidity.share, 5.0 / 14, 1e-15);
  CHECK_NEAR(humidity.cost, 10.0 / 14, 1e-15);
}

TEST_CASE("a value known to be unavailable is not ordered, and delays nothing") {
  PriceList list = golf_prices();
  list.charge_missing = false;
  CHECK_NEAR(golf_ledger(list, true).test_cost[11], 5.0 / 14 * 2 + 5.0 / 14 * 0.5, 1e-12);
  list.delayed[0] = 1;
  const Ledger delayed = golf_ledger(list, true);
  CHECK_NEAR(delayed.test_cost[11], 5.0 / 14 * 2 + 5.0 / 14 * 0.5, 1e-12);
  CHECK(delayed.test_cost[0] == 6.5);
  list.upfront = true;
  const Ledger upfront = golf_ledger(list, true);
  CHECK(upfront.test_cost[11] == 2.5);
  CHECK(upfront.test_cost[0] == 6.5);
}

TEST_CASE("each branch of a spread case has a basket of its own") {
  // Feature 0 is missing; both branches ask feature 1, one then feature 2, all of one group.
  const Tree tree =
      tree_of(cut(0, 0, cut(1, 0, leaf({1, 0}), leaf({1, 0})), cut(2, 0, leaf({1, 0}), cut(1, 0, leaf({0, 1}), leaf({0, 2})))), {0, 0, 0});
  PriceList list = plain({1, 10, 6});
  list.group = {-1, 0, 0};
  list.after = {none, 4, 2};
  HandTable made;
  made.numeric({none});
  made.numeric({1});
  made.numeric({1});
  const Ledger ledger = keep_ledger(tree, Prices(list), made.table, 1);
  // Shares 2/6 and 4/6: the first pays 10; the second 6 and then 4, for the group was opened there.
  CHECK_NEAR(ledger.test_cost[0], 1 + 2.0 / 6 * 10 + 4.0 / 6 * (6 + 4), 1e-12);
  CHECK(tests_of(ledger, 0) == std::vector<Index>({0, 1, 2}));
  CHECK_NEAR(ledger.entries[1].share, 1.0, 1e-15);
  CHECK_NEAR(ledger.entries[1].cost, 2.0 / 6 * 10 + 4.0 / 6 * 4, 1e-12);
}

TEST_CASE("a surrogate is bought when it is consulted, alone, and is part of no order") {
  // Feature 0, with feature 1 and then 2 standing in; above it, feature 3.
  Tree tree = tree_of(cut(0, 0, leaf({1, 0}), cut(3, 0, leaf({0, 1}), leaf({0, 1}))), {0, 0, 0, 0});
  for (Index f : {1, 2}) {
    Surrogate surrogate;
    surrogate.feature = f;
    tree.surrogates.push_back(surrogate);
  }
  tree.node(0).n_surrogates = 2;
  validate(tree);
  HandTable made;
  made.numeric({1, none, none, none});
  made.numeric({1, 1, none, -1});
  made.numeric({1, 1, 1, 1});
  made.numeric({1, 1, 1, 1});
  PriceList list = plain({1, 10, 100, 1000});
  auto costs = [&] { return keep_ledger(tree, Prices(list), made.table, 1).test_cost; };
  CHECK(costs() == std::vector<double>({1001, 1011, 1111, 11}));
  CHECK(tests_below(tree) == std::vector<Index>({0, 3}));
  list.delayed[1] = 1;
  CHECK(costs() == std::vector<double>({1001, 1011, 1111, 11}));
  list.delayed[0] = 1;
  CHECK(costs() == std::vector<double>({1001, 1011, 1111, 1011}));
  list.charge_missing = false;
  CHECK(costs() == std::vector<double>({1001, 1010, 1100, 10}));
  list.charge_missing = true;
  list.upfront = true;
  CHECK(costs() == std::vector<double>({1001, 1011, 1111, 1011}));
}

TEST_CASE("an unseen category was measured, so it is charged whatever charge_missing says") {
  HandTable made;
  made.nominal({unseen_code, missing_code}, 3);
  made.numeric({1, 1});
  made.numeric({1, 1});
  made.nominal({0, 0}, 2);
  PriceList list = golf_prices();
  list.charge_missing = false;
  const Ledger ledger = keep_ledger(golf_tree(), Prices(list), made.table, 1);
  CHECK_NEAR(ledger.test_cost[0] - ledger.test_cost[1], 4.0, 1e-12);
}

TEST_CASE("many threads write the same ledger") {
  std::mt19937 random(7);
  HandTable made;
  auto draw = [&](Index values) {
    std::vector<Index> codes(5000);
    for (Index& code : codes) code = static_cast<Index>(random() % static_cast<unsigned>(values + 2)) - 2;
    return codes;
  };
  made.nominal(draw(3), 3);
  made.numeric(std::vector<double>(5000, 70.0));
  std::vector<double> humidity(5000);
  for (double& h : humidity) h = random() % 5 == 0 ? none : 60.0 + static_cast<double>(random() % 30);
  made.numeric(humidity);
  made.nominal(draw(2), 2);
  const Prices prices(golf_prices());
  const Tree tree = golf_tree();
  const Ledger one = keep_ledger(tree, prices, made.table, 1);
  const Ledger three = keep_ledger(tree, prices, made.table, 3);
  CHECK(one.test_cost == three.test_cost);
  CHECK(one.starts == three.starts);
  CHECK(one.entries.size() == three.entries.size());
  bool same = true;
  for (std::size_t e = 0; e < one.entries.size(); ++e)
    same = same && one.entries[e].test == three.entries[e].test && one.entries[e].share == three.entries[e].share &&
           one.entries[e].cost == three.entries[e].cost;
  CHECK(same);
}

TEST_CASE("prices of another table are refused, even for no rows") {
  const HandTable made = golf();
  CHECK_THROWS_AS(InputError, keep_ledger(golf_tree(), Prices(plain({1, 2})), made.table, 1));
  CHECK_THROWS_AS(InputError, keep_ledger(golf_tree(), Prices(plain({1, 2})), Table{}, 1));
}

TEST_CASE("a case without a test pays nothing") {
  const HandTable made = golf();
  const Ledger ledger = keep_ledger(tree_of(leaf({9, 5}), golf_features()), Prices(golf_prices()), made.table, 1);
  CHECK(total(ledger) == 0.0);
  CHECK(ledger.entries.empty());
}
