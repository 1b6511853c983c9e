// The ledger: which tests every case buys on its way through a tree, and what it pays for them.
//
// Rules, in the order a reader meets them:
//   asking       A value that the walk reads is a test asked for. The ledger charges by watching what the walk itself reads
//                (tree/walk.hpp), so prediction and bill cannot disagree about a path.
//   sequential   A test asked for is bought at its effective price (costs.hpp); one bought before is free.
//   delayed      Its answer comes too late to choose the next test. A node whose test is delayed and not bought orders, at
//                once, all tests of its subtree: in pre-order, each once, its own first.
//   upfront      Every case carries all tests of the tree, bought in pre-order, whatever its path.
//   surrogates   Stand-ins for missing values are no part of what is ordered at once or upfront. One that is consulted is
//                bought at that moment, alone, in the order consulted, delayed or not; its answer missing or not.
//   missing      A test whose value is missing was ordered all the same, so it is charged. With charge_missing off it counts
//                as known to be unavailable: it is never ordered, costs nothing and delays nothing. A category that is unseen
//                or has no branch here was measured, and is charged.
//   fractional   A case that goes down several branches has a basket of its own in each, with the tests bought before the
//                split in all of them. Its cost is the mean over the branches by share, and a test bought in some branches
//                only was bought with their share.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "../costs.hpp"
#include "../table.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

// The tests of the subtree of a node (the features its nodes test; no surrogates), in pre-order, each once.
std::vector<Index> tests_below(const Tree& tree, Index start = 0);

// One test in the bill of one case.
struct Bought {
  Index test;
  double share;  // of the case that bought it: 1 unless a missing value spread the case
  double cost;   // paid, weighted by share
};

// Writes the bills of cases, one at a time. Each thread has its own. The tree and the prices must outlive it.
class Cashier {
 public:
  // Throws InputError unless there is a price for every feature of the tree.
  Cashier(const Tree& tree, const Prices& prices);

  // The test cost of a case; the row must be of a table that fits the tree.
  double charge(const TableRow& row);
  // What the last case bought, in order of first purchase.
  std::span<const Bought> entries() const { return entries_; }

 private:
  struct Asking;

  void walk(const TableRow& row);
  void ask(const TableRow& row, Index node, Index test, double share);
  void order_all(const TableRow& row, Index start, double share);
  void buy(Index test, double share);
  bool unavailable(const TableRow& row, Index test) const;
  std::span<const Index> ordered_at(Index node);

  const Tree& tree_;
  const Prices& prices_;
  Basket basket_;
  double cost_ = 0.0;
  std::vector<Bought> entries_;
  std::vector<Index> entry_of_;  // per test: its place in entries_, -1 if it has none
  // The tests below the nodes where some case ordered them. Not below all nodes: that takes quadratic time in a deep tree.
  std::unordered_map<Index, std::vector<Index>> below_;
};

// Case r bought entries[starts[r]] .. entries[starts[r + 1] - 1] for test_cost[r].
struct Ledger {
  std::vector<double> test_cost;
  std::vector<std::int64_t> starts;
  std::vector<Bought> entries;
};

// The bills of all rows of a table that fits the tree. n_threads <= 0: one per core; the result is the same for any number.
Ledger keep_ledger(const Tree& tree, const Prices& prices, const Table& table, int n_threads);

}  // namespace thriftwood
