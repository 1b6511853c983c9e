#include "search_chooser.hpp"

#include <algorithm>

#include "choice.hpp"
#include "grower.hpp"
#include "offers.hpp"

namespace thriftwood {

namespace {

// Cuts of a numeric feature that are looked at beside the best one.
constexpr std::size_t cuts_tried = 8;
// Of what a node's mistakes cost.
constexpr double rounding = 1e-9;

}  // namespace

SearchChooser::SearchChooser(Fit& fit, Grower& grower) : fit_(fit), grower_(grower), best_(fit), workspaces_(fit.make_workspaces()) {}

std::optional<Choice> SearchChooser::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask_features(fit_, growing, open, workspace, pool);
  const std::vector<Offer> offers = workspace.offers;
  const int levels = levels_at(open.depth);
  if (levels < 2 || fit_.stopped()) return best_.pick(growing, open, offers);
  Candidates candidates = list(open, workspace);
  look(growing, open, candidates, offers, levels, pool, workspace.worker);
  if (candidates.empty()) return std::nullopt;
  std::size_t least = 0;
  for (std::size_t c = 1; c < candidates.size(); ++c)
    if (cheaper(open, candidates[c].total, candidates[least].total)) least = c;
  Candidate taken = candidates[least];
  refine(growing, open, candidates, taken, offers, levels, workspace, pool);
  if (fit_.stopped()) return best_.pick(growing, open, offers);  // not every total is there
  if (!clearly_greater(fit_.avoidable_cost(open.summary), taken.total)) return std::nullopt;
  return make_choice(fit_, growing, open, taken.offer, offers);
}

std::size_t SearchChooser::subtree_work(const Part& part) const { return fit_.rows.work(part) * part.features.size() * cuts_tried; }

int SearchChooser::levels_at(int depth) const {
  const int levels = fit_.settings.lookahead;
  return fit_.settings.max_depth > 0 ? std::min(levels, fit_.settings.max_depth - depth) : levels;
}

SearchChooser::Candidates SearchChooser::list(const OpenNode& open, Workspace& workspace) const {
  Candidates found;
  const std::vector<Offer> offers = workspace.offers;
  for (std::size_t place = 0; place < offers.size(); ++place) {
    const Offer& best = offers[place];
    if (best.feature < 0 || best.constant) continue;
    if (fit_.table.column(best.feature).nominal()) {
      if (fit_.settings.nominal != NominalTests::Value) {
        add(open, best, place, found);
        continue;
      }
      for (Offer& offer : fit_.rows.value_offers(open.part, fit_.view(open.part, open.summary), place, workspace)) {
        offer.price = best.price;
        add(open, offer, place, found);
      }
      continue;
    }
    add_cuts(open, best, place, {.most = cuts_tried}, workspace, found);
    const bool there =
        std::any_of(found.begin(), found.end(), [&](const Candidate& c) { return c.place == place && c.offer.position == best.position; });
    if (!there) add(open, best, place, found);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) { return saving(open, a.offer) > saving(open, b.offer); });
  return found;
}

void SearchChooser::add_cuts(const OpenNode& open, const Offer& best, std::size_t place, CutWindow window, Workspace& workspace,
                             Candidates& found) const {
  for (Offer& offer : fit_.rows.cut_offers(open.part, fit_.view(open.part, open.summary), place, window, workspace, workspace)) {
    offer.price = best.price;
    add(open, offer, place, found);
  }
}

void SearchChooser::add(const OpenNode& open, const Offer& offer, std::size_t place, Candidates& found) const {
  if (offer.admissible && fit_.gains_enough(offer, open.summary)) found.push_back({offer, place});
}

void SearchChooser::look(const GrowingTree& growing, const OpenNode& open, Candidates& candidates, std::span<const Offer> offers, int levels,
                         ThreadPool* pool, int worker) {
  const auto one = [&](std::size_t c, int by) {
    Choice choice = make_choice(fit_, growing, open, candidates[c].offer, offers);
    candidates[c].total = total(growing, copied(open), std::move(choice), levels, infinity, workspaces_[static_cast<std::size_t>(by)]);
  };
  if (ThreadPool* helpers = Fit::worth_waking(pool, fit_.rows.work(open.part) * candidates.size())) {
    helpers->run(candidates.size(), one, [this] { return !fit_.stopped(); });
  } else {
    for (std::size_t c = 0; c < candidates.size() && !fit_.stopped(); ++c) one(c, worker);
  }
}

void SearchChooser::refine(const GrowingTree& growing, const OpenNode& open, const Candidates& candidates, Candidate& taken,
                           std::span<const Offer> offers, int levels, Workspace& workspace, ThreadPool* pool) {
  const std::size_t place = taken.place;
  if (fit_.table.column(taken.offer.feature).nominal()) return;
  CutWindow window{.most = cuts_tried};
  const auto narrow = [&](const Candidate& other) {
    if (other.place != place) return;
    if (other.offer.position < taken.offer.position) window.after = std::max(window.after, other.offer.position);
    if (other.offer.position > taken.offer.position) window.before = std::min(window.before, other.offer.position);
  };
  std::for_each(candidates.begin(), candidates.end(), narrow);
  while (!fit_.stopped()) {
    Candidates closer;
    fit_.rows.prepare(open.part, open.summary, workspace);
    add_cuts(open, taken.offer, place, window, workspace, closer);
    std::erase_if(closer, [&](const Candidate& c) { return c.offer.position == taken.offer.position; });
    if (closer.empty()) return;
    look(growing, open, closer, offers, levels, pool, workspace.worker);
    closer.push_back(taken);
    for (const Candidate& c : closer)
      if (cheaper(open, c.total, taken.total)) taken = c;
    std::for_each(closer.begin(), closer.end(), narrow);
  }
}

double SearchChooser::total(const GrowingTree& growing, OpenNode&& open, Choice&& choice, int levels, double most, Workspace& workspace) {
  double sum = charge(open, choice.offer);
  GrowingTree stump = grower_.single_leaf(growing, open.node, opener_);
  open.node = 0;
  open.choice = std::move(choice);
  fit_.rows.prepare(open.part, open.summary, workspace);
  grower_.expand(stump, std::move(open), workspace, nullptr);
  if (stump.tree.size() == 1) return infinity;  // the tree has as many leaves as it may
  std::vector<OpenNode> outcomes;
  while (!stump.open.empty()) outcomes.push_back(stump.open.pop());
  for (Index i = 1; i < stump.tree.size(); ++i)
    if (std::none_of(outcomes.begin(), outcomes.end(), [i](const OpenNode& outcome) { return outcome.node == i; }))
      sum += stump.tree.node(i).impurity * stump.tree.node(i).weight;
  // What costs most comes first: it may be enough to give up.
  std::stable_sort(outcomes.begin(), outcomes.end(), [&](const OpenNode& a, const OpenNode& b) { return a.summary.cost > b.summary.cost; });
  for (OpenNode& outcome : outcomes) {
    if (sum >= most || fit_.stopped()) return infinity;
    outcome.choice.reset();
    sum += value(stump, std::move(outcome), levels - 1, most - sum, workspace);
  }
  return sum;
}

double SearchChooser::value(const GrowingTree& growing, OpenNode&& open, int levels, double most, Workspace& workspace) {
  const double leaf = fit_.avoidable_cost(open.summary);
  if (levels < 1) return leaf;
  fit_.rows.prepare(open.part, open.summary, workspace);
  ask_features(fit_, growing, open, workspace, nullptr);
  if (levels == 1 || fit_.settings.rollouts) {
    std::optional<Choice> choice = best_.pick(growing, open, workspace.offers);
    if (!choice) return leaf;
    if (levels == 1) return leaf - std::max(0.0, saving(open, choice->offer));
    return std::min(leaf, total(growing, std::move(open), std::move(*choice), levels, infinity, workspace));
  }
  const std::vector<Offer> offers = workspace.offers;
  double least = std::min(leaf, most);
  for (const Candidate& candidate : list(open, workspace)) {
    Choice choice = make_choice(fit_, growing, open, candidate.offer, offers);
    least = std::min(least, total(growing, copied(open), std::move(choice), levels, least, workspace));
  }
  return least;
}

// Of equal ones the first stays, which saves most by itself. Totals are sums: what should be nothing is nothing up to rounding.
bool SearchChooser::cheaper(const OpenNode& open, double total, double than) const {
  return total < than - rounding * fit_.avoidable_cost(open.summary);
}

double SearchChooser::charge(const OpenNode& open, const Offer& offer) const {
  return offer.price * (fit_.paid_upfront() ? fit_.whole_weight : offer.known * open.summary.weight);
}

OpenNode SearchChooser::copied(const OpenNode& open) const {
  OpenNode copy{open.node, open.depth, fit_.rows.copied(open.part), open.summary, open.path, open.path_factor};
  copy.key = open.key;
  copy.order = open.order;
  return copy;
}

}  // namespace thriftwood
