#include "grower.hpp"

#include <algorithm>
#include <utility>

#include "../tree/answer.hpp"
#include "node_budget.hpp"
#include "node_prices.hpp"

namespace thriftwood {

namespace {

// Work (see Chooser) below which a node becomes a subtree of its own when there are several threads.
constexpr std::size_t small_subtree = 1u << 13;

// Whether the model bought tests since the choice was made, which changes what others cost.
bool stale(const GrowingTree& growing, const Choice& choice) { return !choice.settled && choice.bought != growing.bought.size(); }

}  // namespace

Tree Grower::grow(std::span<const Row> subset) {
  const Part whole = rows_.whole(subset);
  const std::size_t cases = fit_.training_rows = rows_.cases(whole);
  const Summary summary = rows_.summary(whole);
  fit_.whole_weight = summary.weight;
  const bool apart = independent();
  if (!apart) rows_.keep();
  while (true) {
    GrowingTree growing = empty_tree(*chooser_);
    growing.tree.cases = weighted_cases(cases, summary.weight);
    describe(growing.tree, add_nodes(growing.tree, 1), summary, 0);
    std::vector<OpenNode> later;
    if (fit_.may_split(summary, 0)) {
      OpenNode root{0, 0, whole, summary};
      root.key = fit_.settings.seed;
      order_upfront(fit_, growing, root);
      push(growing, std::move(root), fit_.workspaces[0], &fit_.pool);
      const bool set_aside = fit_.pool.size() > 1 && apart && !chooser_->shares_small_nodes();
      run(growing, fit_.workspaces[0], &fit_.pool, set_aside ? &later : nullptr);
    }
    if (!growing.waiting.empty()) {
      fetch(growing);
      if (!apart) continue;  // what is known now changes what was bought meanwhile: begin anew, knowing more
      grow_waiting(growing, later);
      return compact(growing.tree);
    }
    if (fit_.settings.order == Order::Depth && later.empty()) return std::move(growing.tree);  // numbered as `compact` would
    graft(growing, later);
    return compact(growing.tree);
  }
}

void Grower::fetch(GrowingTree& growing) {
  growing.parts.clear();  // they may be all that keeps gathered cases
  std::vector<Part*> parts;
  for (OpenNode& open : growing.waiting) parts.push_back(&open.part);
  rows_.fetch(parts);
}

void Grower::grow_waiting(GrowingTree& growing, std::vector<OpenNode>& later) {
  const bool set_aside = fit_.pool.size() > 1 && !chooser_->shares_small_nodes();
  while (true) {
    for (OpenNode& open : std::exchange(growing.waiting, {})) push(growing, std::move(open), fit_.workspaces[0], &fit_.pool);
    run(growing, fit_.workspaces[0], &fit_.pool, set_aside ? &later : nullptr);
    graft(growing, later);  // now: the cases that were gathered for them make room for others
    later.clear();
    if (growing.waiting.empty()) return;
    fetch(growing);
  }
}

GrowingTree Grower::empty_tree(Chooser& chooser) const {
  GrowingTree growing(fit_.settings.order, chooser);
  growing.tree.regression = fit_.target.regression;
  growing.tree.width = fit_.target.regression ? 1 : fit_.target.classes;
  for (const Column& column : fit_.table.columns) growing.tree.feature_values.push_back(column.values);
  return growing;
}

GrowingTree Grower::single_leaf(const GrowingTree& growing, Index node, Chooser& chooser) const {
  GrowingTree single = empty_tree(chooser);
  single.bought = growing.bought;
  single.orders = growing.orders;
  single.ordered = growing.ordered;
  single.splits = growing.splits;
  single.leaves = growing.leaves;
  add_nodes(single.tree, 1);
  Node& root = single.tree.node(0) = growing.tree.node(node);
  root.first_child = -1;
  std::copy_n(growing.tree.value(node).begin(), single.tree.width, single.tree.value(0).begin());
  return single;
}

bool Grower::independent() const {
  const Settings& settings = fit_.settings;
  return settings.order == Order::Depth && settings.max_leaves == 0 && settings.max_splits == infinity && !fit_.paid_upfront() &&
         !may_order(settings.budget);
}

void Grower::describe(Tree& tree, Index number, const Summary& summary, Index label_if_empty) const {
  Node& node = tree.node(number);
  node.weight = std::max(0.0, summary.weight);
  node.impurity = summary.weight > 0.0 ? std::max(0.0, fit_.avoidable_cost(summary) / summary.weight) : 0.0;
  const std::span<double> values = tree.value(number);
  if (fit_.target.regression) {
    const bool by_median = fit_.settings.impurity == ImpurityName::AbsoluteError;
    values[0] = by_median ? summary.median : summary.centre + (summary.weight > 0.0 ? summary.cell[1] / summary.weight : 0.0);
    node.risk = std::max(0.0, summary.cost);
    return;
  }
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = std::max(0.0, summary.cell[c]);
  node.label = summary.weight > 0.0 ? cheapest_answer(values, {}) : label_if_empty;
  node.risk = std::max(0.0, summary.weight - values[static_cast<std::size_t>(node.label)]);
}

void Grower::push(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool) {
  open.number = growing.opened++;
  if (!rows_.ready(open.part)) {
    growing.waiting.push_back(std::move(open));
    return;
  }
  if (fit_.settings.order == Order::Best && !open.choice) {
    rows_.prepare(open.part, open.summary, workspace);
    open.choice = growing.chooser->choose(growing, open, workspace, pool);
    if (!open.choice) {
      if (fit_.paid_upfront() || open.order >= 0) growing.shelved.push_back(std::move(open));
      return;
    }
  }
  growing.open.push(std::move(open));
}

void Grower::run(GrowingTree& growing, Workspace& workspace, ThreadPool* pool, std::vector<OpenNode>* later) {
  while (!growing.open.empty() && static_cast<double>(growing.splits) < fit_.settings.max_splits) {
    if (growing.trial && fit_.stopped()) return;
    OpenNode open = growing.open.pop();
    poll(rows_.work(open.part));
    if (later != nullptr && rows_.at_hand(open.part) && growing.chooser->subtree_work(open.part) < small_subtree) {
      later->push_back(std::move(open));
      continue;
    }
    rows_.prepare(open.part, open.summary, workspace);
    if (open.choice && (stale(growing, *open.choice) || !may_take(fit_, growing, open, open.choice->offer.feature))) {
      open.choice.reset();  // what it would buy has another price now, or is beyond the budget, so its turn may come later
      push(growing, std::move(open), workspace, pool);
      continue;
    }
    if (!open.choice) open.choice = growing.chooser->choose(growing, open, workspace, pool);
    if (!open.choice) {
      growing.take_back(std::move(open.part));
      continue;
    }
    const std::size_t bought = growing.bought.size() + growing.ordered;
    expand(growing, std::move(open), workspace, pool);
    if (growing.bought.size() + growing.ordered == bought) continue;
    for (OpenNode& node : std::exchange(growing.shelved, {})) push(growing, std::move(node), workspace, pool);
  }
}

void Grower::grow_below(GrowingTree& growing, OpenNode&& root, Workspace& workspace) {
  push(growing, std::move(root), workspace, nullptr);
  run(growing, workspace, nullptr, nullptr);
}

void Grower::graft(GrowingTree& growing, std::vector<OpenNode>& later) {
  std::vector<Tree> subtrees(later.size());
  fit_.pool.run(later.size(), [&](std::size_t i, int worker) {
    OpenNode& open = later[i];
    GrowingTree subtree = single_leaf(growing, open.node, *growing.chooser);
    OpenNode root{0, open.depth, std::move(open.part), std::move(open.summary), std::move(open.path), open.path_factor, std::move(open.choice)};
    root.key = open.key;
    root.order = open.order;
    grow_below(subtree, std::move(root), fit_.workspaces[static_cast<std::size_t>(worker)]);
    subtrees[i] = std::move(subtree.tree);
  });
  for (std::size_t i = 0; i < later.size(); ++i) set_in(growing.tree, later[i].node, subtrees[i]);
}

void Grower::expand(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool) {
  const Settings& settings = fit_.settings;
  mark_stand_ins(fit_, growing, open, open.choice->offer.feature, workspace);
  const Split split = rows_.split(open.part, fit_.view(open.part, open.summary), open.choice->offer, workspace);
  if (settings.max_leaves > 0 && growing.leaves + static_cast<std::size_t>(split.branches) - 1 > static_cast<std::size_t>(settings.max_leaves))
    return;
  rows_.weigh(open.part, open.summary, split, workspace);
  const Index first = add_nodes(growing.tree, split.branches);
  install(growing.tree, open.node, first, split, open.choice->offer.gain + open.choice->offer.penalty);
  pay(fit_, growing, open);
  ++growing.splits;
  growing.leaves += static_cast<std::size_t>(split.branches) - 1;
  if (!describe_branches(growing, open, first, split, workspace.division.branches)) return growing.take_back(std::move(open.part));
  workspace.kept = std::move(open.choice->kept);
  growing.lend(workspace.division.branches.size());
  rows_.divide(open.part, growing.branch_open, workspace, fit_.workspaces, Fit::worth_waking(pool, rows_.work(open.part)), growing.parts);
  for (Index i = 0; i < split.branches; ++i) {
    // The newest open node is taken first in depth-first order, so the leftmost branch must be pushed last.
    const Index b = settings.order == Order::Depth ? split.branches - 1 - i : i;
    const auto at = static_cast<std::size_t>(b);
    if (!growing.branch_open[at]) continue;
    OpenNode branch{first + b, open.depth + 1, std::move(growing.parts[at]), std::move(workspace.division.branches[at]), open.path, open.path_factor};
    branch.key = key_below(open.key, static_cast<std::uint64_t>(b));
    branch.order = open.order;
    if (at < open.choice->planned.size() && open.choice->planned[at].offer.feature >= 0) branch.choice = std::move(open.choice->planned[at]);
    push(growing, std::move(branch), workspace, pool);
  }
  growing.take_back(std::move(open.part));
}

bool Grower::describe_branches(GrowingTree& growing, const OpenNode& open, Index first, const Split& split,
                               std::span<const Summary> summaries) const {
  Tree& tree = growing.tree;
  growing.branch_open.clear();
  bool any = false;
  for (Index b = 0; b < split.branches; ++b) {
    const Summary& summary = summaries[static_cast<std::size_t>(b)];
    describe(tree, first + b, summary, tree.node(open.node).label);
    if (fit_.target.regression && summary.weight <= 0.0) tree.value(first + b)[0] = tree.value(open.node)[0];
    const bool ends = fit_.settings.missing == Missing::Stay && b == split.missing_route;
    const bool may_split = !ends && fit_.may_split(summary, open.depth + 1);
    growing.branch_open.push_back(may_split);
    any = any || may_split;
  }
  return any;
}

}  // namespace thriftwood
