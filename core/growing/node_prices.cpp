#include "node_prices.hpp"

#include <algorithm>

#include "node_budget.hpp"

namespace thriftwood {

void fill_basket(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace) {
  if (fit.settings.prices == nullptr) return;
  if (!workspace.basket) workspace.basket.emplace(*fit.settings.prices);
  workspace.basket->undo(0);
  for (Index feature : fit.paid_upfront() ? growing.bought : open.path) workspace.basket->buy(feature);
}

void put_prices(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace) {
  if (fit.settings.prices == nullptr) return;
  fill_basket(fit, growing, open, workspace);
  for (Offer& offer : workspace.offers) offer.price = offer.feature < 0 ? 0.0 : price_at(fit, *workspace.basket, offer.feature);
}

void pay(const Fit& fit, GrowingTree& growing, OpenNode& open) {
  const Offer& offer = open.choice->offer;
  if (offer.split_info > 0.0) open.path_factor /= offer.split_info;
  spend(fit, growing, open);
  if (fit.settings.prices == nullptr && !fit.settings.budget) return;
  if (!fit.paid_upfront()) {
    open.path.push_back(offer.feature);
    return;
  }
  const auto buy = [&growing](Index feature) {
    if (feature >= 0 && std::find(growing.bought.begin(), growing.bought.end(), feature) == growing.bought.end()) growing.bought.push_back(feature);
  };
  buy(offer.feature);
  for (const Choice& planned : open.choice->planned) buy(planned.offer.feature);  // the component is bought as a whole
}

}  // namespace thriftwood
