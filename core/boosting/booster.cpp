#include "booster.hpp"

#include <optional>
#include <string>

#include "../basics/thread_pool.hpp"

namespace thriftwood {

namespace {

constexpr std::size_t block_rows = 256;  // enough work to outweigh handing it out

// Calls work(row, worker) for every row, in blocks.
template <class Work>
void each_row(ThreadPool& pool, std::size_t rows, const Work& work) {
  pool.run((rows + block_rows - 1) / block_rows, [&](std::size_t block, int worker) {
    for (std::size_t row = block * block_rows; row < std::min((block + 1) * block_rows, rows); ++row) work(row, worker);
  });
}

[[noreturn]] void refuse(std::size_t stage, const char* fault) {
  throw InputError("Not a valid booster: stage " + std::to_string(stage) + " " + fault + ".");
}

// Writes the bill of one row at a time.
class StageCashier {
 public:
  StageCashier(const Booster& booster, const Asking& how, const Prices& charged)
      : booster_(booster), how_(how), charged_(charged), basket_(charged), had_(static_cast<std::size_t>(charged.tests())), scores_(booster.classes()) {
    if (charged.upfront()) all_ = tests_of(booster);
  }

  std::span<const Basket::Purchase> charge(const TableRow& row) {
    basket_.undo(0);
    if (charged_.upfront()) {
      for (const Index test : all_) buy(row, test);
      return basket_.purchases();
    }
    had_.clear();
    ask(booster_, row, how_, had_, scores_, [&](std::size_t s, Index at) {
      const Tree& stage = booster_.stages[s];
      const Index test = stage.node(at).feature;
      if (basket_.has(test) || unavailable(row, test)) return;
      if (charged_.delayed(test))
        for (const Index below : tests_below(stage, at)) buy(row, below);
      else
        basket_.buy(test);
    });
    return basket_.purchases();
  }

 private:
  void buy(const TableRow& row, Index test) {
    if (!unavailable(row, test)) basket_.buy(test);
  }
  bool unavailable(const TableRow& row, Index test) const {
    if (charged_.charge_missing()) return false;
    return row.table.column(test).nominal() ? row.code(test) == missing_code : std::isnan(row.number(test));
  }

  const Booster& booster_;
  const Asking& how_;
  const Prices& charged_;
  Basket basket_;
  Had had_;
  std::vector<double> scores_;
  std::vector<Index> all_;
};

void require_prices(const Prices* prices, const Table& table) {
  if (prices == nullptr || prices->tests() == table.features()) return;
  throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(table.features()) + " features.");
}

}  // namespace

void validate(const Booster& booster) {
  if (booster.start.empty()) throw InputError("Not a valid booster: it has no classes.");
  for (const double score : booster.start)
    if (!std::isfinite(score)) throw InputError("Not a valid booster: it starts from a score that is not finite.");
  for (std::size_t s = 0; s < booster.stages.size(); ++s) {
    const Tree& stage = booster.stages[s];
    validate(stage);
    if (!stage.regression || stage.width != static_cast<Index>(booster.classes())) refuse(s, "does not have a step for every class");
    if (stage.feature_values != booster.stages.front().feature_values) refuse(s, "has other columns than the first");
    for (const Node& node : stage.nodes)
      if (!node.leaf() && (node.n_surrogates > 0 || node.missing_route < 0 || node.unseen_route < 0)) refuse(s, "does not lead every case along one path");
  }
}

void check_fits(const Booster& booster, const Table& table) {
  if (booster.stages.empty()) return;
  const std::vector<Index>& values = booster.stages.front().feature_values;
  if (values.size() != table.columns.size())
    throw InputError("The table has " + std::to_string(table.columns.size()) + " columns, the booster learnt from " + std::to_string(values.size()) + ".");
  for (std::size_t f = 0; f < values.size(); ++f)
    if ((values[f] > 0) != table.columns[f].nominal())
      throw InputError("Feature " + std::to_string(f) + " is " + (values[f] > 0 ? "nominal" : "numeric") + " in the booster, and not so in the table. "
                       "Encode the table as at fit.");
}

std::vector<Index> tests_of(const Booster& booster) {
  std::vector<Index> tests;
  for (const Tree& stage : booster.stages)
    for (const Index test : tests_below(stage))
      if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.push_back(test);
  std::sort(tests.begin(), tests.end());
  return tests;
}

double leader_share(std::span<const double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - top);
  return 1.0 / sum;
}

void score(const Booster& booster, const Table& table, const Asking& how, int n_threads, std::span<double> scores, std::span<Index> stages) {
  check_fits(booster, table);
  require_prices(how.prices, table);
  ThreadPool pool(table.rows <= block_rows ? 1 : n_threads);
  std::vector<Had> had(static_cast<std::size_t>(pool.size()), Had(table.columns.size()));
  each_row(pool, table.rows, [&](std::size_t row, int worker) {
    Had& own = had[static_cast<std::size_t>(worker)];
    own.clear();
    const auto place = scores.subspan(row * booster.classes(), booster.classes());
    stages[row] = static_cast<Index>(ask(booster, TableRow{table, static_cast<Row>(row)}, how, own, place, [](std::size_t, Index) {}));
  });
}

Ledger keep_ledger(const Booster& booster, const Asking& how, const Prices& charged, const Table& table, int n_threads) {
  check_fits(booster, table);
  require_prices(how.prices, table);
  require_prices(&charged, table);
  ThreadPool pool(table.rows <= block_rows ? 1 : n_threads);
  std::vector<std::optional<StageCashier>> cashiers(static_cast<std::size_t>(pool.size()));
  std::vector<std::vector<Bought>> written(table.rows);
  each_row(pool, table.rows, [&](std::size_t row, int worker) {
    std::optional<StageCashier>& cashier = cashiers[static_cast<std::size_t>(worker)];
    if (!cashier) cashier.emplace(booster, how, charged);
    for (const Basket::Purchase& purchase : cashier->charge(TableRow{table, static_cast<Row>(row)}))
      written[row].push_back({purchase.test, 1.0, purchase.price});
  });
  Ledger ledger;
  ledger.starts.push_back(0);
  for (const std::vector<Bought>& entries : written) {
    double cost = 0.0;
    for (const Bought& bought : entries) cost += bought.cost;
    ledger.test_cost.push_back(cost);
    ledger.entries.insert(ledger.entries.end(), entries.begin(), entries.end());
    ledger.starts.push_back(static_cast<std::int64_t>(ledger.entries.size()));
  }
  return ledger;
}

}  // namespace thriftwood
