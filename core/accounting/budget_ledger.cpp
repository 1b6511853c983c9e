#include "budget_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "../tree/walk.hpp"
#include "dearest.hpp"
#include "tree_ledger.hpp"

namespace thriftwood {

namespace {

constexpr std::size_t block_rows = 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Walks cases, one at a time, as far as the budget allows.
class BudgetBiller {
 public:
  BudgetBiller(const Predictor& predictor, const Prices& prices, const Table& table, double budget, BudgetLedger& out)
      : predictor_(predictor),
        tree_(predictor.tree()),
        table_(table),
        budget_(budget),
        out_(out),
        till_(prices),
        below_(tree_),
        read_(at(prices.tests()), 0) {}

  template <class Write>
  void bill(std::size_t begin, std::size_t end, const Write& write) {
    for (std::size_t i = begin; i < end; ++i) {
      walk(TableRow{table_, static_cast<Row>(i)});
      if (tree_.regression)
        out_.numbers[i] = predictor_.number(endings_);
      else
        out_.labels[i] = predictor_.label(endings_);
      out_.stopped[i] = stopped_ ? 1 : 0;
      write(i, bill_of(till_));
    }
  }

 private:
  // The row as a node of the tree reads it; what is beyond the budget reads as missing, and is remembered.
  struct Asking {
    BudgetBiller& biller;
    const TableRow& row;
    Index node;
    double share;

    double number(Index feature) const { return biller.asks(row, node, feature, share) ? row.number(feature) : std::nan(""); }
    Index code(Index feature) const { return biller.asks(row, node, feature, share) ? row.code(feature) : missing_code; }
  };
  struct Stop {
    Index node;
    double share;
    Till::Mark mark;
  };

  void walk(const TableRow& row) {
    till_.open();
    endings_.clear();
    stopped_ = false;
    for (Index test : read_tests_) read_[at(test)] = 0;
    read_tests_.clear();
    may_buy_ = !till_.prices().upfront() || within(row, below_.at(0));
    if (may_buy_ && till_.prices().upfront()) till_.order(row, below_.at(0));
    open_.clear();
    Stop now{0, 1.0, {}};
    while (true) {
      const Node& node = tree_.node(now.node);
      beyond_ = false;
      Index b = node.leaf() ? route_stop : branch(tree_, node, Asking{*this, row, now.node, now.share});
      stopped_ = stopped_ || beyond_;
      if (beyond_) b = route_stop;
      if (b >= 0) {
        now.node = node.first_child + b;
        continue;
      }
      if (b == route_stop) {
        endings_.push_back({now.node, now.share});
      } else {
        divide_case(tree_, node, now.share, [&](Index child, double part) { open_.push_back({child, part, till_.mark()}); });
      }
      if (open_.empty()) return;
      now = open_.back();
      open_.pop_back();
      till_.back_to(now.mark);
    }
  }

  // Asks for a test unless that is beyond the budget, or another one at this node was.
  bool asks(const TableRow& row, Index node, Index test, double share) {
    if (beyond_) return false;
    if (!till_.had(test) && !till_.prices().unavailable(row, test)) {
      const std::span<const Index> tests = brought_along(till_.prices(), row, below_, node, test);
      beyond_ = !may_buy_ || !within(row, tests);
      if (beyond_) return false;
      till_.order(row, tests, share);
    }
    if (read_[at(test)] == 0) {
      read_[at(test)] = 1;
      read_tests_.push_back(test);
    }
    return true;
  }

  // Whether the bill with these tests keeps to the budget, whichever of the tests that were not read yet turn out to be missing.
  bool within(const TableRow& row, std::span<const Index> tests) {
    const Prices& prices = till_.prices();
    if (prices.bought_alike() && tests.size() == 1) return within_budget(till_.basket().total() + till_.basket().eff(tests[0]), budget_);
    Basket later = till_.basket();
    std::vector<Index> bought;
    for (const Basket::Purchase& purchase : later.purchases()) bought.push_back(purchase.test);
    for (Index test : tests)
      if (!till_.had(test) && !prices.unavailable(row, test)) bought.push_back(test);
    if (!prices.bought_alike()) {
      const auto open = std::find_if(bought.begin(), bought.end(), [&](Index test) { return read_[at(test)] == 0; });
      put_dearest_first(prices, std::span(open, bought.end()));
      later.undo(0);
    }
    for (Index test : bought) later.buy(test);
    return within_budget(later.total(), budget_);
  }

  const Predictor& predictor_;
  const Tree& tree_;
  const Table& table_;
  double budget_;
  BudgetLedger& out_;
  Till till_;
  TestsBelow below_;
  std::vector<std::uint8_t> read_;  // per test: whether the case at hand has its answer, or knows that there is none
  std::vector<Index> read_tests_;
  std::vector<Stop> open_;
  std::vector<Ending> endings_;
  bool may_buy_ = true, beyond_ = false, stopped_ = false;
};

}  // namespace

BudgetLedger keep_to_budget(const Predictor& tree, const Prices& prices, const Table& table, double budget, int n_threads) {
  if (!(budget >= 0.0)) throw InputError("A budget for tests is 0 or more, got " + std::to_string(budget) + ".");
  require_prices(tree.tree(), prices);
  BudgetLedger out;
  out.stopped.resize(table.rows);
  if (tree.tree().regression)
    out.numbers.resize(table.rows);
  else
    out.labels.resize(table.rows);
  out.ledger = assemble(table.rows, block_rows, n_threads, [&] { return std::make_unique<BudgetBiller>(tree, prices, table, budget, out); });
  return out;
}

}  // namespace thriftwood
