#include "offers.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "draw_keys.hpp"
#include "node_budget.hpp"
#include "node_prices.hpp"

namespace thriftwood {

namespace {

// By plain gain nothing beats a test that leaves no impurity, and features further on lose the tie; the branches will be leaves, so
// nobody will miss their offers. (A seventh of the time of growing a small tree.)
bool unbeatable(const Fit& fit, const Offer& offer, const Summary& summary) {
  return std::holds_alternative<Gain>(fit.settings.merit) && offer.admissible && !fit.settings.cut_penalty &&
         offer.gain * summary.weight >= summary.cost * (1.0 - tie_tolerance);
}

bool affordable(const Workspace& workspace, std::size_t place) { return workspace.affordable.empty() || workspace.affordable[place] != 0; }

void ask_all(Fit& fit, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  const NodeView node = fit.view(open.part, open.summary);
  std::vector<Offer>& offers = workspace.offers;
  if (ThreadPool* helpers = Fit::worth_waking(pool, fit.rows.work(open.part))) {
    helpers->run(offers.size(), [&](std::size_t place, int worker) {
      offers[place] = affordable(workspace, place)
                          ? fit.rows.offer(open.part, node, place, workspace, fit.workspaces[static_cast<std::size_t>(worker)])
                          : Offer{};
    });
    return;
  }
  const std::size_t big = open.part.count < worth_polling ? 0 : open.part.count;
  for (std::size_t place = 0; place < offers.size(); ++place) {
    if (!affordable(workspace, place)) {
      offers[place] = Offer{};
      continue;
    }
    if (big > 0) poll(big);
    new (&offers[place]) Offer(fit.rows.offer(open.part, node, place, workspace, workspace));  // made in its place: a copy would wait for all fields
    if (!unbeatable(fit, offers[place], open.summary)) continue;
    std::fill(offers.begin() + static_cast<std::ptrdiff_t>(place) + 1, offers.end(), Offer{});  // not admissible
    return;
  }
}

// Features in random order, until so many had something to offer that was not constant, and there is a test among them. Which come first
// depends on the node's key alone.
void ask_some(const Fit& fit, const OpenNode& open, Workspace& workspace, std::size_t wanted) {
  const NodeView node = fit.view(open.part, open.summary);
  const Key key = key_below(open.key, feature_draws);
  std::vector<Offer>& offers = workspace.offers;
  std::vector<std::size_t>& places = workspace.places;
  std::fill(offers.begin(), offers.end(), Offer{});
  places.resize(offers.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::size_t asked = 0;
  bool found = false;
  const std::size_t big = open.part.count < worth_polling ? 0 : open.part.count;
  for (std::size_t i = 0; i < places.size() && !(found && asked >= wanted); ++i) {
    if (big > 0) poll(big);
    std::swap(places[i], places[i + draw_below(key_below(key, i), places.size() - i)]);
    if (!affordable(workspace, places[i])) continue;
    Offer& offer = offers[places[i]] = fit.rows.offer(open.part, node, places[i], workspace, workspace);
    asked += offer.constant ? 0 : 1;
    found = found || (offer.admissible && fit.gains_enough(offer, open.summary));
    if (unbeatable(fit, offer, open.summary)) break;
  }
}

}  // namespace

std::size_t features_drawn(const Settings& settings, std::size_t features) {
  const auto all = static_cast<double>(features);
  double drawn = all;
  switch (settings.feature_draw) {
    case FeatureDraw::All: return 0;
    case FeatureDraw::Number: drawn = settings.max_features; break;
    case FeatureDraw::Share: drawn = std::floor(settings.max_features * all * (1.0 + tie_tolerance)); break;
    case FeatureDraw::Root: drawn = std::floor(std::sqrt(all)); break;
  }
  return drawn >= all ? 0 : static_cast<std::size_t>(std::max(drawn, 1.0));
}

void ask_features(Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  workspace.offers.resize(open.part.features.size());
  mark_affordable(fit, growing, open, workspace);
  if (const std::size_t some = features_drawn(fit.settings, fit.table.columns.size())) {
    ask_some(fit, open, workspace, some);
  } else {
    ask_all(fit, open, workspace, pool);
  }
  put_prices(fit, growing, open, workspace);
}

}  // namespace thriftwood
