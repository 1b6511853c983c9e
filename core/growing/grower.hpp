// Grows a tree.
//
// 1. Take an open node (the newest, the oldest or the most promising, by `order`).
// 2. Ask every feature for its offer; the criterion's merit picks one, or none: the node stays a leaf.
// 3. Divide the node's cases; branches that cannot be split further stay leaves, the others are opened.
//
// Big nodes share their features among the pool's threads; small ones are set aside and then grown as whole subtrees, one thread each.
// Every subtree depends on its own cases alone, so the tree is the same for any number of threads.
#pragma once

#include <atomic>
#include <optional>

#include "../basics/thread_pool.hpp"
#include "../pruning/expected_cost.hpp"
#include "components.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

// Cells a node needs before it is worth waking other threads (about 10 microseconds of work each).
inline constexpr std::size_t worth_sharing = 1u << 15;
// Rows below which a node becomes a subtree task when there are several threads.
inline constexpr std::size_t subtree_rows = 1u << 13;

// How many of so many features a node asks; 0: all.
std::size_t features_drawn(const Settings& settings, std::size_t features);

class Grower {
 public:
  Grower(const Table& table, const Target& target, const Settings& settings, Rows& rows, ThreadPool& pool)
      : table_(table), target_(target), settings_(settings), rows_(rows), pool_(pool), expected_cost_(settings.prices, settings.loss, settings.cf) {
    features_drawn_ = features_drawn(settings, table.columns.size());
    for (int i = 0; i < pool.size(); ++i) {
      workspaces_.push_back(rows.make_workspace());
      if (settings.looks_ahead()) scouts_.emplace_back().workspace = rows.make_workspace();
    }
  }

  Tree grow(std::span<const Row> subset);

 private:
  // grower.cpp: which node next, and what becomes of it.

  // Whether subtrees know nothing of each other.
  bool independent() const {
    return settings_.order == Order::Depth && settings_.max_leaves == 0 && settings_.max_splits == infinity && !paid_together();
  }
  // Whether it is better to grow the whole subtree at once than to share the work of its first node.
  bool small(const Part& part) const { return (settings_.looks_ahead() ? rows_.work(part) : part.count) < subtree_rows; }
  bool paid_together() const { return settings_.prices != nullptr && settings_.prices->upfront(); }
  GrowingTree start() const;
  void describe(GrowingTree& growing, Index number, const Summary& summary, Index label_if_empty) const;
  bool may_split(const Summary& summary, int depth) const;
  // Whether one answer is right, or the best, for every case.
  bool pure(const Summary& summary) const;
  // Weight times impurity. The leaf cost of votes: without what would be lost if every case got its own best answer, as in regrets.
  double avoidable_cost(const Summary& summary) const {
    return settings_.impurity == ImpurityName::LeafCost ? summary.cost - summary.unavoidable : summary.cost;
  }
  void push(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool);
  void enqueue(GrowingTree& growing, OpenNode&& open) const;
  OpenNode take(GrowingTree& growing) const;
  void run(GrowingTree& growing, Workspace& workspace, ThreadPool* pool, std::vector<OpenNode>* later);
  // Grows every node set aside as a subtree of its own and sets it in its place.
  void graft(GrowingTree& growing, std::vector<OpenNode>& later);
  void expand(GrowingTree& growing, OpenNode&& open, Workspace& workspace, ThreadPool* pool);
  // Puts the test of an open node on the path of its branches, and on the list of the tree's tests.
  void pay(GrowingTree& growing, OpenNode& open) const;
  // Whether the model bought tests since the choice was made, which changes what others cost.
  bool stale(const GrowingTree& growing, const OpenNode& open) const { return !open.choice->settled && open.choice->bought != growing.bought.size(); }
  NodeView view(const OpenNode& open) const {
    return {target_, settings_, open.summary, rows_.whole_weights(open.part), training_rows_};
  }

  // choosing.cpp: which test it gets.

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool);
  // Fills workspace.offers: all features make their offer, or some that are drawn.
  void ask(const OpenNode& open, Workspace& workspace, ThreadPool* pool);
  void ask_some(const OpenNode& open, Workspace& workspace) const;
  std::optional<Choice> best(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers) const;
  // Puts into the workspace's basket what is paid at the node: given the tests on its path, or all tests of the tree if they are paid upfront.
  void fill_basket(const GrowingTree& growing, const OpenNode& open, Workspace& workspace) const;
  double price_at(const Workspace& workspace, Index feature) const;
  // What every test still costs at the node.
  void put_prices(const GrowingTree& growing, const OpenNode& open, Workspace& workspace) const;
  // What prices are measured by, as the settings' norm says.
  double price_unit() const;
  MeritRules merit_rules(const OpenNode& open, const std::vector<Offer>& offers) const;
  bool gains_enough(const Offer& offer, const Summary& summary) const;
  // By plain gain nothing beats a test that leaves no impurity, and features further on lose the tie; the branches will be leaves, so
  // nobody will miss their offers. (A seventh of the time of growing a small tree.)
  bool unbeatable(const Offer& offer, const Summary& summary) const;
  Choice chosen(const GrowingTree& growing, const OpenNode& open, const Offer& best, const std::vector<Offer>& offers) const;
  // The places of the features that may be tested below a node that takes this offer.
  void keep_features(const std::vector<Offer>& offers, const Offer& taken, std::vector<std::size_t>& kept) const;
  static double rounded_priority(double priority);
  // The mean gain of the admissible features, leaving out nominal ones with very many categories unless all the table's are like that.
  double average_gain(const std::vector<Offer>& offers) const;

  // sampling.cpp: which test it gets if trees drawn below every test decide.

  bool stopped() const { return settings_.stop != nullptr && settings_.stop->reached(); }
  std::vector<const Offer*> candidates(const OpenNode& open, const std::vector<Offer>& offers) const;
  std::optional<Choice> drawn(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers) const;
  std::optional<Choice> looked_ahead(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers, ThreadPool* pool);
  // The total of a candidate; infinity if growth is to stop.
  double estimated(const GrowingTree& growing, const OpenNode& open, Choice&& choice, Workspace& workspace);
  // The scores of the samples of one outcome.
  std::vector<double> sampled(const GrowingTree& stump, const OpenNode& outcome, Workspace& workspace);
  double score(const GrowingTree& stump, const OpenNode& outcome, const Tree& tree, Workspace& workspace) const;
  double own_cost(const GrowingTree& growing, const OpenNode& open, Index feature, Workspace& workspace) const;
  // A tree of one leaf, which is that node of the growing.
  GrowingTree seedling(const GrowingTree& growing, Index node) const;
  // The open node as the node of another tree, with cases of its own.
  OpenNode below(const OpenNode& open, Index node, Part&& part) const;

  // looking_ahead.cpp: which tests it gets, and its outcomes with it.

  // A node that is looking ahead, as all its scouts see it.
  struct Outlook {
    const GrowingTree& growing;
    const OpenNode& open;
    const std::vector<Offer>& offers;
    MeritRules rules;
    // Of the best component so far. What cannot reach it is not looked at further, which saves time and changes nothing.
    std::atomic<double> rate{0.0};
    std::atomic<bool> free_found{false};

    void take_note(const Merit& merit);
  };
  // workspace.offers are the node's, with their prices.
  std::optional<Choice> choose_component(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool);
  // The tests the root of a component may have: one of each feature, of nominal features one for each value.
  std::vector<Offer> list_candidates(const OpenNode& open, Workspace& workspace) const;
  // The best component with the candidate at its root; none if others are known to be better.
  Component component_at(const Outlook& outlook, const Offer& candidate, Scout& scout);
  // First how the candidate divides the cases, then the moving of a copy of them, then the offers of one outcome.
  void divide_on_trial(const OpenNode& open, const Offer& candidate, Scout& scout) const;
  void move_on_trial(const Outlook& outlook, const Offer& candidate, Scout& scout);
  void ask_outcome(const Outlook& outlook, std::size_t side, Scout& scout) const;
  Choice plan(const Outlook& outlook, const Offer& root, const Component& component, Scout& scout);
  bool component_gains_enough(const Component& component, const Summary& summary) const;

  const Table& table_;
  const Target& target_;
  const Settings& settings_;
  Rows& rows_;
  ThreadPool& pool_;
  std::vector<Workspace> workspaces_;
  std::vector<Workspace> sample_workspaces_;  // so that samples leave the node's workspace alone; empty unless there are any
  std::vector<Scout> scouts_;  // one for each workspace, when looking ahead
  std::size_t features_drawn_ = 0;  // at a node; 0: all are asked
  double price_unit_ = 1.0;
  std::size_t training_rows_ = 0;
  double whole_weight_ = 0.0;
  ExpectedCost expected_cost_;  // scores ACT's samples
};

}  // namespace thriftwood
