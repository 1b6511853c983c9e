// The till: what it means to buy a test for a case. Whatever walks a case through a tree, several trees or the stages of a booster tells
// the till which test is read where, and the till decides what is bought, what is ordered along, and what is free.
//
//   asked        A test is asked for when the walk of a case reads its value.
//   bought       Paid at its effective price, given what the case has in its basket (costs.hpp).
//   had          Of a test: it was bought, ordered along, found to be unavailable, or known before. To ask for it changes nothing.
//   ordered      Bought without having been read: along with a delayed test, or upfront.
//   unavailable  Known to have no value for this case, where such values are not paid for.
//   share        How much of the case asks: 1 unless a missing value spread the case over several branches.
//   entry        What a case bought of one test: its share, and what was paid for it.
//
// Rules, in the order a reader meets them:
//   asking       The bill is written by watching what the walk itself reads (tree/walk.hpp), so prediction and bill cannot disagree about
//                a path.
//   sequential   A test asked for is bought at its effective price; one that was bought before is free.
//   delayed      The answer comes too late to choose the next test. A node whose test is delayed and not had orders, at once, all
//                tests of its subtree: in pre-order, each once, its own first.
//   upfront      Every case carries all tests that the model may ask, whatever its path: those of a tree in pre-order, those of several
//                trees in the order of the columns.
//   surrogates   Tests that stand in for a missing value are no part of what is ordered at once or upfront. One that is consulted is
//                bought at that moment, alone, in the order consulted, delayed or not; its answer missing or not.
//   missing      A test whose value is missing was ordered all the same, so it is charged. With charge_missing off it is unavailable:
//                it is never ordered, costs nothing and delays nothing. A category that is unseen or has no branch here was measured,
//                and is charged.
//   fractional   A case that goes down several branches of a tree has a basket of its own in each, with the tests bought before the
//                split in all of them (`back_to`). Its cost is the mean over the branches by share, and a test bought in some
//                branches only was bought with their share.
//   one basket   Several trees, or stages, that are asked about one case share its till: a test, and a resource, is paid once, by the
//                tree that asks first. A delayed test that another tree has ordered brings nothing more along: its answer is on the
//                way. A case that is spread over branches of one of them buys what any branch asks, in full: it is one case, and the
//                next tree may ask for the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../costs.hpp"
#include "../tree/tests_below.hpp"

namespace thriftwood {

// One test in the bill of one case.
struct Bought {
  Index test;
  double share;  // of the case that bought it: 1 unless a missing value spread the case
  double cost;   // paid, weighted by share
};

// The tests that are had once a test is asked for that was not: itself, or all tests of the subtree if it is the delayed test of the node.
template <class RowView>
std::span<const Index> brought_along(const Prices& prices, const RowView& row, TestsBelow& below, Index node, const Index& test) {
  const bool delays = prices.delayed(test) && test == below.tree().node(node).feature && !prices.unavailable(row, test);
  return delays ? below.at(node) : std::span(&test, 1);
}

// Charges one case at a time. Each thread has its own; the prices must outlive it. RowView, where a row is wanted: bool missing(test).
class Till {
 public:
  explicit Till(const Prices& prices);

  const Prices& prices() const { return *prices_; }

  // A new case, which has bought nothing.
  void open();

  // The walk of the case reads `test` at a node of the tree that `below` is of: the node's own test, or a surrogate of it.
  template <class RowView>
  void ask(const RowView& row, TestsBelow& below, Index node, Index test, double share = 1.0) {
    if (!had(test)) order(row, brought_along(*prices_, row, below, node, test), share);
  }

  // Orders tests at once, in this order; not those that were had.
  template <class RowView>
  void order(const RowView& row, std::span<const Index> tests, double share = 1.0) {
    for (const Index test : tests) {
      if (had(test)) continue;
      if (prices_->unavailable(row, test))
        pass_over(test);
      else
        buy(test, share);
    }
  }

  bool has(Index test) const { return basket_.has(test); }
  bool had(Index test) const { return has(test) || (!passed_over_.empty() && passed_over(test)); }

  // A place to come back to.
  struct Mark {
    std::size_t bought, passed_over;
  };
  Mark mark() const { return {basket_.size(), passed_over_.size()}; }
  // Where a case is spread over branches: the next one begins with the basket that the case had at the split. What the branches before
  // have paid stays paid.
  void back_to(const Mark& mark);
  // Nothing of what was asked since then was asked; not for a case that was spread.
  void undo(const Mark& mark);

  // The test is had, and costs nothing: it is unavailable, or was known before.
  void pass_over(Index test);

  // What the case has paid, by share.
  double cost() const { return cost_; }
  // What the case, or the branch of it that is walked now, has bought.
  const Basket& basket() const { return basket_; }
  // What it bought, in the order of first purchase.
  std::span<const Bought> entries() const { return entries_; }

 private:
  void buy(Index test, double share) {
    const double cost = share * basket_.buy(test);
    cost_ += cost;
    if (spread_)
      add_to_entry(test, share, cost);
    else
      entries_.push_back({test, share, cost});
  }
  void add_to_entry(Index test, double share, double cost);
  bool passed_over(Index test) const { return is_passed_over_[static_cast<std::size_t>(test)] != 0; }
  void forget_passed_over(std::size_t kept);

  const Prices* prices_;
  Basket basket_;
  double cost_ = 0.0;
  std::vector<Bought> entries_;
  bool spread_ = false;  // may a test be bought once more, in another branch? Then there are also ...
  std::vector<Index> entry_of_;  // ... per test its place in entries_, -1 if it has none
  std::vector<std::uint8_t> is_passed_over_;  // per test: had, and not bought
  std::vector<Index> passed_over_;
};

}  // namespace thriftwood
