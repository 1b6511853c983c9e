// The till of one case whose answers come one at a time: a consultation, or the way of a case in a report.
//
//   given     a test whose value was known before: it is free, and opens no discount
//   answered  a test whose value is known by now, or is known to be missing
//   ordered   what is bought when a test is answered: the test, and what a delayed one brings along
//
// A test is bought when its answer is there. Where missing values are free, one that turns out to have no value takes back its own price,
// what it was to bring along, and the discounts it opened for others: the bill is that of a case which was known not to have it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "till.hpp"

namespace thriftwood {

class CaseTill {
 public:
  // The prices must outlive it and its copies.
  explicit CaseTill(const Prices& prices) : till_(prices), value_of_(static_cast<std::size_t>(prices.tests()), Value::Unknown) {}

  const Prices& prices() const { return till_.prices(); }

  void give(Index test);
  void answer(Index test, bool has_value);

  // What is bought when the case answers `test`, read at a node of the tree: the node's own test, or a surrogate of it. Without tests that
  // are answered or given; nothing for the node's own test where all is paid upfront.
  std::vector<Index> ordered_at(const Tree& tree, Index node, Index test) const;

  // Buys tests in this order; not those that were had.
  void order(std::span<const Index> tests) { till_.order(*this, tests); }
  // Buys what is ordered with a test that was answered: nothing, if it is unavailable.
  void order_with(Index test, std::span<const Index> tests) {
    if (!prices().unavailable(*this, test)) order(tests);
  }
  // The walk of the case reads `test` at a node of the tree.
  void ask(const Tree& tree, Index node, Index test);

  bool has(Index test) const { return till_.has(test); }
  bool had(Index test) const { return till_.had(test); }
  std::span<const Bought> entries() const { return till_.entries(); }

  // The bill, rounded once.
  double spent() const;
  // What these tests cost now, bought in this order; rounded once.
  double price(std::span<const Index> tests) const;
  // The most that the bill can come to when these tests are bought too, whichever of them turn out to be missing.
  double most(std::span<const Index> tests) const;

  // As a row: is the value known to be missing?
  bool missing(Index test) const { return value_of_[static_cast<std::size_t>(test)] == Value::Missing; }

 private:
  enum class Value : std::uint8_t { Unknown, Known, Missing };

  bool known(Index test) const { return value_of_[static_cast<std::size_t>(test)] != Value::Unknown; }

  Till till_;
  std::vector<Value> value_of_;  // per test
};

}  // namespace thriftwood
