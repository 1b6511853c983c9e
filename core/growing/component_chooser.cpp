#include "component_chooser.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "choice.hpp"
#include "merit_rules.hpp"
#include "node_budget.hpp"
#include "node_prices.hpp"
#include "offers.hpp"

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

// The number of what nobody clearly beats: the simplest kind, then the first candidate; as many as there are if none has any merit.
std::size_t best_of(std::span<const Component> found) {
  Merit top = no_merit;
  for (const Component& one : found)
    if (one.merit.tier > top.tier || (one.merit.tier == top.tier && one.merit.value > top.value)) top = one.merit;
  std::size_t best = found.size();
  if (top.tier < 0) return best;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!better(top, found[i].merit) && (best == found.size() || found[i].kind() < found[best].kind())) best = i;
  return best;
}

}  // namespace

ComponentChooser::ComponentChooser(Fit& fit) : fit_(fit), trials_(static_cast<std::size_t>(fit.pool.size())) {
  for (std::size_t worker = 0; worker < trials_.size(); ++worker) trials_[worker].workspace = fit.rows.make_workspace(static_cast<int>(worker));
}

void ComponentChooser::Search::take_note(const Merit& merit) {
  if (merit.tier > 0) free_found = true;
  if (merit.tier == 0) raise(rate, merit.value);
}

std::optional<Choice> ComponentChooser::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask_features(fit_, growing, open, workspace, pool);
  Search search{growing, open, workspace.offers, merit_rules(fit_, open, workspace.offers)};
  const std::vector<Offer> candidates = list_candidates(open, workspace);
  const std::vector<Component> found = find_components(search, candidates, workspace, pool);
  const std::size_t best = best_of(found);
  if (best == found.size()) return std::nullopt;
  return plan(search, candidates[best], found[best], trials_[static_cast<std::size_t>(workspace.worker)]);
}

std::vector<Offer> ComponentChooser::list_candidates(const OpenNode& open, Workspace& workspace) const {
  std::vector<Offer> candidates;
  const NodeView node = fit_.view(open.part, open.summary);
  for (std::size_t i = 0; i < workspace.offers.size(); ++i) {
    const Offer& offer = workspace.offers[i];
    if (!offer.admissible) continue;
    if (fit_.settings.nominal != NominalTests::Value || !fit_.table.column(offer.feature).nominal() || offer.position == any_value) {
      candidates.push_back(offer);
      continue;
    }
    for (Offer& value : fit_.rows.value_offers(open.part, node, i, workspace)) {
      value.price = offer.price;
      candidates.push_back(value);
    }
  }
  return candidates;
}

std::vector<Component> ComponentChooser::find_components(Search& search, std::span<const Offer> candidates, Workspace& workspace, ThreadPool* pool) {
  // What looks best alone comes first, so that the others are soon known not to beat it.
  for (const Offer& candidate : candidates)
    if (fit_.gains_enough(candidate, search.open.summary)) search.take_note(per_expense(candidate.gain, suppressed(candidate.price, search.rules)));
  const auto alone = [&](std::size_t i) { return candidates[i].gain - search.rate * suppressed(candidates[i].price, search.rules); };
  std::vector<std::size_t> sequence(candidates.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) { return alone(a) > alone(b); });
  std::vector<Component> found(candidates.size());
  const auto look = [&](std::size_t task, int worker) {
    const std::size_t i = sequence[task];
    found[i] = component_at(search, candidates[i], trials_[static_cast<std::size_t>(worker)]);
    if (!gains_enough(found[i], search.open.summary)) found[i] = {};
    search.take_note(found[i].merit);
  };
  const Part& part = search.open.part;
  if (ThreadPool* helpers = Fit::worth_waking(pool, fit_.rows.work(part) * part.features.size())) {
    helpers->run(candidates.size(), look);
  } else {
    for (std::size_t task = 0; task < candidates.size(); ++task) look(task, workspace.worker);
  }
  return found;
}

Component ComponentChooser::component_at(const Search& search, const Offer& candidate, Trial& trial) const {
  poll(fit_.rows.work(search.open.part));
  const Option root{candidate.gain, suppressed(candidate.price, search.rules)};
  const double rate = search.rate;
  if (root.expense > 0.0) {
    if (search.free_found) return {};
    // What the outcomes can add at most decides whether they are worth a look.
    const auto hopeless = [&](double most) { return root.gain - rate * root.expense + most < -doubt; };
    if (hopeless(most_gain(search.open.summary, fit_.settings))) return {};
    divide(search, candidate, trial);
    std::array<double, 2> most{};
    for (std::size_t side = 0; side < 2; ++side)
      if (trial.opened[side]) most[side] = trial.shares[side] * most_gain(trial.workspace.division.branches[side], fit_.settings);
    if (hopeless(most[0] + most[1])) return {};
    move(search, candidate, trial);
    for (std::size_t side = 0; side < 2; ++side) {
      ask_outcome(search, side, trial);
      most[side] = most_added(trial.options[side], rate);
      if (hopeless(most[0] + most[1])) return {};
    }
  } else {
    divide(search, candidate, trial);
    move(search, candidate, trial);
    for (std::size_t side = 0; side < 2; ++side) ask_outcome(search, side, trial);
  }
  return best_component(root, trial.options);
}

void ComponentChooser::divide(const Search& search, const Offer& candidate, Trial& trial) const {
  const OpenNode& open = search.open;
  mark_stand_ins(fit_, search.growing, open, candidate.feature, trial.workspace);
  fit_.rows.prepare(open.part, open.summary, trial.workspace);
  const Split split = fit_.rows.split(open.part, fit_.view(open.part, open.summary), candidate, trial.workspace);
  fit_.rows.weigh(open.part, open.summary, split, trial.workspace);
  trial.opened.assign(static_cast<std::size_t>(split.branches), false);
  for (std::size_t side = 0; side < 2; ++side) {
    const Summary& branch = trial.workspace.division.branches[side];
    trial.opened[side] = fit_.may_split(branch, open.depth + 1);
    trial.shares[side] = branch.weight / open.summary.weight;
  }
}

void ComponentChooser::move(const Search& search, const Offer& candidate, Trial& trial) const {
  const OpenNode& open = search.open;
  Workspace& workspace = trial.workspace;
  keep_features(fit_, search.offers, candidate, workspace.kept);
  trial.drawn.clear();
  mark_affordable_below(fit_, search.growing, open, candidate.feature, workspace);
  for (std::size_t place : workspace.kept)
    trial.drawn.push_back(search.offers[place].feature >= 0 && (workspace.affordable.empty() || workspace.affordable[place] != 0));
  trial.prices.clear();
  if (fit_.settings.prices != nullptr) {
    fill_basket(fit_, search.growing, open, workspace);
    workspace.basket->buy(candidate.feature);
    for (std::size_t place : workspace.kept) trial.prices.push_back(price_at(fit_, *workspace.basket, open.part.features[place]));
  }
  if (!trial.opened[0] && !trial.opened[1]) return;
  fit_.rows.copy(open.part, workspace.kept, trial.copy);
  std::iota(workspace.kept.begin(), workspace.kept.end(), std::size_t{0});
  fit_.rows.divide(trial.copy.part, trial.opened, workspace, fit_.workspaces, nullptr, trial.parts);
}

void ComponentChooser::ask_outcome(const Search& search, std::size_t side, Trial& trial) const {
  std::vector<Offer>& offers = trial.offers[side];
  std::vector<Option>& options = trial.options[side];
  offers.clear();
  options.clear();
  if (!trial.opened[side]) return;
  const Part& part = trial.parts[side];
  const Summary& summary = trial.workspace.division.branches[side];
  const NodeView node = fit_.view(part, summary);
  fit_.rows.prepare(part, summary, trial.workspace);
  for (std::size_t i = 0; i < part.features.size(); ++i) {
    if (!trial.drawn[i]) {
      offers.emplace_back();
      options.emplace_back();
      continue;
    }
    if (part.count >= worth_polling) poll(part.count);
    offers.push_back(fit_.rows.offer(part, node, i, trial.workspace, trial.workspace));
    Offer& offer = offers.back();
    if (!trial.prices.empty()) offer.price = trial.prices[i];
    const bool useful = offer.admissible && offer.gain > 0.0;
    const double expense = search.rules.price_weight * offer.price / search.rules.price_unit;
    options.push_back(useful ? Option{trial.shares[side] * offer.gain, trial.shares[side] * expense} : Option{});
  }
}

Choice ComponentChooser::plan(const Search& search, const Offer& root, const Component& component, Trial& trial) const {
  Choice choice = make_choice(fit_, search.growing, search.open, root, search.offers);
  choice.priority = rounded_priority(component.gain * search.open.summary.weight);
  if (component.kind() == 0) return choice;
  divide(search, root, trial);
  move(search, root, trial);
  choice.planned.resize(2);
  for (std::size_t side = 0; side < 2; ++side) {
    if (component.planned[side] < 0) continue;
    ask_outcome(search, side, trial);
    Choice& next = choice.planned[side];
    next.offer = trial.offers[side][static_cast<std::size_t>(component.planned[side])];
    keep_features(fit_, trial.offers[side], next.offer, next.kept);
    next.priority = infinity;
    next.settled = true;
  }
  return choice;
}

bool ComponentChooser::gains_enough(const Component& component, const Summary& summary) const {
  Offer whole;
  whole.gain = component.gain;
  return component.merit.tier >= 0 && fit_.gains_enough(whole, summary);
}

}  // namespace thriftwood
