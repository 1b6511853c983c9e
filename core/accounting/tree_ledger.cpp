#include "tree_ledger.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "../tree/leaf_finder.hpp"
#include "../tree/walk.hpp"

namespace thriftwood {

namespace {

// Rows per task: enough work to outweigh handing it out.
constexpr std::size_t block_rows = 1024;

// A tree with very many leaves, or very many tests on the way to them, has most of its bills written anew.
constexpr std::size_t most_kept = std::size_t{1} << 20;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

bool any_delayed(const Tree& tree, const Prices& prices) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const Node& node) { return !node.leaf() && prices.delayed(node.feature); });
}

// Bills the rows of a table.
class TableBiller {
 public:
  TableBiller(const Tree& tree, const Prices& prices, const Table& table, const LeafFinder& leaves)
      : biller_(tree, prices), table_(table), leaves_(leaves) {}

  template <class Write>
  void bill(std::size_t begin, std::size_t end, const Write& write) {
    leaves_.find(begin, end, reached_.data());
    for (std::size_t row = begin; row < end; ++row) write(row, biller_.bill(TableRow{table_, static_cast<Row>(row)}, reached_[row - begin]));
  }

 private:
  TreeBiller biller_;
  const Table& table_;
  const LeafFinder& leaves_;
  std::array<Index, block_rows> reached_;
};

}  // namespace

void require_prices(const Tree& tree, const Prices& prices) {
  if (at(prices.tests()) == tree.feature_values.size()) return;
  throw InputError("The price list has " + std::to_string(prices.tests()) + " tests, the tree was grown on " +
                   std::to_string(tree.feature_values.size()) + " features. Compile the prices for the tree's columns.");
}

// A row that sends a bill: the walk reads values through it, and what is read was asked for.
struct TreeBiller::Asking {
  TreeBiller& biller;
  const TableRow& row;
  Index node;
  double share;

  double number(Index feature) const {
    biller.till_.ask(row, biller.below_, node, feature, share);
    return row.number(feature);
  }
  Index code(Index feature) const {
    biller.till_.ask(row, biller.below_, node, feature, share);
    return row.code(feature);
  }
};

TreeBiller::TreeBiller(const Tree& tree, const Prices& prices)
    : tree_(tree), till_(prices), below_(tree), carries_all_(prices.upfront() && tree.surrogates.empty()), place_of_(tree.nodes.size(), -1) {
  require_prices(tree, prices);
  // Tests that are ordered without being read may be missing, on the way or off it.
  by_leaf_ = prices.bought_alike() || !(prices.upfront() || any_delayed(tree, prices));
}

RowBill TreeBiller::bill(const TableRow& row, Index leaf) {
  if (carries_all_) leaf = 0;
  if (leaf != unwalked)
    if (const RowBill* known = kept(leaf)) return *known;
  const Index end = carries_all_ ? 0 : follow(row);
  const bool whole = carries_all_ || tree_.node(end).leaf();
  if (whole && leaf == unwalked)
    if (const RowBill* known = kept(end)) return *known;
  till_.open();
  if (till_.prices().upfront()) till_.order(row, below_.at(0));
  for (const Index node : path_) till_.ask(row, below_, node, tree_.node(node).feature);
  if (!whole) walk(row, end);
  return whole && by_leaf_ && store_.size() < most_kept ? keep(end) : bill_of(till_);
}

// Goes down as far as values lead, and writes down the way; the node where there is none, or the leaf.
Index TreeBiller::follow(const TableRow& row) {
  path_.clear();
  Index i = 0;
  while (!tree_.node(i).leaf()) {
    const Index b = outcome(tree_, tree_.node(i), row);
    if (b < 0) break;
    path_.push_back(i);
    i = tree_.node(i).first_child + b;
  }
  return i;
}

// The order of endings is that of `walk` in tree/walk.hpp; a branch starts with the basket its case had at the split.
void TreeBiller::walk(const TableRow& row, Index start) {
  Stop now{start, 1.0, {}};
  while (true) {
    const Node& node = tree_.node(now.node);
    const Index b = node.leaf() ? route_stop : branch(tree_, node, Asking{*this, row, now.node, now.share});
    if (b >= 0) {
      now.node = node.first_child + b;
      continue;
    }
    if (b == route_fractional) divide_case(tree_, node, now.share, [&](Index child, double part) { open_.push_back({child, part, till_.mark()}); });
    if (open_.empty()) return;
    now = open_.back();
    open_.pop_back();
    till_.back_to(now.mark);
  }
}

const RowBill* TreeBiller::kept(Index node) const {
  const Index place = place_of_[at(node)];
  return place < 0 ? nullptr : &bills_[at(place)];
}

RowBill TreeBiller::keep(Index node) {
  place_of_[at(node)] = static_cast<Index>(bills_.size());
  bills_.push_back({till_.cost(), store_.keep(till_.entries()), true});
  return bills_.back();
}

Ledger keep_ledger(const Tree& tree, const Prices& prices, const Table& table, int n_threads) {
  require_prices(tree, prices);
  const LeafFinder leaves(tree, table, table.rows);
  return assemble(table.rows, block_rows, n_threads, [&] { return std::make_unique<TableBiller>(tree, prices, table, leaves); });
}

}  // namespace thriftwood
