// The expected cost of a tree on its training cases, tests and mistakes in one sum; and pruning by it.
//
//   test cost   of a node: what its test still costs there, for every case at the node. Paid upfront: for every case of the tree, once
//               per test. Tests count as ordered one by one, delayed or not, and for cases without a value too.
//   mistakes    of a leaf: as many as ErrorBound expects there, each at the mean cost of the leaf's own mistakes; a leaf that made none
//               takes the mean over the other classes. An answer that is no class costs each case what it costs, and nothing is expected to
//               be different. Counted in regrets: what the best answer costs a class is paid whatever is
//               answered, so no decision depends on it
//
// Esmeir & Markovitch 2008, with the errors of C4.5's pruning.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "../costs.hpp"
#include "../criteria/leaf_cost.hpp"
#include "../tree/tree.hpp"
#include "error_bound.hpp"

namespace thriftwood {

class ExpectedCost {
 public:
  // prices: null for tests that cost nothing. loss: as in basics/loss.hpp, of so many classes.
  ExpectedCost(const Prices* prices, std::span<const double> loss, std::size_t classes, double cf, ZRule z = ZRule::Table)
      : prices_(prices), regret_(regrets(loss, classes)), bound_(cf, z) {}

  // What the mistakes are expected to cost among cases of these class weights if all get the cheapest answer, or this one. In regrets, as
  // everything below.
  double mistakes(std::span<const double> weights) const;
  double mistakes(std::span<const double> weights, Index answer) const;
  // The same for the cases that end at the node: at an inner node, those whose value is missing if that stops them.
  double mistakes_at(const Tree& tree, Index node) const;
  // The expected cost of a tree, tests and mistakes, for whose cases the tests in the basket are paid. `everybody` is the weight that pays upfront. The basket is empty if there
  // are no prices; it comes back as it was.
  double of(const Tree& tree, std::optional<Basket>& basket, double everybody) const;

 private:
  const Prices* prices_;
  std::vector<double> regret_;
  ErrorBound bound_;
};

// The expected cost of a whole tree, in costs, not regrets. Throws InputError unless it has classes, and prices and losses fit it.
double expected_cost(const Tree& tree, const Prices* prices, std::span<const double> loss, double cf, ZRule z = ZRule::Table);

// From the last node to the first: a node becomes a leaf if that is not dearer. Paid upfront, a test is saved if nothing else asks it.
Tree prune_expected_cost(const Tree& tree, const Prices* prices, std::span<const double> loss, double cf, ZRule z = ZRule::Table);

}  // namespace thriftwood
