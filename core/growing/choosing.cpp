// Which test an open node gets: every feature makes its offer, prices are put on them, the criterion's merit picks one.
#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "grower.hpp"

namespace thriftwood {

namespace {

constexpr std::uint64_t feature_draws = std::uint64_t{1} << 42;  // keys of draws are not those of branches, see sampling.cpp

}  // namespace

// To 40 bits: what differs by rounding is the same.
double Grower::rounded_priority(double priority) {
  int exponent = 0;
  const double mantissa = std::frexp(priority, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 40)), exponent - 40);
}

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

std::optional<Choice> Grower::choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  ask(open, workspace, pool);
  put_prices(growing, open, workspace);
  if (settings_.looks_ahead()) return choose_component(growing, open, workspace, pool);
  if (growing.choosing == Choosing::Drawn) return drawn(growing, open, workspace.offers);
  if (growing.choosing == Choosing::Sampled && !stopped()) return looked_ahead(growing, open, workspace.offers, pool);
  return best(growing, open, workspace.offers);
}

void Grower::ask(const OpenNode& open, Workspace& workspace, ThreadPool* pool) {
  const NodeView node = view(open);
  const std::size_t features = open.part.features.size();
  std::vector<Offer>& offers = workspace.offers;
  offers.resize(features);
  if (features_drawn_ > 0) {
    ask_some(open, workspace);
  } else if (pool != nullptr && pool->size() > 1 && rows_.work(open.part) >= worth_sharing) {
    pool->run(features, [&](std::size_t place, int worker) {
      offers[place] = rows_.offer(open.part, node, place, workspace, workspaces_[static_cast<std::size_t>(worker)]);
    });
  } else {
    for (std::size_t place = 0; place < features; ++place) {
      new (&offers[place]) Offer(rows_.offer(open.part, node, place, workspace, workspace));  // made in its place: a copy would wait for all fields
      if (!unbeatable(offers[place], open.summary)) continue;
      std::fill(offers.begin() + static_cast<std::ptrdiff_t>(place) + 1, offers.end(), Offer{});  // not admissible
      break;
    }
  }
}

// Features in random order, until so many had something to offer that was not constant, and there is a test among them. Which come first
// depends on the node's key alone.
void Grower::ask_some(const OpenNode& open, Workspace& workspace) const {
  const NodeView node = view(open);
  const Key key = key_below(open.key, feature_draws);
  std::vector<Offer>& offers = workspace.offers;
  std::vector<std::size_t>& places = workspace.places;
  std::fill(offers.begin(), offers.end(), Offer{});
  places.resize(offers.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::size_t asked = 0;
  bool found = false;
  for (std::size_t i = 0; i < places.size() && !(found && asked >= features_drawn_); ++i) {
    std::swap(places[i], places[i + draw_below(key_below(key, i), places.size() - i)]);
    Offer& offer = offers[places[i]] = rows_.offer(open.part, node, places[i], workspace, workspace);
    asked += offer.constant ? 0 : 1;
    found = found || (offer.admissible && gains_enough(offer, open.summary));
    if (unbeatable(offer, open.summary)) break;
  }
}

std::optional<Choice> Grower::best(const GrowingTree& growing, const OpenNode& open, const std::vector<Offer>& offers) const {
  const MeritRules rules = merit_rules(open, offers);
  const Offer* best = nullptr;
  Merit best_merit = no_merit;
  const bool by_gain = std::holds_alternative<Gain>(settings_.merit);
  for (const Offer& offer : offers) {
    if (!offer.admissible || !gains_enough(offer, open.summary)) continue;
    const Merit value = by_gain ? Gain::merit(offer, rules) : merit(settings_.merit, offer, rules);
    if (value.tier >= 0 && better(value, best_merit)) {
      best = &offer;
      best_merit = value;
    }
  }
  if (best == nullptr) return std::nullopt;
  Choice choice = chosen(growing, open, *best, offers);
  // CSGain is already weighted by the node's share; its sum, as that of what splits save of the bill, is what the tree is to maximise.
  if (std::holds_alternative<CsGain>(settings_.merit) || std::holds_alternative<CsGainRatio>(settings_.merit)) choice.priority = rounded_priority(best_merit.value);
  if (std::holds_alternative<TotalCost>(settings_.merit)) choice.priority = rounded_priority(best_merit.value * open.summary.weight);
  return choice;
}

void Grower::fill_basket(const GrowingTree& growing, const OpenNode& open, Workspace& workspace) const {
  if (settings_.prices == nullptr) return;
  if (!workspace.basket) workspace.basket.emplace(*settings_.prices);
  workspace.basket->undo(0);
  for (Index feature : settings_.prices->upfront() ? growing.bought : open.path) workspace.basket->buy(feature);
}

void Grower::put_prices(const GrowingTree& growing, const OpenNode& open, Workspace& workspace) const {
  if (settings_.prices == nullptr) return;
  fill_basket(growing, open, workspace);
  for (Offer& offer : workspace.offers) offer.price = offer.feature < 0 ? 0.0 : price_at(workspace, offer.feature);
}

double Grower::price_at(const Workspace& workspace, Index feature) const {
  return settings_.reuse_is_free ? workspace.basket->eff(feature) : settings_.prices->list_price(feature);
}

double Grower::price_unit() const {
  if (settings_.prices == nullptr || settings_.norm == PriceNorm::None) return 1.0;
  const Prices& prices = *settings_.prices;
  double largest = 0.0, sum = 0.0;
  for (Index test = 0; test < prices.tests(); ++test) {
    largest = std::max(largest, prices.list_price(test));
    sum += prices.list_price(test);
  }
  const double unit = settings_.norm == PriceNorm::Largest ? largest : settings_.norm == PriceNorm::Sum ? sum : sum / prices.tests();
  return unit > 0.0 ? unit : 1.0;  // where all is free, any unit will do
}

MeritRules Grower::merit_rules(const OpenNode& open, const std::vector<Offer>& offers) const {
  MeritRules rules;
  if (settings_.average_gain) rules.average_gain = average_gain(offers);
  rules.slack = settings_.slack;
  rules.reach = open.summary.weight / whole_weight_;
  rules.path_factor = open.path_factor;
  rules.max_path_factor = settings_.max_path_factor;
  rules.path_inclusive = settings_.path_inclusive;
  rules.info = settings_.info;
  rules.paid_by_all = paid_together();
  rules.gamma = settings_.gamma;
  rules.w = settings_.w;
  if (std::holds_alternative<Lasc>(settings_.merit)) {
    rules.price_weight = std::pow(rules.reach, settings_.alpha);
    rules.price_unit = price_unit_;
  }
  rules.allow_negative = settings_.allow_negative;
  return rules;
}

bool Grower::gains_enough(const Offer& offer, const Summary& summary) const {
  const double decrease = (offer.gain + offer.penalty) * summary.weight / whole_weight_;
  if (settings_.min_relative_gain > 0.0 && !((offer.gain + offer.penalty) * summary.weight >= settings_.min_relative_gain * avoidable_cost(summary))) return false;
  return offer.gain > settings_.gain_floor && decrease >= settings_.min_decrease * (1.0 - tie_tolerance);
}

bool Grower::unbeatable(const Offer& offer, const Summary& summary) const {
  return std::holds_alternative<Gain>(settings_.merit) && offer.admissible && !settings_.cut_penalty &&
         offer.gain * summary.weight >= summary.cost * (1.0 - tie_tolerance);
}

Choice Grower::chosen(const GrowingTree& growing, const OpenNode& open, const Offer& best, const std::vector<Offer>& offers) const {
  Choice choice;
  choice.bought = growing.bought.size();
  choice.offer = best;
  choice.priority = rounded_priority(best.gain * open.summary.weight);
  keep_features(offers, best, choice.kept);
  return choice;
}

void Grower::keep_features(const std::vector<Offer>& offers, const Offer& taken, std::vector<std::size_t>& kept) const {
  kept.clear();
  kept.reserve(offers.size());
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const bool used_up = offers[i].feature == taken.feature && table_.column(taken.feature).nominal() && !settings_.reuse_nominal;
    if (!offers[i].constant && !used_up) kept.push_back(i);
  }
}

double Grower::average_gain(const std::vector<Offer>& offers) const {
  const bool all_large = std::all_of(table_.columns.begin(), table_.columns.end(), [this](const Column& column) {
    return column.nominal() && has_many_values(settings_, static_cast<std::size_t>(column.values), training_rows_);
  });
  double sum = 0.0, count = 0.0;
  for (const Offer& offer : offers)
    if (offer.admissible && (offer.counts_for_average || all_large)) {
      sum += offer.gain;
      count += 1.0;
    }
  return count > 0.0 ? sum / count : infinity;
}

}  // namespace thriftwood
