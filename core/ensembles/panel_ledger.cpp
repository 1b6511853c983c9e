#include "panel_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>

#include "../basics/thread_pool.hpp"

namespace thriftwood {

namespace {

constexpr std::size_t block_rows = 256;

// Buys what members ask for, one case at a time: once in the basket they share, and once more in a basket of each one's own.
class Till {
 public:
  Till(const Panel& panel, const Prices& prices)
      : panel_(panel), prices_(prices), shared_(prices), own_(prices), below_(panel.members().size()) {
    if (!prices.upfront()) return;
    everything_ = panel.tests();
    callable_ = panel.may_be_consulted();
  }

  void open(const TableRow& row) {
    shared_.undo(0);
    own_.undo(0);
    apart_ = 0.0;
    if (!prices_.upfront()) return;
    for (const Index test : everything_) buy(shared_, row, test);
    for (const Index m : callable_) {
      own_.undo(0);
      order_all(own_, row, m, 0);
      apart_ += own_.total();
    }
    own_.undo(0);
  }
  void begin(const TableRow& row, Index member) {
    close_own();
    if (prices_.upfront()) order_all(own_, row, member, 0);
    paid_before_ = own_.total();
  }
  double close() {
    close_own();
    return apart_;
  }
  std::span<const Basket::Purchase> purchases() const { return shared_.purchases(); }

  void ask(const TableRow& row, Index member, Index node, Index test) {
    ask_in(shared_, row, member, node, test);
    ask_in(own_, row, member, node, test);
  }

 private:
  // Upfront, what a member carries was counted when the case was opened; stand-ins come on top.
  void close_own() {
    apart_ += own_.total() - paid_before_;
    own_.undo(0);
    paid_before_ = 0.0;
  }
  void ask_in(Basket& basket, const TableRow& row, Index member, Index node, Index test) {
    if (basket.has(test) || unavailable(row, test)) return;
    const bool surrogate = test != panel_.member(member).tree().node(node).feature;
    if (prices_.delayed(test) && !surrogate)
      order_all(basket, row, member, node);
    else
      basket.buy(test);
  }
  void order_all(Basket& basket, const TableRow& row, Index member, Index node) {
    for (const Index test : ordered_at(member, node)) buy(basket, row, test);
  }
  void buy(Basket& basket, const TableRow& row, Index test) {
    if (!basket.has(test) && !unavailable(row, test)) basket.buy(test);
  }
  bool unavailable(const TableRow& row, Index test) const {
    if (prices_.charge_missing()) return false;
    return row.table.column(test).nominal() ? row.code(test) == missing_code : std::isnan(row.number(test));
  }
  std::span<const Index> ordered_at(Index member, Index node) {
    const auto [found, fresh] = below_[static_cast<std::size_t>(member)].try_emplace(node);
    if (fresh) found->second = tests_below(panel_.member(member).tree(), node);
    return found->second;
  }

  const Panel& panel_;
  const Prices& prices_;
  Basket shared_;
  Basket own_;
  double apart_ = 0.0;
  double paid_before_ = 0.0;
  std::vector<Index> everything_;
  std::vector<Index> callable_;
  std::vector<std::unordered_map<Index, std::vector<Index>>> below_;  // per member: the tests below nodes where they were ordered
};

// A row that sends a bill.
struct Asking {
  Till& till;
  const TableRow& row;
  Index member;
  Index node;

  double number(Index feature) const {
    till.ask(row, member, node, feature);
    return row.number(feature);
  }
  Index code(Index feature) const {
    till.ask(row, member, node, feature);
    return row.code(feature);
  }
};

struct BillingClerk {
  Till& till;
  const TableRow& row;

  void begin(Index member) const { till.begin(row, member); }
  Asking view(Index member, Index node) const { return {till, row, member, node}; }
};

}  // namespace

PanelLedger keep_ledger(const Panel& panel, const Prices& prices, const Table& table, int n_threads) {
  panel.member(0).check_fits(table);
  if (static_cast<std::size_t>(prices.tests()) != table.columns.size())
    throw InputError("The price list has " + std::to_string(prices.tests()) + " tests, the table " + std::to_string(table.columns.size()) +
                     " features. Compile the prices for the table's columns.");
  const std::size_t blocks = (table.rows + block_rows - 1) / block_rows;
  PanelLedger kept;
  Ledger& ledger = kept.ledger;
  ledger.test_cost.resize(table.rows);
  ledger.starts.resize(table.rows + 1, 0);
  kept.apart.resize(table.rows);
  kept.n_consulted.resize(table.rows);
  std::vector<std::vector<Bought>> written(blocks);
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  std::vector<std::optional<Till>> tills(static_cast<std::size_t>(pool.size()));
  std::vector<Minutes> minutes(tills.size());
  pool.run(blocks, [&](std::size_t block, int worker) {
    std::optional<Till>& till = tills[static_cast<std::size_t>(worker)];
    if (!till) till.emplace(panel, prices);
    Minutes& own = minutes[static_cast<std::size_t>(worker)];
    const std::size_t end = std::min((block + 1) * block_rows, table.rows);
    for (std::size_t row = block * block_rows; row < end; ++row) {
      const TableRow view{table, static_cast<Row>(row)};
      till->open(view);
      hear(panel, BillingClerk{*till, view}, own);
      kept.apart[row] = till->close();
      double total = 0.0;
      for (const Basket::Purchase& purchase : till->purchases()) {
        written[block].push_back({purchase.test, 1.0, purchase.price});
        total += purchase.price;
      }
      ledger.test_cost[row] = total;
      ledger.starts[row + 1] = static_cast<std::int64_t>(till->purchases().size());
      kept.n_consulted[row] = static_cast<Index>(own.consulted.size());
    }
  });
  for (std::size_t row = 0; row < table.rows; ++row) ledger.starts[row + 1] += ledger.starts[row];
  ledger.entries.reserve(static_cast<std::size_t>(ledger.starts.back()));
  for (const auto& entries : written) ledger.entries.insert(ledger.entries.end(), entries.begin(), entries.end());
  return kept;
}

}  // namespace thriftwood
