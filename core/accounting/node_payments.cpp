#include "node_payments.hpp"

#include "../basics/exact_sum.hpp"
#include "../tree/walk.hpp"
#include "tree_ledger.hpp"

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double bill_so_far(const Till& till) {
  ExactSum sum;
  for (const Bought& bought : till.entries()) sum.add(bought.cost);
  return sum.value();
}

// Which tests the cases of a node have no value of: those of the branches for missing values on the way to it.
class LackedTests {
 public:
  LackedTests(const Tree& tree, const Prices& prices) : last_(tree.nodes.size(), -1) {
    if (prices.bought_alike()) return;
    for (Index i = 0; i < tree.size(); ++i) {  // parents come first
      const Node& node = tree.node(i);
      const Index apart = missing_branch(tree, node);
      for (Index b = 0; b < node.n_children; ++b) {
        Index& last = last_[at(node.first_child + b)];
        last = last_[at(i)];
        if (b != apart) continue;
        links_.push_back({node.feature, last});
        last = static_cast<Index>(links_.size()) - 1;
      }
    }
  }

  // The set of a node, by its number; -1: it lacks nothing.
  Index set_of(Index node) const { return last_[at(node)]; }
  std::size_t sets() const { return links_.size(); }
  bool has(Index set, Index test) const {
    for (; set >= 0; set = links_[at(set)].before)
      if (links_[at(set)].test == test) return true;
    return false;
  }

 private:
  struct Link {
    Index test;
    Index before;  // the set without it
  };

  std::vector<Link> links_;
  std::vector<Index> last_;  // per node
};

// A case that lacks the tests of a set.
struct LackingRow {
  const LackedTests& lacked;
  Index set;

  bool missing(Index test) const { return lacked.has(set, test); }
};

NodePayments upfront(const Tree& tree, const Prices& prices, const LackedTests& lacked) {
  NodePayments found;
  Till till(prices);
  TestsBelow below(tree);
  std::vector<Index> open{0};
  while (!open.empty()) {
    const Index i = open.back();
    const Node& node = tree.node(i);
    open.pop_back();
    if (node.leaf()) continue;
    if (!till.has(node.feature)) {
      till.order(LackingRow{lacked, -1}, std::span(&node.feature, 1));
      found.orders.push_back({i, {till.entries().back()}});
    }
    for (Index b = node.n_children - 1; b >= 0; --b) open.push_back(node.first_child + b);
  }
  std::vector<double> bill(lacked.sets() + 1);  // by set; that of cases which lack nothing comes first
  for (std::size_t set = 0; set < bill.size(); ++set) {
    till.open();
    till.order(LackingRow{lacked, static_cast<Index>(set) - 1}, below.at(0));
    bill[set] = bill_so_far(till);
  }
  for (Index i = 0; i < tree.size(); ++i) found.bill.push_back(bill[at(lacked.set_of(i) + 1)]);
  return found;
}

class SequentialPayments {
 public:
  SequentialPayments(const Tree& tree, const Prices& prices, const LackedTests& lacked)
      : tree_(tree), lacked_(lacked), till_(prices), below_(tree), parent_(tree.nodes.size(), -1) {
    for (Index i = 0; i < tree.size(); ++i)
      for (Index b = 0; b < tree.node(i).n_children; ++b) parent_[at(tree.node(i).first_child + b)] = i;
    found_.bill.resize(tree.nodes.size());
  }

  NodePayments run() {
    std::vector<Index> starts{0};
    while (!starts.empty()) {
      const Index start = starts.back();
      starts.pop_back();
      arrive_at(start);
      open_.push_back({start, till_.mark()});
      while (!open_.empty()) {
        const Open next = open_.back();
        open_.pop_back();
        till_.undo(next.mark);
        visit(next, starts);
      }
    }
    return std::move(found_);
  }

 private:
  struct Open {
    Index node;
    Till::Mark mark;
  };

  LackingRow row(Index node) const { return {lacked_, lacked_.set_of(node)}; }

  // Buys what a case of the node has bought on its way to it.
  void arrive_at(Index node) {
    std::vector<Index> path;
    for (Index i = parent_[at(node)]; i >= 0; i = parent_[at(i)]) path.push_back(i);
    till_.open();
    for (auto i = path.rbegin(); i != path.rend(); ++i) till_.ask(row(node), below_, *i, tree_.node(*i).feature);
  }

  void visit(const Open& here, std::vector<Index>& starts) {
    found_.bill[at(here.node)] = bill_so_far(till_);
    const Node& node = tree_.node(here.node);
    if (node.leaf()) return;
    const bool paid_above = till_.has(node.feature);
    if (!paid_above) {
      till_.ask(row(here.node), below_, here.node, node.feature);
      const auto bought = till_.entries().subspan(here.mark.bought);
      found_.orders.push_back({here.node, {bought.begin(), bought.end()}});
    }
    // The cases that have no value of the test come with what they had here; those whose test was ordered above have not paid for that.
    // They come first, and so are visited last: their undoing takes back what the other branches begin with.
    const auto lacks_more = [&](Index child) { return lacked_.set_of(child) != lacked_.set_of(here.node); };
    for (Index b = 0; b < node.n_children; ++b) {
      const Index child = node.first_child + b;
      if (!lacks_more(child)) continue;
      if (paid_above)
        starts.push_back(child);
      else
        open_.push_back({child, here.mark});
    }
    for (Index b = 0; b < node.n_children; ++b)
      if (const Index child = node.first_child + b; !lacks_more(child)) open_.push_back({child, till_.mark()});
  }

  const Tree& tree_;
  const LackedTests& lacked_;
  Till till_;
  TestsBelow below_;
  std::vector<Index> parent_;
  std::vector<Open> open_;
  NodePayments found_;
};

}  // namespace

NodePayments node_payments(const Tree& tree, const Prices& prices) {
  require_prices(tree, prices);
  const LackedTests lacked(tree, prices);
  return prices.upfront() ? upfront(tree, prices, lacked) : SequentialPayments(tree, prices, lacked).run();
}

}  // namespace thriftwood
