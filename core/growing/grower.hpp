// Grows a tree.
//
//   open node   a node that may still be split, with its part of the table
//   sprout      nodes grown so far, in the order they were made; `compact` gives them their final numbers
//
// 1. Take an open node (the newest, the oldest or the most promising, by `order`).
// 2. Ask every feature for its offer; the criterion's merit picks one, or none: the node stays a leaf.
// 3. Divide the node's cases; branches that cannot be split further stay leaves, the others are opened.
//
// Big nodes share their features among the team's threads; small ones are set aside and then grown as whole subtrees, one thread each.
// Every subtree depends on its own cases alone, so the tree is the same for any number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "../parallel.hpp"
#include "../tree/answer.hpp"
#include "rows.hpp"

namespace thriftwood {

// Cells a node needs before it is worth waking other threads (about 10 microseconds of work each).
inline constexpr std::size_t worth_sharing = 1u << 15;
// Rows below which a node becomes a subtree task when there are several threads.
inline constexpr std::size_t subtree_rows = 1u << 13;

class Grower {
 public:
  Grower(const Table& table, const Target& target, const Settings& settings, Rows& rows, Team& team)
      : table_(table), target_(target), settings_(settings), rows_(rows), team_(team) {
    for (int i = 0; i < team.size(); ++i) desks_.push_back(rows.desk());
  }

  Tree grow(std::span<const Row> subset) {
    Sprout sprout = start();
    Part part = rows_.whole(subset);
    training_rows_ = part.count;
    Summary summary = rows_.summary(part);
    whole_weight_ = summary.weight;
    describe(sprout, add_nodes(sprout, 1), summary, 0);
    std::vector<OpenNode> later;
    if (may_split(summary, 0)) {
      push(sprout, OpenNode{0, 0, std::move(part), std::move(summary)}, desks_[0], &team_);
      run(sprout, desks_[0], &team_, team_.size() > 1 && independent() ? &later : nullptr);
    }
    if (settings_.order == Order::Depth && later.empty()) return std::move(sprout.tree);  // numbered as `compact` would
    graft(sprout, later);
    return compact(sprout.tree);
  }

 private:
  struct Choice {
    Offer offer;
    std::vector<std::size_t> kept;  // places in part.features of the features that may be tested below the node
    double priority = 0.0;
    std::size_t bought = 0;         // features of the tree when the choice was made
  };
  struct OpenNode {
    Index node;
    int depth;
    Part part;
    Summary summary;
    std::vector<Index> path = {};  // sequential payment: the features tested above the node, in order
    double path_factor = 1.0;      // see MeritRules
    std::optional<Choice> choice = std::nullopt;  // best first: found when the node is opened
    std::size_t number = 0;        // of opening; the earlier one wins a tie
  };
  struct Sprout {
    Tree tree;
    std::deque<OpenNode> open;
    std::size_t opened = 0, splits = 0, leaves = 1;
    std::vector<Index> bought;     // upfront payment: the features of the tree, in the order of purchase
    std::vector<OpenNode> shelved; // best first, upfront: nodes with nothing worth its price until something more is bought
  };

  // Whether subtrees know nothing of each other.
  bool independent() const {
    return settings_.order == Order::Depth && settings_.max_leaves == 0 && settings_.max_splits == infinity && !paid_together();
  }
  bool paid_together() const { return settings_.prices != nullptr && settings_.prices->upfront(); }

  Sprout start() const {
    Sprout sprout;
    sprout.tree.regression = target_.regression;
    sprout.tree.width = target_.regression ? 1 : target_.classes;
    for (const Column& column : table_.columns) sprout.tree.feature_values.push_back(column.values);
    return sprout;
  }

  Index add_nodes(Sprout& sprout, Index count) const {
    const Index first = sprout.tree.size();
    sprout.tree.nodes.resize(static_cast<std::size_t>(first + count));
    sprout.tree.values.resize(sprout.tree.nodes.size() * static_cast<std::size_t>(sprout.tree.width), 0.0);
    return first;
  }

  void describe(Sprout& sprout, Index number, const Summary& summary, Index label_if_empty) const {
    Node& node = sprout.tree.node(number);
    node.weight = std::max(0.0, summary.weight);
    node.impurity = summary.weight > 0.0 ? std::max(0.0, summary.cost / summary.weight) : 0.0;
    const std::span<double> values = sprout.tree.value(number);
    if (target_.regression) {
      const bool by_median = settings_.impurity == ImpurityName::AbsoluteError;
      values[0] = by_median ? summary.median : summary.centre + (summary.weight > 0.0 ? summary.cell[1] / summary.weight : 0.0);
      node.risk = std::max(0.0, summary.cost);
      return;
    }
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = std::max(0.0, summary.cell[c]);
    node.label = summary.weight > 0.0 ? cheapest_answer(values, {}) : label_if_empty;
    node.risk = std::max(0.0, summary.weight - values[static_cast<std::size_t>(node.label)]);
  }

  bool may_split(const Summary& summary, int depth) const {
    if (settings_.max_depth > 0 && depth >= settings_.max_depth) return false;
    if (summary.weight < settings_.min_split_weight - 1e-9 || summary.weight <= 0.0) return false;
    return !pure(summary);
  }

  bool pure(const Summary& summary) const {
    if (target_.regression) return summary.constant;
    const double largest = *std::max_element(summary.cell.begin(), summary.cell.end());
    return summary.weight - largest <= tie_tolerance * summary.weight;
  }

  NodeView view(const OpenNode& open) const {
    return {target_, settings_, open.summary, rows_.whole_weights(open.part), training_rows_};
  }

  void push(Sprout& sprout, OpenNode&& open, Desk& desk, Team* team) {
    open.number = sprout.opened++;
    if (settings_.order == Order::Best) {
      rows_.sit_down(open.part, open.summary, desk);
      open.choice = choose(sprout, open, desk, team);
      if (!open.choice) {
        if (paid_together()) sprout.shelved.push_back(std::move(open));
        return;
      }
    }
    enqueue(sprout, std::move(open));
  }

  void enqueue(Sprout& sprout, OpenNode&& open) const {
    sprout.open.push_back(std::move(open));
    if (settings_.order == Order::Best) std::push_heap(sprout.open.begin(), sprout.open.end(), less_promising);
  }

  // Priorities are rounded when they are set, so equal ones are equal to the bit, and the earlier node wins.
  static bool less_promising(const OpenNode& a, const OpenNode& b) {
    if (a.choice->priority != b.choice->priority) return a.choice->priority < b.choice->priority;
    return a.number > b.number;
  }

  // To 40 bits: what differs by rounding is the same.
  static double rounded(double priority) {
    int exponent = 0;
    const double mantissa = std::frexp(priority, &exponent);
    return std::ldexp(std::round(std::ldexp(mantissa, 40)), exponent - 40);
  }

  OpenNode take(Sprout& sprout) const {
    if (settings_.order == Order::Best) std::pop_heap(sprout.open.begin(), sprout.open.end(), less_promising);
    const bool oldest = settings_.order == Order::Breadth;
    OpenNode open = std::move(oldest ? sprout.open.front() : sprout.open.back());
    oldest ? sprout.open.pop_front() : sprout.open.pop_back();
    return open;
  }

  void run(Sprout& sprout, Desk& desk, Team* team, std::vector<OpenNode>* later) {
    while (!sprout.open.empty() && static_cast<double>(sprout.splits) < settings_.max_splits) {
      OpenNode open = take(sprout);
      if (later != nullptr && open.part.count < subtree_rows) {
        later->push_back(std::move(open));
        continue;
      }
      rows_.sit_down(open.part, open.summary, desk);
      if (open.choice && stale(sprout, open)) {
        push(sprout, std::move(open), desk, team);  // what it would buy has another price now, so its turn may come later
        continue;
      }
      if (!open.choice) open.choice = choose(sprout, open, desk, team);
      if (!open.choice) continue;
      const std::size_t bought = sprout.bought.size();
      expand(sprout, std::move(open), desk, team);
      if (sprout.bought.size() == bought) continue;
      for (OpenNode& node : std::exchange(sprout.shelved, {})) push(sprout, std::move(node), desk, team);
    }
  }

  // Grows every node set aside as a subtree of its own and sets it in its place.
  void graft(Sprout& sprout, std::vector<OpenNode>& later) {
    std::vector<Sprout> subtrees(later.size());
    team_.run(later.size(), [&](std::size_t i, int member) {
      Sprout& subtree = subtrees[i] = start();
      OpenNode& open = later[i];
      Desk& desk = desks_[static_cast<std::size_t>(member)];
      add_nodes(subtree, 1);
      subtree.tree.node(0) = sprout.tree.node(open.node);
      std::copy_n(sprout.tree.value(open.node).begin(), subtree.tree.width, subtree.tree.value(0).begin());
      OpenNode root{0, open.depth, std::move(open.part), std::move(open.summary), std::move(open.path), open.path_factor};
      push(subtree, std::move(root), desk, nullptr);
      run(subtree, desk, nullptr, nullptr);
    });
    for (std::size_t i = 0; i < later.size(); ++i) set_in(sprout.tree, later[i].node, subtrees[i].tree);
  }

  static void set_in(Tree& tree, Index place, const Tree& subtree) {
    const Index shift = tree.size() - 1, map_shift = static_cast<Index>(tree.branch_map.size()),
                surrogate_shift = static_cast<Index>(tree.surrogates.size());
    const auto moved = [&](Node node) {
      if (node.first_child >= 0) node.first_child += shift;
      if (node.map_offset >= 0) node.map_offset += map_shift;
      if (node.n_surrogates > 0) node.first_surrogate += surrogate_shift;
      return node;
    };
    tree.node(place) = moved(subtree.node(0));
    for (Index i = 1; i < subtree.size(); ++i) tree.nodes.push_back(moved(subtree.node(i)));
    tree.values.insert(tree.values.end(), subtree.values.begin() + subtree.width, subtree.values.end());
    tree.branch_map.insert(tree.branch_map.end(), subtree.branch_map.begin(), subtree.branch_map.end());
    for (Surrogate surrogate : subtree.surrogates) {
      if (surrogate.map_offset >= 0) surrogate.map_offset += map_shift;
      tree.surrogates.push_back(surrogate);
    }
  }

  // Whether the model bought tests since the choice was made, which changes what others cost.
  bool stale(const Sprout& sprout, const OpenNode& open) const { return open.choice->bought != sprout.bought.size(); }

  // What every test still costs at the node: given the tests on its path, or all tests of the tree if they are paid upfront.
  void put_prices(const Sprout& sprout, const OpenNode& open, Desk& desk) const {
    if (settings_.prices == nullptr) return;
    const Prices& prices = *settings_.prices;
    if (!settings_.reuse_is_free) {
      for (Offer& offer : desk.offers) offer.price = offer.feature < 0 ? 0.0 : prices.list_price(offer.feature);
      return;
    }
    if (!desk.basket) desk.basket.emplace(prices);
    desk.basket->undo(0);
    for (Index feature : prices.upfront() ? sprout.bought : open.path) desk.basket->buy(feature);
    for (Offer& offer : desk.offers) offer.price = offer.feature < 0 ? 0.0 : desk.basket->eff(offer.feature);
  }

  MeritRules merit_rules(const OpenNode& open, const std::vector<Offer>& offers) const {
    MeritRules rules;
    if (settings_.average_gain) rules.average_gain = average_gain(offers);
    rules.slack = settings_.slack;
    rules.reach = open.summary.weight / whole_weight_;
    rules.path_factor = open.path_factor;
    rules.gamma = settings_.gamma;
    rules.w = settings_.w;
    rules.allow_negative = settings_.allow_negative;
    return rules;
  }

  std::optional<Choice> choose(const Sprout& sprout, const OpenNode& open, Desk& desk, Team* team) {
    const NodeView node = view(open);
    const std::size_t features = open.part.features.size();
    std::vector<Offer>& offers = desk.offers;
    offers.resize(features);
    if (team != nullptr && team->size() > 1 && rows_.work(open.part) >= worth_sharing) {
      team->run(features, [&](std::size_t place, int member) {
        offers[place] = rows_.offer(open.part, node, place, desk, desks_[static_cast<std::size_t>(member)]);
      });
    } else {
      for (std::size_t place = 0; place < features; ++place) {
        offers[place] = rows_.offer(open.part, node, place, desk, desk);
        if (!unbeatable(offers[place], open.summary)) continue;
        std::fill(offers.begin() + static_cast<std::ptrdiff_t>(place) + 1, offers.end(), Offer{});  // not admissible
        break;
      }
    }
    put_prices(sprout, open, desk);
    const MeritRules rules = merit_rules(open, offers);
    const Offer* best = nullptr;
    Merit best_merit = no_merit;
    const bool by_gain = std::holds_alternative<Gain>(settings_.merit);
    for (const Offer& offer : offers) {
      if (!offer.admissible || !gains_enough(offer, open.summary)) continue;
      const Merit value = by_gain ? Gain::merit(offer, rules) : merit(settings_.merit, offer, rules);
      if (value.tier >= 0 && better(value, best_merit)) {
        best = &offer;
        best_merit = value;
      }
    }
    if (best == nullptr) return std::nullopt;
    Choice choice = chosen(sprout, open, *best, offers);
    // CSGain is already weighted by the node's share, and its sum is what the tree is to maximise.
    if (std::holds_alternative<CsGain>(settings_.merit) || std::holds_alternative<CsGainRatio>(settings_.merit)) choice.priority = rounded(best_merit.value);
    return choice;
  }

  bool gains_enough(const Offer& offer, const Summary& summary) const {
    const double decrease = (offer.gain + offer.penalty) * summary.weight / whole_weight_;
    return offer.gain > settings_.gain_floor && decrease >= settings_.min_decrease * (1.0 - tie_tolerance);
  }

  // By plain gain nothing beats a test that leaves no impurity, and features further on lose the tie; the branches will be leaves, so
  // nobody will miss their offers. (A seventh of the time of growing a small tree.)
  bool unbeatable(const Offer& offer, const Summary& summary) const {
    return std::holds_alternative<Gain>(settings_.merit) && offer.admissible && !settings_.cut_penalty &&
           offer.gain * summary.weight >= summary.cost * (1.0 - tie_tolerance);
  }

  Choice chosen(const Sprout& sprout, const OpenNode& open, const Offer& best, const std::vector<Offer>& offers) const {
    Choice choice;
    choice.bought = sprout.bought.size();
    choice.offer = best;
    choice.priority = rounded(best.gain * open.summary.weight);
    choice.kept.reserve(offers.size());
    for (std::size_t i = 0; i < offers.size(); ++i) {
      const bool used_up = offers[i].feature == best.feature && table_.column(best.feature).nominal() && !settings_.reuse_nominal;
      if (!offers[i].constant && !used_up) choice.kept.push_back(i);
    }
    return choice;
  }

  // The mean gain of the admissible features, leaving out nominal ones with very many categories unless all the table's are like that.
  double average_gain(const std::vector<Offer>& offers) const {
    const bool all_large = std::all_of(table_.columns.begin(), table_.columns.end(), [this](const Column& column) {
      return column.nominal() && has_many_values(settings_, static_cast<std::size_t>(column.values), training_rows_);
    });
    double sum = 0.0, count = 0.0;
    for (const Offer& offer : offers)
      if (offer.admissible && (offer.counts_for_average || all_large)) {
        sum += offer.gain;
        count += 1.0;
      }
    return count > 0.0 ? sum / count : infinity;
  }

  void expand(Sprout& sprout, OpenNode&& open, Desk& desk, Team* team) {
    const NodeView node = view(open);
    const Split split = rows_.split(open.part, node, open.choice->offer, desk);
    if (settings_.max_leaves > 0 && sprout.leaves + static_cast<std::size_t>(split.branches) - 1 > static_cast<std::size_t>(settings_.max_leaves)) return;
    rows_.weigh(open.part, open.summary, split, desk);
    const Division& division = desk.division;
    const Index first = add_nodes(sprout, split.branches);
    install(sprout.tree, open.node, first, split, open.choice->offer.gain + open.choice->offer.penalty);
    pay(sprout, open);
    ++sprout.splits;
    sprout.leaves += static_cast<std::size_t>(split.branches) - 1;
    std::vector<bool> branch_open;
    for (Index b = 0; b < split.branches; ++b) {
      const Summary& summary = division.branches[static_cast<std::size_t>(b)];
      describe(sprout, first + b, summary, sprout.tree.node(open.node).label);
      if (target_.regression && summary.weight <= 0.0) sprout.tree.value(first + b)[0] = sprout.tree.value(open.node)[0];
      branch_open.push_back(may_split(summary, open.depth + 1));
    }
    if (std::none_of(branch_open.begin(), branch_open.end(), [](bool is_open) { return is_open; })) return;
    Team* movers = team != nullptr && team->size() > 1 && rows_.work(open.part) >= worth_sharing ? team : nullptr;
    desk.kept.swap(open.choice->kept);
    std::vector<Part> parts;
    rows_.divide(open.part, branch_open, desk, desks_, movers, parts);
    for (Index i = 0; i < split.branches; ++i) {
      // The newest open node is taken first in depth-first order, so the leftmost branch must be pushed last.
      const Index b = settings_.order == Order::Depth ? split.branches - 1 - i : i;
      const auto at = static_cast<std::size_t>(b);
      if (branch_open[at]) push(sprout, OpenNode{first + b, open.depth + 1, std::move(parts[at]), std::move(desk.division.branches[at]), open.path, open.path_factor}, desk, team);
    }
  }

  // Puts the test of an open node on the path of its branches, and on the list of the tree's tests.
  void pay(Sprout& sprout, OpenNode& open) const {
    const Offer& offer = open.choice->offer;
    if (offer.split_info > 0.0) open.path_factor /= offer.split_info;
    if (settings_.prices == nullptr) return;
    if (!settings_.prices->upfront()) {
      open.path.push_back(offer.feature);
      return;
    }
    if (std::find(sprout.bought.begin(), sprout.bought.end(), offer.feature) == sprout.bought.end()) sprout.bought.push_back(offer.feature);
  }

  static void install(Tree& tree, Index number, Index first_child, const Split& split, double gain) {
    Node& node = tree.node(number);
    node.kind = split.kind;
    node.feature = split.feature;
    node.threshold = split.threshold;
    node.first_child = first_child;
    node.n_children = split.branches;
    node.gain = gain;
    node.missing_route = split.missing_route;
    node.unseen_route = split.unseen_route;
    const auto add_map = [&tree](const std::vector<Index>& map) {
      const auto offset = static_cast<Index>(tree.branch_map.size());
      tree.branch_map.insert(tree.branch_map.end(), map.begin(), map.end());
      return offset;
    };
    if (split.kind == NodeKind::Nominal) node.map_offset = add_map(split.branch_of);
    node.first_surrogate = split.stand_ins.empty() ? 0 : static_cast<Index>(tree.surrogates.size());
    node.n_surrogates = static_cast<Index>(split.stand_ins.size());
    for (const StandIn& stand_in : split.stand_ins) {
      Surrogate surrogate = stand_in.test;
      if (surrogate.kind == NodeKind::Nominal) surrogate.map_offset = add_map(stand_in.branch_of);
      tree.surrogates.push_back(surrogate);
    }
  }

  const Table& table_;
  const Target& target_;
  const Settings& settings_;
  Rows& rows_;
  Team& team_;
  std::vector<Desk> desks_;
  std::size_t training_rows_ = 0;
  double whole_weight_ = 0.0;
};

}  // namespace thriftwood
