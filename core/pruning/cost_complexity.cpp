#include "cost_complexity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "../tree/answer.hpp"

namespace thriftwood {

namespace {

// At `alpha` a node closes: the tree gains `risk` and loses `leaves`. Nodes of a leftist heap, largest alpha
// on top.
struct Closing {
  double alpha = infinity;
  double risk = 0.0;
  Index leaves = 0;
  Index left = -1, right = -1;
  Index rank = 1;
};

// The share of an inner node's risk that comes from training cases in no branch: their value is missing and their route is to stop. By
// error cost where the tree knows classes, else by weight.
double stopped_share(const Tree& tree, Index i, RiskMeasure measure) {
  const Node& node = tree.node(i);
  if (node.leaf() || node.missing_route != route_stop || node.risk <= 0.0 || node.weight <= 0.0) return 0.0;
  const bool by_cost = measure == RiskMeasure::Loss && !tree.regression;
  double stopped = by_cost ? node.risk : node.weight;
  for (Index b = 0; b < node.n_children; ++b)
    stopped -= by_cost ? expected_loss(tree.value(node.first_child + b), tree.loss, node.label) : tree.node(node.first_child + b).weight;
  const double whole = by_cost ? node.risk : node.weight;
  return stopped > tie_tolerance * whole ? stopped / whole : 0.0;
}

class Links {
 public:
  Links(const Tree& tree, RiskMeasure measure) : tree_(tree), closings_(tree.nodes.size()) {
    const double total = tree.node(0).weight;
    const double scale = total > 0.0 ? 1.0 / total : 1.0;
    below_.resize(tree.nodes.size());
    const auto risk = [&](const Node& n) { return scale * (measure == RiskMeasure::Loss ? n.risk : n.weight * n.impurity); };
    // Rounding leaves crumbs where R(node) = R(tree below); no link that matters is this small beside the
    // root's risk.
    crumb_ = tie_tolerance * std::abs(risk(tree.node(0)));
    for (Index i = tree.size() - 1; i >= 0; --i) {
      const double own = risk(tree.node(i)), stopped = own * stopped_share(tree, i, measure);
      full_ = {full_.risk + (tree.node(i).leaf() ? own : stopped), full_.leaves + (tree.node(i).leaf() ? 1 : 0)};
      link(i, own, stopped);
    }
  }

  // The alpha at which a node closes if nothing above it has closed before.
  double alpha(Index i) const { return closings_[static_cast<std::size_t>(i)].alpha; }

  std::vector<CcpStep> path() {
    std::vector<Closing> closings;
    for (Index& heap = below_[0].heap; heap >= 0; heap = pop(heap)) closings.push_back(closing(heap));
    std::ranges::reverse(closings);
    std::vector<CcpStep> steps{{0.0, full_.leaves, full_.risk}};
    for (const Closing& c : closings) {
      if (clearly_greater(c.alpha, steps.back().alpha)) steps.push_back(steps.back());
      CcpStep& step = steps.back();
      step = {c.alpha, step.leaves - c.leaves, step.risk + c.risk};
    }
    return steps;
  }

 private:
  struct Size {
    double risk = 0.0;
    Index leaves = 0;
  };
  struct Below {
    Size size;  // of the subtree once every closing in the heap has happened
    Index heap = -1;
  };

  // `stopped` is the risk of the cases that end at the inner node itself.
  void link(Index i, double risk, double stopped) {
    const Node& node = tree_.node(i);
    Below& below = below_[static_cast<std::size_t>(i)];
    if (node.leaf()) {
      below.size = {risk, 1};
      return;
    }
    below.size.risk = stopped;
    for (Index b = 0; b < node.n_children; ++b) {
      const Below& child = below_[static_cast<std::size_t>(node.first_child + b)];
      below.size = {below.size.risk + child.size.risk, below.size.leaves + child.size.leaves};
      below.heap = meld(below.heap, child.heap);
    }
    double alpha = closing_alpha(risk, below.size);
    while (below.heap >= 0 && alpha < closing(below.heap).alpha) {
      const Closing& later = closing(below.heap);
      below.size = {below.size.risk - later.risk, below.size.leaves + later.leaves};
      below.heap = pop(below.heap);
      alpha = closing_alpha(risk, below.size);
    }
    if (alpha == infinity) return;
    closing(i) = {alpha, risk - below.size.risk, below.size.leaves - 1, -1, -1, 1};
    below.heap = meld(below.heap, i);
    below.size = {risk, 1};
  }

  double closing_alpha(double risk, const Size& below) const {
    const double gain = risk - below.risk;
    if (gain <= crumb_) return 0.0;
    return below.leaves > 1 ? gain / (below.leaves - 1) : infinity;  // a single branch costs no leaf, so it never stops paying
  }

  Closing& closing(Index i) { return closings_[static_cast<std::size_t>(i)]; }

  // Leftist heap: the right spine is at most log2(size) long, which bounds the recursion.
  Index meld(Index a, Index b) {
    if (a < 0 || b < 0) return std::max(a, b);
    if (closing(a).alpha < closing(b).alpha) std::swap(a, b);
    Closing& top = closing(a);
    top.right = meld(top.right, b);
    const auto rank = [&](Index i) { return i < 0 ? 0 : closing(i).rank; };
    if (rank(top.left) < rank(top.right)) std::swap(top.left, top.right);
    top.rank = rank(top.right) + 1;
    return a;
  }

  Index pop(Index heap) { return meld(closing(heap).left, closing(heap).right); }

  const Tree& tree_;
  std::vector<Closing> closings_;
  std::vector<Below> below_;
  Size full_;
  double crumb_ = 0.0;
};

}  // namespace

std::vector<CcpStep> ccp_path(const Tree& tree, RiskMeasure measure) { return Links(tree, measure).path(); }

Tree prune_ccp(const Tree& tree, double alpha, RiskMeasure measure) {
  if (!(alpha >= 0.0)) throw InputError("The complexity price alpha is " + std::to_string(alpha) + ". It is 0 or more.");
  const Links links(tree, measure);
  Tree fresh = tree;
  for (Index i = 0; i < fresh.size(); ++i)
    if (!fresh.node(i).leaf() && !clearly_greater(links.alpha(i), alpha)) make_leaf(fresh.node(i));
  return compact(fresh);
}

std::vector<double> ccp_betas(std::span<const CcpStep> path) {
  std::vector<double> betas(path.size(), infinity);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) betas[i] = std::sqrt(path[i].alpha * path[i + 1].alpha);
  return betas;
}

double standard_error(std::span<const double> losses) {
  if (losses.empty()) throw InputError("The standard error of no losses is not defined. Give the loss of one case or more.");
  const auto n = static_cast<double>(losses.size());
  double mean = 0.0, spread = 0.0;
  for (double loss : losses) mean += loss / n;
  for (double loss : losses) spread += (loss - mean) * (loss - mean) / n;
  return std::sqrt(spread / n);
}

std::size_t choose_one_se(std::span<const SizeEstimate> candidates, double standard_errors) {
  if (candidates.empty()) throw InputError("There is no candidate tree to choose. Give one size with its risk or more.");
  if (!(standard_errors >= 0.0)) throw InputError("The number of standard errors is " + std::to_string(standard_errors) + ". It is 0 or more.");
  for (const SizeEstimate& c : candidates)
    if (!std::isfinite(c.risk) || !(c.standard_error >= 0.0))
      throw InputError("A candidate with " + std::to_string(c.leaves) + " leaves has risk " + std::to_string(c.risk) + " and standard error " +
                       std::to_string(c.standard_error) + ". Risks are finite, standard errors 0 or more.");
  double least = infinity;
  for (const SizeEstimate& c : candidates) least = std::min(least, c.risk);
  const auto smallest_within = [&](double limit) {
    std::size_t chosen = candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (clearly_greater(candidates[i].risk, limit)) continue;
      if (chosen == candidates.size() || candidates[i].leaves < candidates[chosen].leaves) chosen = i;
    }
    return chosen;
  };
  const SizeEstimate& minimum = candidates[smallest_within(least)];
  return smallest_within(least + standard_errors * minimum.standard_error);
}

}  // namespace thriftwood
