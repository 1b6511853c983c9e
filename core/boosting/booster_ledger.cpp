#include "booster_ledger.hpp"

#include "stage_walk.hpp"

namespace thriftwood {

namespace {

// Bills the rows of a table.
class BoosterBiller {
 public:
  BoosterBiller(const PreparedStages& stages, const Asking& how, const Prices& charged, const Scores& scores)
      : table_(stages.table()), scores_(scores), walk_(stages, how, !charged.upfront()), till_(charged) {
    if (charged.upfront()) tests_ = tests_of(stages.booster());
  }

  template <class Write>
  void bill(std::size_t begin, std::size_t end, const Write& write) {
    walk_.walk(begin, end, scores_);
    for (std::size_t row = begin; row < end; ++row) {
      charge(TableRow{table_, static_cast<Row>(row)}, walk_.first_reads(row - begin));
      write(row, bill_of(till_));
    }
  }

 private:
  void charge(const TableRow& row, std::span<const FirstRead> reads) {
    till_.open();
    if (till_.prices().upfront()) return till_.order(row, tests_);
    for (const auto [stage, node] : reads) {
      TestsBelow& below = walk_.below(stage);
      till_.ask(row, below, node, below.tree().node(node).feature);
    }
  }

  const Table& table_;
  const Scores& scores_;
  StageWalk walk_;
  Till till_;
  std::vector<Index> tests_;  // of all stages, where payment is upfront
};

}  // namespace

Ledger keep_ledger(const Booster& booster, const Asking& how, const Prices& charged, const Table& table, int n_threads, const Scores& scores) {
  check_fits(booster, table);
  require_prices(how.prices, table);
  require_prices(&charged, table);
  const PreparedStages stages(booster, table);
  return assemble(table.rows, StageWalk::block_rows, n_threads, [&] { return std::make_unique<BoosterBiller>(stages, how, charged, scores); });
}

}  // namespace thriftwood
