// What tests cost, and what they still cost once others were bought.
//
//   test       the measuring of one feature; tests and features have the same numbers
//   resource   something tests need; paid once, by the first test bought that needs it
//   group      tests with a lower price `after` another test of the same group was bought
//   basket     the tests paid so far: for one case (sequential payment) or for the whole model (upfront)
//
// The effective price of a test, given a basket:
//   1. a test in the basket costs nothing;
//   2. otherwise its own price, or its price `after` if the basket has another test of its group,
//   3. plus the price of every resource it needs that no test in the basket needs.
//
// A basket remembers its purchases in order, so going back up a path is `undo(size)`. Buying and undoing take time in
// proportion to the test's own resources, never to the number of tests or resources.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "basics/types.hpp"

namespace thriftwood {

// The price list of a table as plain arrays, one entry per test unless said otherwise.
struct PriceList {
  std::vector<double> price;
  std::vector<Index> needs_start;        // tests + 1: test t needs needs[needs_start[t]] .. needs[needs_start[t + 1] - 1]
  std::vector<Index> needs;
  std::vector<double> resource_price;    // per resource
  std::vector<Index> group;              // -1: none
  std::vector<double> after;             // NaN: none
  std::vector<std::uint8_t> delayed;
  bool upfront = false;                  // every test the model may ask is paid before anything happens
  bool charge_missing = true;            // a test that was ordered is paid even if its value is missing
};

class Prices {
 public:
  // Throws InputError naming the test unless the arrays fit together and every price is finite and not negative.
  explicit Prices(PriceList list);

  Index tests() const { return static_cast<Index>(list_.price.size()); }
  Index resources() const { return static_cast<Index>(list_.resource_price.size()); }
  Index groups() const { return groups_; }
  bool upfront() const { return list_.upfront; }

  // What a missing value means (the rule: accounting/till.hpp). Whoever charges asks one of these three.
  // Is the test known not to be had for this row, and so neither ordered nor paid? RowView: bool missing(test).
  template <class RowView>
  bool unavailable(const RowView& row, Index test) const {
    return !list_.charge_missing && row.missing(test);
  }
  // Do cases that are asked for the same tests buy the same, whichever of their values are missing?
  bool bought_alike() const { return list_.charge_missing; }
  // The weight of those who pay for a test, of the weight that is asked for it.
  double payers(double asked, double with_value) const { return list_.charge_missing ? asked : with_value; }

  bool delayed(Index test) const { return list_.delayed[at(test)] != 0; }
  Index group(Index test) const { return list_.group[at(test)]; }
  std::span<const Index> needs(Index test) const {
    const auto start = at(list_.needs_start[at(test)]);
    return {list_.needs.data() + start, at(list_.needs_start[at(test) + 1]) - start};
  }
  double resource_price(Index resource) const { return list_.resource_price[at(resource)]; }
  // Without its resources.
  double own_price(Index test, bool group_open) const {
    const double after = list_.after[at(test)];
    return group_open && !std::isnan(after) ? after : list_.price[at(test)];
  }
  // What the test costs when nothing was bought before: its own price and all its resources.
  double list_price(Index test) const;

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  PriceList list_;
  Index groups_ = 0;
};

// Amounts that differ by this share of them differ by rounding alone: 0.1 + 0.2 is within a budget of 0.3.
inline constexpr double budget_rounding = 1e-12;

inline bool within_budget(double total, double budget) { return total <= budget * (1.0 + budget_rounding); }

class Basket {
 public:
  struct Purchase {
    Index test;
    double price;
    double total;  // of the basket, this purchase included
  };

  // The prices must outlive the basket.
  explicit Basket(const Prices& prices);

  const Prices& prices() const { return *prices_; }
  bool has(Index test) const { return has_[static_cast<std::size_t>(test)] != 0; }
  // The effective price of the test now.
  double eff(Index test) const;
  // The tests that are not in the basket and would cost nothing now.
  std::vector<Index> free() const;
  // Pays for the test and returns its price; a test in the basket is not bought again.
  double buy(Index test);

  // The number of purchases: what `undo` takes to come back to this state.
  std::size_t size() const { return purchases_.size(); }
  // Forgets all purchases but the first `size`, to the last bit.
  void undo(std::size_t size);

  std::span<const Purchase> purchases() const { return purchases_; }
  double total() const { return purchases_.empty() ? 0.0 : purchases_.back().total; }

 private:
  const Prices* prices_;
  std::vector<Purchase> purchases_;
  std::vector<std::uint8_t> has_;       // per test
  std::vector<Index> resource_users_;   // per resource: how many tests of the basket need it
  std::vector<Index> group_members_;    // per group: how many tests of the basket are in it
};

}  // namespace thriftwood
