#include "panel_ledger.hpp"

#include <string>

namespace thriftwood {

namespace {

constexpr std::size_t block_rows = 256;

// Bills the rows of a table: once in the till that the members share, and once more in one of each member's own.
class PanelBiller {
 public:
  PanelBiller(const Panel& panel, const Prices& prices, const Table& table, PanelLedger& kept)
      : panel_(panel), table_(table), kept_(kept), shared_(prices), own_(prices) {
    for (const Predictor* member : panel.members()) below_.emplace_back(member->tree());
    if (!prices.upfront()) return;
    tests_ = panel.tests();
    may_be_consulted_ = panel.may_be_consulted();
  }

  template <class Write>
  void bill(std::size_t begin, std::size_t end, const Write& write) {
    for (std::size_t row = begin; row < end; ++row) {
      const TableRow view{table_, static_cast<Row>(row)};
      open(view);
      consult_members(panel_, RowReader{*this, view}, answer_);
      close_own();
      kept_.apart[row] = apart_;
      kept_.answers.put(row, answer_);
      write(row, bill_of(shared_));
    }
  }

 private:
  // A row that sends a bill.
  struct Asking {
    PanelBiller& biller;
    const TableRow& row;
    Index member;
    Index node;

    double number(Index feature) const {
      biller.ask(row, member, node, feature);
      return row.number(feature);
    }
    Index code(Index feature) const {
      biller.ask(row, member, node, feature);
      return row.code(feature);
    }
  };

  struct RowReader {
    PanelBiller& biller;
    const TableRow& row;

    void begin(Index member) const { biller.begin(row, member); }
    Asking view(Index member, Index node) const { return {biller, row, member, node}; }
  };

  TestsBelow& below(Index member) { return below_[static_cast<std::size_t>(member)]; }

  void open(const TableRow& row) {
    shared_.open();
    own_.open();
    apart_ = paid_before_ = 0.0;
    if (!shared_.prices().upfront()) return;
    shared_.order(row, tests_);
    for (const Index member : may_be_consulted_) {
      own_.open();
      own_.order(row, below(member).at(0));
      apart_ += own_.cost();
    }
    own_.open();
  }
  void begin(const TableRow& row, Index member) {
    close_own();
    if (own_.prices().upfront()) own_.order(row, below(member).at(0));
    paid_before_ = own_.cost();
  }
  // Upfront, what a member carries was counted when the case was opened; surrogates come on top.
  void close_own() {
    apart_ += own_.cost() - paid_before_;
    own_.open();
    paid_before_ = 0.0;
  }
  void ask(const TableRow& row, Index member, Index node, Index test) {
    shared_.ask(row, below(member), node, test);
    own_.ask(row, below(member), node, test);
  }

  const Panel& panel_;
  const Table& table_;
  PanelLedger& kept_;
  Till shared_;
  Till own_;
  double apart_ = 0.0;
  double paid_before_ = 0.0;
  std::vector<TestsBelow> below_;  // per member
  std::vector<Index> tests_;
  std::vector<Index> may_be_consulted_;
  PanelAnswer answer_;
};

}  // namespace

PanelLedger keep_ledger(const Panel& panel, const Prices& prices, const Table& table, int n_threads) {
  panel.member(0).check_fits(table);
  if (static_cast<std::size_t>(prices.tests()) != table.columns.size())
    throw InputError("The price list has " + std::to_string(prices.tests()) + " tests, the table " + std::to_string(table.columns.size()) +
                     " features. Compile the prices for the table's columns.");
  PanelLedger kept;
  kept.apart.resize(table.rows);
  kept.answers = Answers(table.rows, panel.width());
  kept.ledger = assemble(table.rows, block_rows, n_threads, [&] { return std::make_unique<PanelBiller>(panel, prices, table, kept); });
  return kept;
}

}  // namespace thriftwood
