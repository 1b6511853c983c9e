#include "drawn_chooser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choice.hpp"
#include "draw_keys.hpp"
#include "merit_rules.hpp"
#include "offers.hpp"

namespace thriftwood {

namespace {

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

std::optional<Choice> DrawnChooser::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask_features(fit_, growing, open, workspace, pool);
  const std::vector<const Offer*> found = candidates(fit_, open, workspace.offers);
  if (found.empty()) return std::nullopt;
  const MeritRules rules = merit_rules(fit_, open, workspace.offers);
  std::vector<Merit> merits;
  std::vector<double> weights, finishing;
  for (const Offer* offer : found) {
    merits.push_back(merit(fit_.settings.merit, *offer, rules));
    finishing.push_back(offer->gain * open.summary.weight >= open.summary.cost * (1.0 - tie_tolerance) ? 1.0 : 0.0);
  }
  for (const Merit& one : merits) weights.push_back(in_scale(one, largest_scale(merits)));
  const bool finishes = sampling_.takes_finishing && std::find(finishing.begin(), finishing.end(), 1.0) != finishing.end();
  const std::size_t drawn = draw(finishes ? finishing : weights, key_below(open.key, test_draw));
  return make_choice(fit_, growing, open, *found[drawn], workspace.offers);
}

}  // namespace thriftwood
