// The ledger of a tree.
#pragma once

#include <vector>

#include "../table.hpp"
#include "../tree/packed.hpp"
#include "ledger.hpp"

namespace thriftwood {

// Throws InputError unless there is a price for every feature of the tree.
void require_prices(const Tree& tree, const Prices& prices);

// Writes the bills of cases, one at a time. Each thread has its own. The tree and the prices must outlive it.
//
// Where nothing is missing on its way, what a case buys depends on its leaf alone. Such bills are written once and kept; the way itself is
// walked all the same.
class TreeBiller {
 public:
  // Throws InputError unless there is a price for every feature of the tree.
  TreeBiller(const Tree& tree, const Prices& prices);

  // The bill of a case; the row must be of a table that fits the tree. `leaf`: where it ends if nothing on its way is missing, where
  // that is known.
  RowBill bill(const TableRow& row, Index leaf = unwalked);

 private:
  struct Asking;
  struct Stop {
    Index node;
    double share;
    Till::Mark mark;
  };

  Index follow(const TableRow& row);
  void walk(const TableRow& row, Index start);
  const RowBill* kept(Index node) const;
  RowBill keep(Index node);

  const Tree& tree_;
  Till till_;
  TestsBelow below_;
  bool carries_all_;     // does every case buy the tests of the whole tree, and no other?
  bool by_leaf_ = true;  // does what is bought depend on the leaf alone, where nothing is missing on the way?
  std::vector<Index> path_;
  std::vector<Stop> open_;
  std::vector<Index> place_of_;  // per node: its place in bills_, -1 if it has none
  std::vector<RowBill> bills_;
  EntryStore store_;
};

// The bills of all rows of a table that fits the tree. n_threads <= 0: one per core; the result is the same for any number.
Ledger keep_ledger(const Tree& tree, const Prices& prices, const Table& table, int n_threads);

}  // namespace thriftwood
