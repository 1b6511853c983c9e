#include "reduced_error.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "../basics/loss.hpp"
#include "../tree/walk.hpp"

namespace thriftwood {

namespace {

// What the validation cases lose at each node if it were a leaf, and at the end nodes of their walks.
struct Losses {
  std::vector<Index> parent;
  std::vector<double> as_leaf;
  std::vector<double> as_tree;         // first: of the walks that end at this node; after `add_up`: of the whole subtree
  double scale = 0.0;  // the largest loss anywhere, for telling rounding from difference

  // loss(row, node number): what one case loses if that node answers it.
  template <class SomeCases, class Loss>
  Losses(const Tree& tree, const SomeCases& cases, Loss&& loss)
      : parent(tree.nodes.size(), -1), as_leaf(tree.nodes.size(), 0.0), as_tree(tree.nodes.size(), 0.0) {
    for (Index i = 0; i < tree.size(); ++i)
      for (Index b = 0; b < tree.node(i).n_children; ++b) parent[at(tree.node(i).first_child + b)] = i;
    each_row(cases, [&](Row row) {
      const double weight = cases.weight(row);
      if (weight <= 0.0) return;
      walk(tree, TableRow{cases.table, row}, [&](Index end, double share) {
        as_tree[at(end)] += share * weight * loss(row, end);
        for (Index i = end; i >= 0; i = parent[at(i)]) as_leaf[at(i)] += share * weight * loss(row, i);
      });
    });
    for (std::size_t i = 0; i < as_leaf.size(); ++i) scale = std::max({scale, std::abs(as_leaf[i]), std::abs(as_tree[i])});
  }

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  // A loss in units so coarse that sums in another order agree.
  double rounded(double loss) const { return scale > 0.0 ? std::nearbyint(loss / (1e-10 * scale)) : 0.0; }

  void add_up() {
    for (std::size_t i = parent.size(); i-- > 1;) as_tree[at(parent[i])] += as_tree[i];
  }
};

void prune_bottom_up(Tree& tree, Losses& losses) {
  for (Index i = tree.size() - 1; i >= 0; --i) {
    const std::size_t at = Losses::at(i);
    Node& node = tree.node(i);
    if (!node.leaf() && losses.rounded(losses.as_leaf[at] - losses.as_tree[at]) <= 0.0) {
      make_leaf(node);
      losses.as_tree[at] = losses.as_leaf[at];
    }
    // Children have larger numbers, so this node's sum is complete before its parent's turn.
    if (i > 0) losses.as_tree[Losses::at(losses.parent[at])] += losses.as_tree[at];
  }
}

class GreedyLoop {
 public:
  GreedyLoop(Tree& tree, Losses& losses)
      : tree_(tree), losses_(losses), removed_(tree.nodes.size(), 0), rank_(reading_order(tree)), gone_(tree.nodes.size(), false) {
    losses_.add_up();
    for (Index i = tree_.size() - 1; i > 0; --i) removed(losses_.parent[Losses::at(i)]) += removed(i) + 1;
    for (Index i = 0; i < tree_.size(); ++i)
      if (!tree_.node(i).leaf()) queue_.push(candidate(i));
  }

  void run() {
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (out_of_date(best)) continue;
      if (best.gain < 0.0) return;
      prune(best.node);
    }
  }

 private:
  struct Candidate {
    double gain;    // rounded
    Index removes;  // how many nodes disappear
    Index rank;     // in reading order
    Index node;

    bool operator<(const Candidate& other) const {
      if (gain != other.gain) return gain < other.gain;
      if (removes != other.removes) return removes < other.removes;
      return rank > other.rank;
    }
  };

  static std::vector<Index> reading_order(const Tree& tree) {
    std::vector<Index> rank(tree.nodes.size(), 0), open{0};
    for (Index next = 0; !open.empty(); ++next) {
      const Index i = open.back();
      open.pop_back();
      rank[Losses::at(i)] = next;
      const Node& node = tree.node(i);
      for (Index b = node.n_children - 1; b >= 0; --b) open.push_back(node.first_child + b);
    }
    return rank;
  }

  Index& removed(Index i) { return removed_[Losses::at(i)]; }

  Candidate candidate(Index i) const {
    const std::size_t at = Losses::at(i);
    return {losses_.rounded(losses_.as_tree[at] - losses_.as_leaf[at]), removed_[at], rank_[at], i};
  }

  // An entry is replaced by a new one whenever something below its node was pruned.
  bool out_of_date(const Candidate& entry) const {
    if (gone_[Losses::at(entry.node)] || tree_.node(entry.node).leaf()) return true;
    const Candidate now = candidate(entry.node);
    return now.gain != entry.gain || now.removes != entry.removes;
  }

  void prune(Index i) {
    bury(i);
    make_leaf(tree_.node(i));
    const double saved = losses_.as_tree[Losses::at(i)] - losses_.as_leaf[Losses::at(i)];
    const Index fewer = removed(i);
    for (Index above = losses_.parent[Losses::at(i)]; above >= 0; above = losses_.parent[Losses::at(above)]) {
      losses_.as_tree[Losses::at(above)] -= saved;
      removed(above) -= fewer;
      queue_.push(candidate(above));
    }
  }

  void bury(Index top) {
    std::vector<Index> open{top};
    while (!open.empty()) {
      const Node& node = tree_.node(open.back());
      open.pop_back();
      for (Index b = 0; b < node.n_children; ++b) {
        gone_[Losses::at(node.first_child + b)] = true;
        open.push_back(node.first_child + b);
      }
    }
  }

  Tree& tree_;
  Losses& losses_;
  std::vector<Index> removed_;  // nodes below, as the tree now stands
  std::vector<Index> rank_;
  std::vector<bool> gone_;
  std::priority_queue<Candidate> queue_;
};

Tree prune(const Tree& tree, Losses losses, PruneOrder order) {
  Tree fresh = tree;
  if (order == PruneOrder::BottomUp)
    prune_bottom_up(fresh, losses);
  else
    GreedyLoop(fresh, losses).run();
  return compact(fresh);
}

}  // namespace

Tree prune_reduced_error(const Tree& tree, const Cases& validation, PruneOrder order, std::span<const double> error_costs) {
  if (tree.regression) throw InputError("This tree predicts numbers. Give the validation cases' target numbers instead of labels.");
  check_cases(tree, validation);
  const auto k = static_cast<std::size_t>(tree.width);
  const std::size_t answers = answers_of(error_costs, k);
  if (!fits_classes(error_costs, k) ||
      std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const Node& n) { return static_cast<std::size_t>(n.label) >= answers; }))
    throw InputError("The error costs have " + std::to_string(error_costs.size()) + " entries; " + std::to_string(k) + " classes need " +
                     std::to_string(k * k) + " (actual by predicted), and further answers of the tree as many again as there are classes.");
  for (double cost : error_costs)
    if (!std::isfinite(cost)) throw InputError("An error cost is " + std::to_string(cost) + ". Error costs are finite numbers.");
  const auto loss = [&](std::size_t row, Index i) {
    const auto actual = static_cast<std::size_t>(validation.labels[row]);
    const auto answer = static_cast<std::size_t>(tree.node(i).label);
    return error_costs.empty() ? (actual == answer ? 0.0 : 1.0) : error_costs[actual * answers + answer];
  };
  return prune(tree, Losses(tree, validation, loss), order);
}

Tree prune_reduced_error(const Tree& tree, const NumberCases& validation, PruneOrder order, NumberLoss measure) {
  if (!tree.regression) throw InputError("This tree has classes. Give the validation cases' labels instead of target numbers.");
  check_cases(tree, validation);
  const auto loss = [&](std::size_t row, Index i) {
    const double distance = validation.targets[row] - tree.value(i)[0];
    return measure == NumberLoss::Squared ? distance * distance : std::abs(distance);
  };
  return prune(tree, Losses(tree, validation, loss), order);
}

}  // namespace thriftwood
