#include "merit_rules.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

// The mean gain of the admissible features, leaving out nominal ones with very many categories unless all the table's are like that.
double average_gain(const Fit& fit, std::span<const Offer> offers) {
  const bool all_large = std::all_of(fit.table.columns.begin(), fit.table.columns.end(), [&fit](const Column& column) {
    return column.nominal() && has_many_values(fit.settings, static_cast<std::size_t>(column.values), fit.training_rows);
  });
  double sum = 0.0, count = 0.0;
  for (const Offer& offer : offers)
    if (offer.admissible && (offer.counts_for_average || all_large)) {
      sum += offer.gain;
      count += 1.0;
    }
  return count > 0.0 ? sum / count : infinity;
}

}  // namespace

MeritRules merit_rules(const Fit& fit, const OpenNode& open, std::span<const Offer> offers) {
  const Settings& settings = fit.settings;
  MeritRules rules;
  if (settings.average_gain) rules.average_gain = average_gain(fit, offers);
  rules.slack = settings.slack;
  rules.reach = open.summary.weight / fit.whole_weight;
  rules.path_factor = open.path_factor;
  rules.paid_by_all = fit.paid_upfront();
  rules.price_weight = price_weight(settings.merit, rules.reach);
  rules.price_unit = fit.price_unit;
  return rules;
}

}  // namespace thriftwood
