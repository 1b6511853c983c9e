#include "pessimistic.hpp"

#include <algorithm>
#include <utility>

#include "shares.hpp"

namespace thriftwood {

namespace {

constexpr double tolerance = 0.1;  // "no worse", in cases

class Pruner {
 public:
  Pruner(const Tree& tree, const Cases& cases, const PessimisticSettings& settings)
      : tree_(tree),
        shares_(tree_, cases),
        bound_(settings.cf, settings.z),
        raising_(settings.subtree_raising),
        states_(tree.nodes.size()),
        extra_(tree.values.size(), 0.0),
        scratch_(static_cast<std::size_t>(tree.width)) {}

  PessimisticResult run() {
    prune(0);
    const double estimate = states_[0].estimate;
    return {compact(tree_), estimate};
  }

 private:
  struct State {
    double estimate = 0.0;  // of the node's subtree as it now stands
    bool mixed = false;  // some case was split, or stopped at an inner node, in the subtree as it now stands
  };

  // Prunes the subtree of `start` with the cases that `shares_` holds for it.
  void prune(Index start) {
    const std::size_t first = order_.size();
    shares_.distribute(start, order_);
    for (std::size_t at = order_.size(); at-- > first;) settle(order_[at]);
    order_.resize(first);
  }

  // Class weights, answer and risk of a node from its cases.
  void weigh(Index i) {
    Node& node = tree_.node(i);
    const std::span<double> weights = tree_.value(i);
    if (node.leaf() || shares_.split_or_stopped(i))
      node.weight = sum(shares_.at(i), weights);
    else
      node.weight = sum_of_children(node, weights);
    for (std::size_t c = 0; c < weights.size(); ++c)
      if (clearly_greater(weights[c], weights[static_cast<std::size_t>(node.label)])) node.label = static_cast<Index>(c);
    node.risk = node.weight - weights[static_cast<std::size_t>(node.label)];
  }

  // Whole cases, each in one branch: the children have counted them.
  double sum_of_children(const Node& node, std::span<double> weights) const {
    std::ranges::fill(weights, 0.0);
    double total = 0.0;
    for (Index b = 0; b < node.n_children; ++b) {
      const std::span<const double> part = tree_.value(node.first_child + b);
      for (std::size_t c = 0; c < weights.size(); ++c) weights[c] += part[c];
      total += tree_.node(node.first_child + b).weight;
    }
    return total;
  }

  void settle(Index i) {
    weigh(i);
    Node& node = tree_.node(i);
    State& state = states_[static_cast<std::size_t>(i)];
    const double leaf = bound_.upper(node.weight, node.risk);
    state = {leaf, false};
    if (node.leaf()) return;

    double tree = stopped_estimate(i);
    bool mixed = shares_.split_or_stopped(i);
    for (Index b = 0; b < node.n_children; ++b) {
      const State& child = states_[static_cast<std::size_t>(node.first_child + b)];
      tree += child.estimate;
      mixed = mixed || child.mixed;
    }
    const Index heaviest = raising_ ? shares_.heaviest_branch(i) : -1;
    const double branch = heaviest < 0 ? infinity : branch_estimate(i, node.first_child + heaviest);

    if (leaf <= branch + tolerance && leaf <= tree + tolerance)
      make_leaf(node);
    else if (branch <= tree + tolerance)
      raise(i, node.first_child + heaviest);
    else
      state = {tree, mixed};
  }

  void raise(Index i, Index branch) {
    const std::size_t mark = shares_.lend(i, branch);
    prune(branch);
    shares_.release(mark);
    tree_.node(i) = tree_.node(branch);
    std::ranges::copy(tree_.value(branch), tree_.value(i).begin());
    states_[static_cast<std::size_t>(i)] = states_[static_cast<std::size_t>(branch)];
  }

  double branch_estimate(Index i, Index branch) {
    double estimate = 0.0;
    const bool plain = !shares_.split_or_stopped(i) && !states_[static_cast<std::size_t>(branch)].mixed;
    if (plain && add_cases(i, branch, estimate)) return estimate;
    const std::size_t mark = shares_.lend(i, branch);
    const std::size_t first = order_.size();
    shares_.distribute(branch, order_);
    for (std::size_t at = first; at < order_.size(); ++at) {
      const Index below = order_[at];
      estimate += tree_.node(below).leaf() ? bound_of(shares_.at(below)) : stopped_estimate(below);
    }
    order_.resize(first);
    shares_.release(mark);
    return estimate;
  }

  // The short way where no case is split: the branch's own cases stay where they are, so only the leaves that
  // the other branches' cases reach change. Says false, without an estimate, if one of those has a missing
  // value on its way.
  bool add_cases(Index i, Index branch, double& estimate) {
    bool whole = true;
    for (const auto& part : shares_.outside(i, branch)) {
      for (const Share& share : part) {
        const Index leaf = shares_.leaf_below(branch, share.row);
        if (leaf < 0) {
          whole = false;
          break;
        }
        extra_[static_cast<std::size_t>(leaf) * scratch_.size() + static_cast<std::size_t>(share.label)] += share.weight;
        touched_.push_back(leaf);
      }
      if (!whole) break;
    }
    double change = 0.0;
    for (const Index leaf : touched_) change += take_extra(leaf, whole);
    touched_.clear();
    estimate = whole ? states_[static_cast<std::size_t>(branch)].estimate + change : 0.0;
    return whole;
  }

  // How much the extra cases change a leaf's estimate; clears them, so a leaf that was touched twice counts
  // once.
  double take_extra(Index leaf, bool wanted) {
    const std::span<double> extra(extra_.data() + static_cast<std::size_t>(leaf) * scratch_.size(), scratch_.size());
    double added = 0.0, most = 0.0;
    const std::span<const double> own = std::as_const(tree_).value(leaf);
    for (std::size_t c = 0; c < extra.size(); ++c) {
      added += extra[c];
      most = std::max(most, own[c] + extra[c]);
    }
    std::ranges::fill(extra, 0.0);
    if (!wanted || added == 0.0) return 0.0;
    const double n = tree_.node(leaf).weight + added;
    return bound_.upper(n, n - most) - states_[static_cast<std::size_t>(leaf)].estimate;
  }

  // Adds the shares up by class; their weight is the result.
  static double sum(std::span<const Share> shares, std::span<double> weights) {
    std::ranges::fill(weights, 0.0);
    double total = 0.0;
    for (const Share& share : shares) {
      weights[static_cast<std::size_t>(share.label)] += share.weight;
      total += share.weight;
    }
    return total;
  }

  double bound_of(std::span<const Share> shares) {
    const double n = sum(shares, scratch_);
    return bound_.upper(n, n - std::ranges::max(scratch_));
  }

  // Cases that an inner node answers itself are a leaf of their own.
  double stopped_estimate(Index i) {
    const std::span<const Share> stopped = shares_.stopped(i);
    if (stopped.empty()) return 0.0;
    const double n = sum(stopped, scratch_);
    return bound_.upper(n, n - scratch_[static_cast<std::size_t>(tree_.node(i).label)]);
  }

  Tree tree_;
  SharesOfNodes shares_;
  ErrorBound bound_;
  bool raising_;
  std::vector<State> states_;
  std::vector<double> extra_;    // class weights on visit, by leaf; zero between visits
  std::vector<Index> touched_;   // leaves with visitors
  std::vector<double> scratch_;  // one number per class
  std::vector<Index> order_;     // nodes under way, parents before children
};

}  // namespace

PessimisticResult prune_pessimistic(const Tree& tree, const Cases& cases, const PessimisticSettings& settings) {
  require_class_answers(tree, "Pessimistic pruning");
  check_cases(tree, cases);
  return Pruner(tree, cases, settings).run();
}

Tree prune_pessimistic_counts(const Tree& tree, double cf, ZRule z) {
  require_class_answers(tree, "Pessimistic pruning");
  const ErrorBound bound(cf, z);
  Tree fresh = tree;
  std::vector<double> estimate(tree.nodes.size());
  for (Index i = tree.size(); i-- > 0;) {  // children come after their parents
    Node& node = fresh.node(i);
    const std::span<const double> weights = tree.value(i);
    for (std::size_t c = 0; c < weights.size(); ++c)
      if (clearly_greater(weights[c], weights[static_cast<std::size_t>(node.label)])) node.label = static_cast<Index>(c);
    node.risk = node.weight - weights[static_cast<std::size_t>(node.label)];
    double& own = estimate[static_cast<std::size_t>(i)];
    own = bound.upper(node.weight, node.risk);
    if (node.leaf()) continue;
    const std::vector<double> stopped = stopped_weights(tree, i);
    double n = 0.0, branches = 0.0;
    for (double weight : stopped) n += weight;
    if (n > 0.0) branches = bound.upper(n, n - stopped[static_cast<std::size_t>(node.label)]);
    for (Index b = 0; b < node.n_children; ++b) branches += estimate[static_cast<std::size_t>(node.first_child + b)];
    if (own <= branches + tolerance)
      make_leaf(node);
    else
      own = branches;
  }
  return compact(fresh);
}

}  // namespace thriftwood
