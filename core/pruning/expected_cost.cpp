#include "expected_cost.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../tree/answer.hpp"
#include "../tree/tests_below.hpp"
#include "cases.hpp"

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Calls visit(node, price of its test) in pre-order; leaves have the price 0. Not recursive: a tree from a file may be deeper than any stack.
template <class Visit>
void walk_paying(const Tree& tree, std::optional<Basket>& basket, bool upfront, Visit&& visit) {
  const std::size_t before = basket ? basket->size() : 0;
  std::vector<std::pair<Index, std::size_t>> open{{0, before}};  // nodes, with what is paid above them
  while (!open.empty()) {
    const auto [i, paid] = open.back();
    open.pop_back();
    const Node& node = tree.node(i);
    if (basket && !upfront) basket->undo(paid);
    visit(i, basket && !node.leaf() ? basket->buy(node.feature) : 0.0);
    for (Index b = node.n_children - 1; b >= 0; --b) open.emplace_back(node.first_child + b, basket ? basket->size() : 0);
  }
  if (basket) basket->undo(before);
}

std::optional<Basket> empty_basket(const Prices* prices) { return prices != nullptr ? std::optional<Basket>(*prices) : std::nullopt; }

void check(const Tree& tree, const Prices* prices, std::span<const double> loss, double cf) {
  require_classes(tree, "The expected cost");
  if (prices != nullptr && at(prices->tests()) != tree.feature_values.size())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the tree " + std::to_string(tree.feature_values.size()) +
                     " features.");
  check_loss(loss, at(tree.width));
  if (!(cf > 0.0 && cf <= 1.0)) throw InputError("cf must be above 0 and at most 1; got " + std::to_string(cf) + ".");
}

// What the tests of a tree that is being pruned cost, bought in the order of the whole tree.
class UpfrontTests {
 public:
  UpfrontTests(const Tree& tree, const Prices* prices)
      : order_(tests_below(tree)), users_(tree.feature_values.size(), 0), basket_(empty_basket(prices)) {
    for (const Node& node : tree.nodes)
      if (!node.leaf()) ++users_[at(node.feature)];
  }

  // What the tests of the subtree cost beyond those that others ask too.
  double saved_without(const Tree& tree, Index i) {
    const double with = price();
    add_users(tree, i, -1);
    const double without = price();
    add_users(tree, i, 1);
    return with - without;
  }
  void drop(const Tree& tree, Index i) { add_users(tree, i, -1); }

 private:
  double price() {
    if (!basket_) return 0.0;
    basket_->undo(0);
    for (Index test : order_)
      if (users_[at(test)] > 0) basket_->buy(test);
    return basket_->total();
  }
  void add_users(const Tree& tree, Index start, int change) {
    std::vector<Index> open{start};
    while (!open.empty()) {
      const Node& node = tree.node(open.back());
      open.pop_back();
      if (node.leaf()) continue;
      users_[at(node.feature)] += change;
      for (Index b = 0; b < node.n_children; ++b) open.push_back(node.first_child + b);
    }
  }

  std::vector<Index> order_;
  std::vector<Index> users_;  // per test: nodes that ask it
  std::optional<Basket> basket_;
};

}  // namespace

double ExpectedCost::mistakes(std::span<const double> weights) const { return mistakes(weights, cheapest_answer(weights, regret_)); }

double ExpectedCost::mistakes(std::span<const double> weights, Index answer) const {
  if (at(answer) >= weights.size()) return expected_loss(weights, regret_, answer);
  const std::size_t answers = answers_of(regret_, weights.size());
  double weight = 0.0, errors = 0.0, paid = 0.0, mean_of_others = 0.0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    weight += weights[c];
    if (c == at(answer)) continue;
    const double each = regret_.empty() ? 1.0 : regret_[c * answers + at(answer)];
    errors += weights[c];
    paid += weights[c] * each;
    mean_of_others += each / static_cast<double>(weights.size() - 1);
  }
  if (weight <= 0.0) return 0.0;
  const bool none = errors <= tie_tolerance * weight;
  const double expected = bound_.upper(weight, none ? 0.0 : errors);
  const double right = regret_.empty() ? 0.0 : regret_[at(answer) * answers + at(answer)];
  return expected * (none ? mean_of_others : paid / errors) + (weight - expected) * right;
}

double ExpectedCost::mistakes_at(const Tree& tree, Index i) const {
  const Node& node = tree.node(i);
  if (node.leaf()) return mistakes(tree.value(i));
  return node.missing_route == route_stop ? mistakes(stopped_weights(tree, i), cheapest_answer(tree.value(i), regret_)) : 0.0;
}

double ExpectedCost::of(const Tree& tree, std::optional<Basket>& basket, double everybody) const {
  double total = 0.0;
  const bool upfront = prices_ != nullptr && prices_->upfront();
  walk_paying(tree, basket, upfront,
              [&](Index i, double price) { total += (upfront ? everybody : tree.node(i).weight) * price + mistakes_at(tree, i); });
  return total;
}

double expected_cost(const Tree& tree, const Prices* prices, std::span<const double> loss, double cf, ZRule z) {
  check(tree, prices, loss, cf);
  std::optional<Basket> basket = empty_basket(prices);
  double total = ExpectedCost(prices, loss, at(tree.width), cf, z).of(tree, basket, tree.node(0).weight);
  const std::span<const double> weights = tree.value(0);
  const std::size_t answers = answers_of(loss, weights.size());
  for (std::size_t c = 0; c < weights.size() && !loss.empty(); ++c) {
    const auto row = loss.subspan(c * answers, answers);
    total += weights[c] * *std::min_element(row.begin(), row.end());
  }
  return total;
}

Tree prune_expected_cost(const Tree& tree, const Prices* prices, std::span<const double> loss, double cf, ZRule z) {
  check(tree, prices, loss, cf);
  const ExpectedCost cost(prices, loss, at(tree.width), cf, z);
  const bool upfront = prices != nullptr && prices->upfront();
  std::vector<double> test_cost(tree.nodes.size(), 0.0);  // of the node's own test; sequential payment
  if (!upfront) {
    std::optional<Basket> basket = empty_basket(prices);
    walk_paying(tree, basket, false, [&](Index i, double price) { test_cost[at(i)] = tree.node(i).weight * price; });
  }
  Tree fresh = tree;
  UpfrontTests tests(tree, upfront ? prices : nullptr);
  std::vector<double> below(tree.nodes.size());  // by node: what its subtree costs; upfront: without tests
  for (Index i = tree.size() - 1; i >= 0; --i) {
    below[at(i)] = test_cost[at(i)] + cost.mistakes_at(fresh, i);
    const Node& node = fresh.node(i);
    if (node.leaf()) continue;
    for (Index b = 0; b < node.n_children; ++b) below[at(i)] += below[at(node.first_child + b)];
    const double as_leaf = cost.mistakes(tree.value(i));
    const double as_tree = below[at(i)] + (upfront ? tree.node(0).weight * tests.saved_without(fresh, i) : 0.0);
    if (clearly_greater(as_leaf, as_tree)) continue;
    if (upfront) tests.drop(fresh, i);
    make_leaf(fresh.node(i));
    below[at(i)] = as_leaf;
  }
  return compact(fresh);
}

}  // namespace thriftwood
