#include "sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../pruning/expected_cost.hpp"
#include "grower.hpp"

namespace thriftwood {

namespace {

// Keys of what is drawn at a node must not be those of its branches, which have small numbers.
constexpr std::uint64_t own_draw = std::uint64_t{1} << 40, first_candidate = std::uint64_t{1} << 41;

// Powers of prices have scales far apart; shares are in proportion once all are in the largest.
std::int64_t largest_scale(const std::vector<Merit>& merits) {
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for (const Merit& one : merits)
    if (one.value > 0.0) largest = std::max(largest, one.scale);
  return largest;
}

double in_scale(const Merit& merit, std::int64_t scale) {
  if (!(merit.value > 0.0)) return 0.0;
  return std::ldexp(merit.value, static_cast<int>(std::max<std::int64_t>(merit.scale - scale, -4096)));  // 0 from about -2200 on
}

}  // namespace

std::vector<const Offer*> Grower::candidates(const OpenNode& open, const std::vector<Offer>& offers) const {
  std::vector<const Offer*> found;
  for (const Offer& offer : offers)
    if (offer.admissible && gains_enough(offer, open.summary)) found.push_back(&offer);
  return found;
}

std::optional<Choice> Grower::drawn(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers) const {
  const std::vector<const Offer*> found = candidates(open, offers);
  if (found.empty()) return std::nullopt;
  const MeritRules rules = merit_rules(open, offers);
  std::vector<Merit> merits;
  std::vector<double> weights, finishing;
  for (const Offer* offer : found) {
    merits.push_back(merit(settings_.merit, *offer, rules));
    finishing.push_back(offer->gain * open.summary.weight >= open.summary.cost * (1.0 - tie_tolerance) ? 1.0 : 0.0);
  }
  for (const Merit& one : merits) weights.push_back(in_scale(one, largest_scale(merits)));
  // SID3 takes a test that leaves nothing mixed, if there is one.
  const bool finishes = std::holds_alternative<Lsid3>(settings_.merit) && std::find(finishing.begin(), finishing.end(), 1.0) != finishing.end();
  return chosen(growing, open, *found[draw(finishes ? finishing : weights, key_below(open.key, own_draw))], offers);
}

std::optional<Choice> Grower::looked_ahead(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers, ThreadPool* pool) {
  const std::vector<const Offer*> found = candidates(open, offers);
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return chosen(growing, open, *found[0], offers);
  while (sample_workspaces_.size() < workspaces_.size()) sample_workspaces_.push_back(rows_.make_workspace());
  std::vector<double> totals(found.size(), infinity);
  const auto estimate = [&](std::size_t c, int worker) {
    totals[c] = estimated(growing, open, chosen(growing, open, *found[c], offers), sample_workspaces_[static_cast<std::size_t>(worker)]);
  };
  const std::size_t work = rows_.work(open.part) * found.size() * static_cast<std::size_t>(settings_.samples);
  if (pool != nullptr && pool->size() > 1 && work >= worth_sharing) {
    pool->run(found.size(), estimate, [this] { return !stopped(); });
  } else {
    for (std::size_t c = 0; c < found.size() && !stopped(); ++c) estimate(c, 0);
  }
  if (stopped()) return best(growing, open, offers);  // not every total is there
  std::size_t least = 0;
  for (std::size_t c = 1; c < found.size(); ++c)
    if (clearly_greater(totals[least], totals[c])) least = c;
  return chosen(growing, open, *found[least], offers);
}

double Grower::estimated(const GrowingTree& growing, const OpenNode& open, Choice&& choice, Workspace& workspace) {
  const Index feature = choice.offer.feature;
  const bool by_cost = std::holds_alternative<Act>(settings_.merit);
  double own = by_cost ? own_cost(growing, open, feature, workspace) : 0.0;
  GrowingTree stump = seedling(growing, open.node);
  OpenNode root = below(open, 0, rows_.copied(open.part));
  root.choice = std::move(choice);
  root.key = key_below(open.key, first_candidate + static_cast<std::uint64_t>(feature));
  rows_.prepare(root.part, root.summary, workspace);
  expand(stump, std::move(root), workspace, nullptr);
  if (by_cost) own += expected_cost_.mistakes_at(stump.tree, 0);
  std::vector<std::vector<double>> outcomes;
  for (Index i = 1; i < stump.tree.size(); ++i) {
    const auto outcome = std::find_if(stump.open.begin(), stump.open.end(), [i](const OpenNode& node) { return node.node == i; });
    if (outcome != stump.open.end()) {
      outcomes.push_back(sampled(stump, *outcome, workspace));
    } else {
      outcomes.push_back({by_cost ? expected_cost_.mistakes_at(stump.tree, i) : 1.0});
    }
    if (stopped()) return infinity;
  }
  return outcomes.empty() ? infinity : total_of(own, outcomes);  // none: the tree has as many leaves as it may
}

std::vector<double> Grower::sampled(const GrowingTree& stump, const OpenNode& outcome, Workspace& workspace) {
  std::vector<double> scores;
  for (int i = 0; i < settings_.samples && !stopped(); ++i) {
    GrowingTree sample = seedling(stump, outcome.node);
    const bool greedy = i == 0 && std::holds_alternative<Act>(settings_.merit);
    sample.choosing = greedy ? Choosing::Best : Choosing::Drawn;
    sample.sample = true;
    OpenNode root = below(outcome, 0, rows_.copied(outcome.part));
    root.key = key_below(outcome.key, static_cast<std::uint64_t>(i));
    rows_.prepare(root.part, root.summary, workspace);
    push(sample, std::move(root), workspace, nullptr);
    run(sample, workspace, nullptr, nullptr);
    scores.push_back(score(stump, outcome, sample.tree, workspace));
    if (sample.tree.size() == 1) break;  // nothing to choose from, however often it is tried
  }
  if (scores.empty()) scores.push_back(infinity);
  return scores;
}

double Grower::score(const GrowingTree& stump, const OpenNode& outcome, const Tree& tree, Workspace& workspace) const {
  if (!std::holds_alternative<Act>(settings_.merit)) return tree.leaves();
  fill_basket(stump, outcome, workspace);
  return expected_cost_.of(tree, workspace.basket, whole_weight_);
}

double Grower::own_cost(const GrowingTree& growing, const OpenNode& open, Index feature, Workspace& workspace) const {
  if (settings_.prices == nullptr) return 0.0;
  fill_basket(growing, open, workspace);
  return (settings_.prices->upfront() ? whole_weight_ : open.summary.weight) * workspace.basket->eff(feature);
}

GrowingTree Grower::seedling(const GrowingTree& growing, Index node) const {
  GrowingTree fresh = start();
  fresh.choosing = Choosing::Best;
  fresh.bought = growing.bought;
  fresh.splits = growing.splits;
  fresh.leaves = growing.leaves;
  add_nodes(fresh.tree, 1);
  Node& root = fresh.tree.node(0) = growing.tree.node(node);
  root.first_child = -1;
  std::copy_n(growing.tree.value(node).begin(), fresh.tree.width, fresh.tree.value(0).begin());
  return fresh;
}

OpenNode Grower::below(const OpenNode& open, Index node, Part&& part) const {
  OpenNode fresh{node, open.depth, std::move(part), open.summary, open.path, open.path_factor};
  fresh.key = open.key;
  return fresh;
}

}  // namespace thriftwood
