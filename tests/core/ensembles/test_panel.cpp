#include "ensembles/panel.hpp"

#include "check.hpp"
#include "ensembles/panel_ledger.hpp"
#include "plain_prices.hpp"
#include "pruning/hand_made.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

// Answers class 1 where the feature is above 0.
Predictor stump(Index feature, std::vector<Index> feature_values = {0, 0, 0}) {
  return Predictor(tree_of(cut(feature, 0, leaf({3, 1}), leaf({1, 3})), std::move(feature_values)));
}

// Two FFT features at 12, and at 0.2 after the first; a third feature at 3.
PriceList transform() {
  PriceList list = plain({12, 12, 3});
  list.group = {0, 0, -1};
  list.after = {0.2, 0.2, none};
  return list;
}

struct Cases {
  std::vector<std::vector<double>> columns;
  Table table;

  explicit Cases(std::vector<std::vector<double>> given) : columns(std::move(given)) {
    table.rows = columns.front().size();
    for (const auto& column : columns) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
  }
};

Panel unit_votes(const Predictor& tree, std::size_t n, bool tie_ends) {
  return Panel(std::vector<const Predictor*>(n, &tree), Vote{std::vector<double>(n, 1.0), false, true, tie_ends});
}

std::size_t votes_needed(const Panel& panel, std::size_t leader) {
  std::vector<double> cast(2, 0.0);
  for (std::size_t done = 1; done <= panel.members().size(); ++done) {
    cast[leader] += 1.0;
    if (panel.decided(cast, done)) return done;
  }
  return 0;
}

}  // namespace

TEST_CASE("three equal votes of five decide, and six of ten; five of ten if a tie is the leader's") {
  const Predictor tree = stump(0);
  CHECK(votes_needed(unit_votes(tree, 5, false), 1) == 3);
  CHECK(votes_needed(unit_votes(tree, 10, false), 0) == 6);
  CHECK(votes_needed(unit_votes(tree, 10, true), 0) == 5);
  CHECK(votes_needed(unit_votes(tree, 10, true), 1) == 6);
}

TEST_CASE("what one member had is free for the next: 12 + 3 + 0.2 = 15.2, and 12 + 3 twice without sharing") {
  const std::vector<Index> none_nominal{0, 0, 0};
  const auto both = [&](Index fft) {
    return Predictor(tree_of(cut(fft, 0, cut(2, 0, leaf({3, 1}), leaf({1, 3})), cut(2, 0, leaf({1, 3}), leaf({3, 1}))), none_nominal));
  };
  const Predictor a = both(0), b = both(1);
  const Panel panel({&a, &b}, Vote{{1.0, 1.0}, false, false, false});
  const Cases cases({{1, -1}, {1, -1}, {1, 1}});
  const PanelLedger kept = keep_ledger(panel, Prices(transform()), cases.table, 1);
  for (std::size_t row = 0; row < 2; ++row) {
    CHECK_NEAR(kept.ledger.test_cost[row], 15.2, 1e-12);
    CHECK_NEAR(kept.apart[row], 30.0, 1e-12);
    CHECK(kept.answers.n_consulted[row] == 2);
  }
  CHECK(kept.ledger.entries[1].test == 2);
  CHECK(panel.tests() == std::vector<Index>({0, 1, 2}));
  const PanelLedger again = keep_ledger(panel, Prices(transform()), cases.table, 2);
  CHECK(again.ledger.test_cost == kept.ledger.test_cost);
}

TEST_CASE("a chair asks only whom it comes to") {
  const Predictor first = stump(0), second = stump(1), never = stump(2);
  // If the first says 1, the second decides.
  const Predictor chair(tree_of(nominal(0, {0, 1}, {leaf({4, 0}), multiway(1, {leaf({2, 0}), leaf({0, 2})})}), {2, 2, 2}));
  const Panel panel({&first, &second, &never}, StackedTree{&chair, {0, 1, 2}, {-1, -1, -1}});
  const Cases cases({{-1, 1, 1}, {1, -1, 1}, {1, 1, 1}});
  const Answers found = answer(panel, cases.table, 1);
  CHECK(found.answer == std::vector<Index>({0, 0, 1}));
  CHECK(found.n_consulted == std::vector<Index>({1, 2, 2}));
  const PanelLedger kept = keep_ledger(panel, Prices(transform()), cases.table, 1);
  CHECK_NEAR(kept.ledger.test_cost[0], 12.0, 1e-12);
  CHECK_NEAR(kept.ledger.test_cost[1], 12.2, 1e-12);
  CHECK(panel.may_be_consulted() == std::vector<Index>({0, 1}));
  // The same chair, told the share of class 1: 3/4 above the cut, 1/4 below it.
  const Predictor by_share(tree_of(cut(0, 0.5, leaf({4, 0}), leaf({0, 2})), {0}));
  const Panel told({&first, &second}, StackedTree{&by_share, {1}, {1}});
  CHECK(answer(told, cases.table, 1).answer == std::vector<Index>({1, 0, 1}));
  CHECK(told.tests() == std::vector<Index>({1}));
}

TEST_CASE("what does not go together is no panel") {
  const Predictor tree = stump(0), other = stump(0, {0, 0});
  CHECK_THROWS_AS(InputError, Panel({}, Vote{}));
  CHECK_THROWS_AS(InputError, Panel({&tree, &other}, Vote{{1.0, 1.0}, false, false, false}));
  CHECK_THROWS_AS(InputError, Panel({&tree}, Vote{{1.0, 1.0}, false, false, false}));
  CHECK_THROWS_AS(InputError, Panel({&tree}, Vote{{0.0}, false, false, false}));
  CHECK_THROWS_AS(InputError, Panel({&tree}, StackedTree{&tree, {0, 0, 0}, {-1, -1, -1}}));
  CHECK_THROWS_AS(InputError, Panel({&tree}, StackedTree{&tree, {0, 0, 1}, {0, 0, 0}}));
  CHECK_THROWS_AS(InputError, Panel({&tree}, StackedTree{&tree, {0, 0, 0}, {0, 0, 2}}));
  const Cases two_columns({{1}, {1}});
  const Panel panel({&tree}, Vote{{1.0}, false, false, false});
  CHECK_THROWS_AS(InputError, answer(panel, two_columns.table, 1));
}
