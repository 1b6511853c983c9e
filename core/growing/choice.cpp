#include "choice.hpp"

#include <cmath>
#include <utility>

namespace thriftwood {

Choice make_choice(const Fit& fit, const GrowingTree& growing, const OpenNode& open, const Offer& offer, std::span<const Offer> offers,
                   std::vector<std::size_t>&& memory) {
  Choice choice;
  choice.bought = growing.bought.size();
  choice.kept = std::move(memory);
  choice.offer = offer;
  choice.priority = rounded_priority(offer.gain * open.summary.weight);
  keep_features(fit, offers, offer, choice.kept);
  return choice;
}

void keep_features(const Fit& fit, std::span<const Offer> offers, const Offer& taken, std::vector<std::size_t>& kept) {
  kept.clear();
  kept.reserve(offers.size());
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const bool used_up = offers[i].feature == taken.feature && fit.table.column(taken.feature).nominal() && !fit.settings.reuse_nominal;
    if (!offers[i].constant && !used_up) kept.push_back(i);
  }
}

double rounded_priority(double priority) {
  int exponent = 0;
  const double mantissa = std::frexp(priority, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 40)), exponent - 40);
}

std::vector<const Offer*> candidates(const Fit& fit, const OpenNode& open, std::span<const Offer> offers) {
  std::vector<const Offer*> found;
  for (const Offer& offer : offers)
    if (offer.admissible && fit.gains_enough(offer, open.summary)) found.push_back(&offer);
  return found;
}

}  // namespace thriftwood
