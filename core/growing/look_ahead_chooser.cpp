#include "look_ahead_chooser.hpp"

#include "choice.hpp"
#include "draw_keys.hpp"
#include "grower.hpp"
#include "offers.hpp"

namespace thriftwood {

namespace {

// The open node with cases of its own, as the root of a trial tree.
OpenNode trial_root(const Fit& fit, const OpenNode& open, Key key) {
  OpenNode root{0, open.depth, fit.rows.copied(open.part), open.summary, open.path, open.path_factor};
  root.key = key;
  root.order = open.order;
  return root;
}

}  // namespace

LookAheadChooser::LookAheadChooser(Fit& fit, Grower& grower)
    : fit_(fit),
      grower_(grower),
      best_(fit),
      drawn_(fit),
      score_(fit),
      sampling_(sampling_of(fit.settings.merit).value_or(Sampling{})),
      workspaces_(fit.make_workspaces()) {}

std::optional<Choice> LookAheadChooser::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask_features(fit_, growing, open, workspace, pool);
  const std::vector<Offer>& offers = workspace.offers;
  if (fit_.stopped()) return best_.pick(growing, open, offers);
  const std::vector<const Offer*> found = candidates(fit_, open, offers);
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return make_choice(fit_, growing, open, *found[0], offers);
  std::vector<double> totals(found.size(), infinity);
  const auto look = [&](std::size_t c, int worker) {
    totals[c] = total(growing, open, make_choice(fit_, growing, open, *found[c], offers), workspaces_[static_cast<std::size_t>(worker)]);
  };
  const std::size_t work = fit_.rows.work(open.part) * found.size() * static_cast<std::size_t>(fit_.settings.samples);
  if (ThreadPool* helpers = Fit::worth_waking(pool, work)) {
    helpers->run(found.size(), look, [this] { return !fit_.stopped(); });
  } else {
    for (std::size_t c = 0; c < found.size() && !fit_.stopped(); ++c) look(c, 0);
  }
  if (fit_.stopped()) return best_.pick(growing, open, offers);  // not every total is there
  std::size_t least = 0;
  for (std::size_t c = 1; c < found.size(); ++c)
    if (clearly_greater(totals[least], totals[c])) least = c;
  return make_choice(fit_, growing, open, *found[least], offers);
}

double LookAheadChooser::total(const GrowingTree& growing, const OpenNode& open, Choice&& candidate, Workspace& workspace) {
  const Index feature = candidate.offer.feature;
  double own = score_.of_test(growing, open, feature, workspace);
  GrowingTree stump = grower_.single_leaf(growing, open.node, best_);
  OpenNode root = trial_root(fit_, open, key_below(open.key, first_candidate + static_cast<std::uint64_t>(feature)));
  root.choice = std::move(candidate);
  fit_.rows.prepare(root.part, root.summary, workspace);
  grower_.expand(stump, std::move(root), workspace, nullptr);
  own += score_.of_stopped(stump.tree, 0);
  std::vector<std::vector<double>> outcomes;
  for (Index i = 1; i < stump.tree.size(); ++i) {
    const OpenNode* outcome = stump.open.find(i);
    outcomes.push_back(outcome != nullptr ? sample(stump, *outcome, workspace) : std::vector<double>{score_.of_leaf(stump.tree, i)});
    if (fit_.stopped()) return infinity;
  }
  return outcomes.empty() ? infinity : total_of(own, outcomes);  // none: the tree has as many leaves as it may
}

std::vector<double> LookAheadChooser::sample(const GrowingTree& stump, const OpenNode& outcome, Workspace& workspace) {
  std::vector<double> scores;
  for (int i = 0; i < fit_.settings.samples && !fit_.stopped(); ++i) {
    const bool greedy = i == 0 && sampling_.first_is_best;
    GrowingTree sampled = grower_.single_leaf(stump, outcome.node, greedy ? static_cast<Chooser&>(best_) : drawn_);
    sampled.trial = true;
    grower_.grow_below(sampled, trial_root(fit_, outcome, key_below(outcome.key, static_cast<std::uint64_t>(i))), workspace);
    scores.push_back(score_.of_subtree(stump, outcome, sampled.tree, workspace));
    if (sampled.tree.size() == 1) break;  // nothing to choose from, however often it is tried
  }
  if (scores.empty()) scores.push_back(infinity);
  return scores;
}

}  // namespace thriftwood
