#include "ledger.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "../basics/thread_pool.hpp"
#include "../tree/walk.hpp"

namespace thriftwood {

namespace {

// Rows per task: enough work to outweigh handing it out.
constexpr std::size_t block_rows = 1024;

}  // namespace

std::vector<Index> tests_below(const Tree& tree, Index start) {
  std::vector<Index> tests;
  std::vector<bool> listed(tree.feature_values.size(), false);
  std::vector<Index> open{start};
  while (!open.empty()) {
    const Node& node = tree.node(open.back());
    open.pop_back();
    if (node.leaf()) continue;
    if (!listed[static_cast<std::size_t>(node.feature)]) {
      listed[static_cast<std::size_t>(node.feature)] = true;
      tests.push_back(node.feature);
    }
    for (Index c = node.n_children - 1; c >= 0; --c) open.push_back(node.first_child + c);
  }
  return tests;
}

// A row that sends a bill: the walk reads values through it, and what is read was asked for.
struct Cashier::Asking {
  Cashier& cashier;
  const TableRow& row;
  Index node;
  double share;

  double number(Index feature) const {
    cashier.ask(row, node, feature, share);
    return row.number(feature);
  }
  Index code(Index feature) const {
    cashier.ask(row, node, feature, share);
    return row.code(feature);
  }
};

Cashier::Cashier(const Tree& tree, const Prices& prices)
    : tree_(tree), prices_(prices), basket_(prices), entry_of_(static_cast<std::size_t>(prices.tests()), -1) {
  if (static_cast<std::size_t>(prices.tests()) != tree.feature_values.size())
    throw InputError("The price list has " + std::to_string(prices.tests()) + " tests, the tree was grown on " +
                     std::to_string(tree.feature_values.size()) + " features. Compile the prices for the tree's columns.");
}

double Cashier::charge(const TableRow& row) {
  for (const Bought& bought : entries_) entry_of_[static_cast<std::size_t>(bought.test)] = -1;
  entries_.clear();
  basket_.undo(0);
  cost_ = 0.0;
  if (prices_.upfront()) order_all(row, 0, 1.0);
  if (!prices_.upfront() || !tree_.surrogates.empty()) walk(row);
  return cost_;
}

// The order of endings is that of `walk` in tree/walk.hpp; a branch starts with the basket its case had at the split.
void Cashier::walk(const TableRow& row) {
  struct Stop { Index node; double share; std::size_t bought; };
  std::vector<Stop> open;
  Stop at{0, 1.0, 0};
  while (true) {
    const Node& node = tree_.node(at.node);
    const Index b = node.leaf() ? route_stop : branch(tree_, node, Asking{*this, row, at.node, at.share});
    if (b >= 0) {
      at.node = node.first_child + b;
      continue;
    }
    if (b == route_fractional) {
      const double total = branch_total(tree_, node);
      for (Index c = node.n_children - 1; c >= 0; --c) {
        const double part = at.share * branch_share(tree_, node, c, total);
        if (part > 0.0) open.push_back({node.first_child + c, part, basket_.size()});
      }
    }
    if (open.empty()) return;
    at = open.back();
    open.pop_back();
    basket_.undo(at.bought);
  }
}

void Cashier::ask(const TableRow& row, Index node, Index test, double share) {
  if (basket_.has(test) || unavailable(row, test)) return;
  const bool surrogate = test != tree_.node(node).feature;
  if (prices_.delayed(test) && !surrogate)
    order_all(row, node, share);
  else
    buy(test, share);
}

void Cashier::order_all(const TableRow& row, Index start, double share) {
  for (Index test : ordered_at(start))
    if (!unavailable(row, test)) buy(test, share);
}

void Cashier::buy(Index test, double share) {
  if (basket_.has(test)) return;
  const double cost = share * basket_.buy(test);
  Index& place = entry_of_[static_cast<std::size_t>(test)];
  if (place < 0) {
    place = static_cast<Index>(entries_.size());
    entries_.push_back({test, 0.0, 0.0});
  }
  Bought& bought = entries_[static_cast<std::size_t>(place)];
  bought.share += share;
  bought.cost += cost;
  cost_ += cost;
}

bool Cashier::unavailable(const TableRow& row, Index test) const {
  if (prices_.charge_missing()) return false;
  return row.table.column(test).nominal() ? row.code(test) == missing_code : std::isnan(row.number(test));
}

std::span<const Index> Cashier::ordered_at(Index node) {
  const auto [found, fresh] = below_.try_emplace(node);
  if (fresh) found->second = tests_below(tree_, node);
  return found->second;
}

Ledger keep_ledger(const Tree& tree, const Prices& prices, const Table& table, int n_threads) {
  const std::size_t blocks = (table.rows + block_rows - 1) / block_rows;
  Ledger ledger;
  ledger.test_cost.resize(table.rows);
  ledger.starts.resize(table.rows + 1, 0);
  std::vector<std::vector<Bought>> written(blocks);
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  std::vector<std::optional<Cashier>> cashiers(static_cast<std::size_t>(pool.size()));
  cashiers.front().emplace(tree, prices);  // even with no rows: the prices must fit
  pool.run(blocks, [&](std::size_t block, int worker) {
    std::optional<Cashier>& cashier = cashiers[static_cast<std::size_t>(worker)];
    if (!cashier) cashier.emplace(tree, prices);
    const std::size_t end = std::min((block + 1) * block_rows, table.rows);
    for (std::size_t row = block * block_rows; row < end; ++row) {
      ledger.test_cost[row] = cashier->charge(TableRow{table, static_cast<Row>(row)});
      const auto entries = cashier->entries();
      written[block].insert(written[block].end(), entries.begin(), entries.end());
      ledger.starts[row + 1] = static_cast<std::int64_t>(entries.size());
    }
  });
  for (std::size_t row = 0; row < table.rows; ++row) ledger.starts[row + 1] += ledger.starts[row];
  ledger.entries.reserve(static_cast<std::size_t>(ledger.starts.back()));
  for (const auto& entries : written) ledger.entries.insert(ledger.entries.end(), entries.begin(), entries.end());
  return ledger;
}

}  // namespace thriftwood
