#include "case_till.hpp"

#include <algorithm>

#include "../basics/exact_sum.hpp"
#include "dearest.hpp"

namespace thriftwood {

namespace {

double sum_of(std::span<const Bought> entries) {
  ExactSum sum;
  for (const Bought& bought : entries) sum.add(bought.cost);
  return sum.value();
}

std::vector<Index> tests_of(std::span<const Bought> entries) {
  std::vector<Index> tests;
  for (const Bought& bought : entries) tests.push_back(bought.test);
  return tests;
}

}  // namespace

void CaseTill::give(Index test) {
  value_of_[static_cast<std::size_t>(test)] = Value::Known;
  till_.pass_over(test);
}

void CaseTill::answer(Index test, bool has_value) {
  value_of_[static_cast<std::size_t>(test)] = has_value ? Value::Known : Value::Missing;
  if (!till_.has(test) || !prices().unavailable(*this, test)) return;
  const std::vector<Index> bought = tests_of(entries());
  till_.undo({0, till_.mark().passed_over});
  order(bought);
}

std::vector<Index> CaseTill::ordered_at(const Tree& tree, Index node, Index test) const {
  if (prices().upfront() && test == tree.node(node).feature) return {};
  TestsBelow below(tree);
  std::vector<Index> tests;
  for (const Index brought : brought_along(prices(), *this, below, node, test))
    if (!known(brought)) tests.push_back(brought);
  return tests;
}

void CaseTill::ask(const Tree& tree, Index node, Index test) {
  TestsBelow below(tree);
  till_.ask(*this, below, node, test);
}

double CaseTill::spent() const { return sum_of(entries()); }

double CaseTill::price(std::span<const Index> tests) const {
  Till later = till_;
  later.order(*this, tests);
  return sum_of(later.entries().subspan(entries().size()));
}

double CaseTill::most(std::span<const Index> tests) const {
  CaseTill later = *this;
  later.order(tests);
  if (prices().bought_alike()) return later.spent();
  // A test without a value opens no discount either. Those whose values are known stay as they are.
  std::vector<Index> bought = tests_of(later.entries());
  const auto open = std::find_if(bought.begin(), bought.end(), [&](Index test) { return !known(test); });
  put_dearest_first(prices(), std::span(open, bought.end()));
  later.till_.undo({0, later.till_.mark().passed_over});
  later.order(bought);
  return later.spent();
}

}  // namespace thriftwood
