// Which component an open node gets when it looks ahead: every candidate for its root is divided on trial, and both outcomes are asked
// what their features offer.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "grower.hpp"

namespace thriftwood {

namespace {

// A test tells at most the bits of its outcomes, two or with missing values three, and no more than there is to tell.
double most_gain(const Summary& summary, const Settings& settings) {
  return std::min(has_own_branch(settings.missing) ? std::log2(3.0) : 1.0, summary.cost / summary.weight);
}

// Far more than rounding and ties can make of a difference between gains.
constexpr double doubt = 1e-9;

void raise(std::atomic<double>& rate, double value) {
  for (double known = rate.load(); value > known && !rate.compare_exchange_weak(known, value);) {
  }
}

}  // namespace

void Grower::Outlook::take_note(const Merit& merit) {
  if (merit.tier > 0) free_found = true;
  if (merit.tier == 0) raise(rate, merit.value);
}

std::optional<Choice> Grower::choose_component(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  Outlook outlook{growing, open, workspace.offers, merit_rules(open, workspace.offers)};
  const std::vector<Offer> candidates = list_candidates(open, workspace);
  // What looks best alone comes first, so that the others are soon known not to beat it.
  for (const Offer& candidate : candidates)
    if (gains_enough(candidate, open.summary)) outlook.take_note(Lasc::merit(candidate, outlook.rules));
  const auto alone = [&](std::size_t i) { return candidates[i].gain - outlook.rate * Lasc::expense(candidates[i].price, outlook.rules); };
  std::vector<std::size_t> sequence(candidates.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) { return alone(a) > alone(b); });
  std::vector<Component> found(candidates.size());
  const auto look = [&](std::size_t task, Scout& scout) {
    const std::size_t i = sequence[task];
    found[i] = component_at(outlook, candidates[i], scout);
    if (!component_gains_enough(found[i], open.summary)) found[i] = {};
    outlook.take_note(found[i].merit);
  };
  Scout& own = scouts_[static_cast<std::size_t>(&workspace - workspaces_.data())];
  if (pool != nullptr && pool->size() > 1 && rows_.work(open.part) * open.part.features.size() >= worth_sharing) {
    pool->run(candidates.size(), [&](std::size_t task, int worker) { look(task, scouts_[static_cast<std::size_t>(worker)]); });
  } else {
    for (std::size_t task = 0; task < candidates.size(); ++task) look(task, own);
  }
  Merit top = no_merit;
  for (const Component& one : found)
    if (one.merit.tier > top.tier || (one.merit.tier == top.tier && one.merit.value > top.value)) top = one.merit;
  if (top.tier < 0) return std::nullopt;
  // Whatever nobody clearly beats: the simplest kind, then the first candidate.
  std::size_t best = found.size();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!better(top, found[i].merit) && (best == found.size() || found[i].kind() < found[best].kind())) best = i;
  return plan(outlook, candidates[best], found[best], own);
}

std::vector<Offer> Grower::list_candidates(const OpenNode& open, Workspace& workspace) const {
  std::vector<Offer> candidates;
  const NodeView node = view(open);
  for (std::size_t i = 0; i < workspace.offers.size(); ++i) {
    const Offer& offer = workspace.offers[i];
    if (!offer.admissible) continue;
    if (settings_.nominal != NominalTests::Value || !table_.column(offer.feature).nominal()) {
      candidates.push_back(offer);
      continue;
    }
    for (Offer& value : rows_.value_offers(open.part, node, i, workspace)) {
      value.price = offer.price;
      candidates.push_back(value);
    }
  }
  return candidates;
}

Component Grower::component_at(const Outlook& outlook, const Offer& candidate, Scout& scout) {
  const Option root{candidate.gain, Lasc::expense(candidate.price, outlook.rules)};
  const double rate = outlook.rate;
  if (root.expense > 0.0) {
    if (outlook.free_found) return {};
    // What the outcomes can add at most decides whether they are worth a look.
    const auto hopeless = [&](double most) { return root.gain - rate * root.expense + most < -doubt; };
    if (hopeless(most_gain(outlook.open.summary, settings_))) return {};
    divide_on_trial(outlook.open, candidate, scout);
    std::array<double, 2> most{};
    for (std::size_t side = 0; side < 2; ++side)
      if (scout.opened[side]) most[side] = scout.shares[side] * most_gain(scout.workspace.division.branches[side], settings_);
    if (hopeless(most[0] + most[1])) return {};
    move_on_trial(outlook, candidate, scout);
    for (std::size_t side = 0; side < 2; ++side) {
      ask_outcome(outlook, side, scout);
      most[side] = most_added(scout.options[side], rate);
      if (hopeless(most[0] + most[1])) return {};
    }
  } else {
    divide_on_trial(outlook.open, candidate, scout);
    move_on_trial(outlook, candidate, scout);
    for (std::size_t side = 0; side < 2; ++side) ask_outcome(outlook, side, scout);
  }
  return best_component(root, scout.options);
}

void Grower::divide_on_trial(const OpenNode& open, const Offer& candidate, Scout& scout) const {
  rows_.prepare(open.part, open.summary, scout.workspace);
  const Split split = rows_.split(open.part, view(open), candidate, scout.workspace);
  rows_.weigh(open.part, open.summary, split, scout.workspace);
  scout.opened.assign(static_cast<std::size_t>(split.branches), false);
  for (std::size_t side = 0; side < 2; ++side) {
    const Summary& branch = scout.workspace.division.branches[side];
    scout.opened[side] = may_split(branch, open.depth + 1);
    scout.shares[side] = branch.weight / open.summary.weight;
  }
}

void Grower::move_on_trial(const Outlook& outlook, const Offer& candidate, Scout& scout) {
  const OpenNode& open = outlook.open;
  Workspace& workspace = scout.workspace;
  keep_features(outlook.offers, candidate, workspace.kept);
  scout.drawn.clear();
  for (std::size_t place : workspace.kept) scout.drawn.push_back(outlook.offers[place].feature >= 0);
  scout.prices.clear();
  if (settings_.prices != nullptr) {
    fill_basket(outlook.growing, open, workspace);
    workspace.basket->buy(candidate.feature);
    for (std::size_t place : workspace.kept) scout.prices.push_back(price_at(workspace, open.part.features[place]));
  }
  if (!scout.opened[0] && !scout.opened[1]) return;
  rows_.copy(open.part, workspace.kept, scout.copy);
  std::iota(workspace.kept.begin(), workspace.kept.end(), std::size_t{0});
  rows_.divide(scout.copy.part, scout.opened, workspace, workspaces_, nullptr, scout.parts);
}

void Grower::ask_outcome(const Outlook& outlook, std::size_t side, Scout& scout) const {
  std::vector<Offer>& offers = scout.offers[side];
  std::vector<Option>& options = scout.options[side];
  offers.clear();
  options.clear();
  if (!scout.opened[side]) return;
  const Part& part = scout.parts[side];
  const Summary& summary = scout.workspace.division.branches[side];
  const NodeView node{target_, settings_, summary, rows_.whole_weights(part), training_rows_};
  rows_.prepare(part, summary, scout.workspace);
  for (std::size_t i = 0; i < part.features.size(); ++i) {
    if (!scout.drawn[i]) {
      offers.emplace_back();
      options.emplace_back();
      continue;
    }
    offers.push_back(rows_.offer(part, node, i, scout.workspace, scout.workspace));
    Offer& offer = offers.back();
    if (!scout.prices.empty()) offer.price = scout.prices[i];
    const bool useful = offer.admissible && offer.gain > 0.0;
    const double expense = outlook.rules.price_weight * offer.price / outlook.rules.price_unit;
    options.push_back(useful ? Option{scout.shares[side] * offer.gain, scout.shares[side] * expense} : Option{});
  }
}

Choice Grower::plan(const Outlook& outlook, const Offer& root, const Component& component, Scout& scout) {
  Choice choice = chosen(outlook.growing, outlook.open, root, outlook.offers);
  choice.priority = rounded_priority(component.gain * outlook.open.summary.weight);
  if (component.kind() == 0) return choice;
  divide_on_trial(outlook.open, root, scout);
  move_on_trial(outlook, root, scout);
  choice.planned.resize(2);
  for (std::size_t side = 0; side < 2; ++side) {
    if (component.planned[side] < 0) continue;
    ask_outcome(outlook, side, scout);
    Choice& next = choice.planned[side];
    next.offer = scout.offers[side][static_cast<std::size_t>(component.planned[side])];
    keep_features(scout.offers[side], next.offer, next.kept);
    next.priority = infinity;
    next.settled = true;
  }
  return choice;
}

bool Grower::component_gains_enough(const Component& component, const Summary& summary) const {
  Offer whole;
  whole.gain = component.gain;
  return component.merit.tier >= 0 && gains_enough(whole, summary);
}

}  // namespace thriftwood
