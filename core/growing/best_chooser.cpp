#include "best_chooser.hpp"

#include <utility>

#include "choice.hpp"
#include "merit_rules.hpp"
#include "offers.hpp"

namespace thriftwood {

std::optional<Choice> BestChooser::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask_features(fit_, growing, open, workspace, pool);
  return pick(growing, open, workspace.offers, std::move(workspace.kept));
}

std::optional<Choice> BestChooser::pick(const GrowingTree& growing, const OpenNode& open, std::span<const Offer> offers,
                                        std::vector<std::size_t>&& memory) const {
  const AnyMerit& criterion = fit_.settings.merit;
  const MeritRules rules = merit_rules(fit_, open, offers);
  const Offer* best = nullptr;
  Merit best_merit = no_merit;
  const bool by_gain = std::holds_alternative<Gain>(criterion);
  for (const Offer& offer : offers) {
    if (!offer.admissible || !fit_.gains_enough(offer, open.summary)) continue;
    const Merit value = by_gain ? Gain::merit(offer, rules) : merit(criterion, offer, rules);
    if (value.tier >= 0 && better(value, best_merit)) {
      best = &offer;
      best_merit = value;
    }
  }
  if (best == nullptr) return std::nullopt;
  Choice choice = make_choice(fit_, growing, open, *best, offers, std::move(memory));
  if (priority_ == Priority::Merit) choice.priority = rounded_priority(best_merit.value);
  if (priority_ == Priority::MeritTimesWeight) choice.priority = rounded_priority(best_merit.value * open.summary.weight);
  return choice;
}

}  // namespace thriftwood
