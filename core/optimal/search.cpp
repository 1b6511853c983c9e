#include "search.hpp"

#include <numeric>
#include <string>

#include "../basics/random.hpp"

namespace thriftwood::optimal {

namespace {

// Sums of a million costs are right to about this part of them.
constexpr double rounding = 1e-11;

}  // namespace

Search::Search(const Cases& cases, const Prices* prices, const OptimalSettings& settings, Stop& stop, Tell tell)
    : cases_(cases),
      settings_(settings),
      stop_(stop),
      tell_(std::move(tell)),
      path_(cases, prices, settings.budget),
      lanes_(cases, !path_.bought_alike()),
      levels_(static_cast<std::size_t>(settings.depth) + 1) {
  const std::size_t columns = cases.columns.size();
  if (cases.countable) pairs_ = std::make_unique<Pairs>(cases);
  std::size_t groups = 0;
  for (const CaseColumn& column : cases.columns) groups += std::min<std::size_t>(column.values, cases.units);
  // A level has its view of every column: places, groups and their codes. Cuts of all columns are under way on the last but one.
  const std::size_t view = (columns * cases.units + 2 * groups) * sizeof(std::uint32_t);
  const std::size_t views = view * static_cast<std::size_t>(pairs_ ? std::max(settings.depth - 2, 0) : settings.depth);
  const std::size_t cuts = pairs_ ? 2 * pairs_->bytes() : groups * 3 * sizeof(double) + cases.units * 128;
  const std::size_t prices_of_pairs = columns * columns * sizeof(double);
  const std::size_t fixed = cases.bytes() + path_.bytes() + views + cuts + prices_of_pairs;
  if (fixed > settings.memory / 10 * 9)
    throw InputError("An optimal tree for " + std::to_string(cases.units) + " different cases and " + std::to_string(columns) +
                     " columns takes about " + std::to_string(fixed / 1'000'000 + 1) + " MB before the search begins, and " +
                     std::to_string(settings.memory / 1'000'000) + " MB are allowed. Allow more, or leave columns out.");
  cache_ = std::make_unique<Cache>(settings.memory - fixed);
  // What remains to be done when time ends: a view of all cells for every level, and questions for the cases that have none yet.
  const double per_cell = pairs_ ? 2.5e-9 : 2.5e-8;
  reserve_ = std::min(per_cell * static_cast<double>(columns * cases.units) * (settings.depth + 1), 0.3 * std::max(stop.left(), 0.0));
  Part all;
  all.units.resize(cases.units);
  std::iota(all.units.begin(), all.units.end(), 0u);
  all.measure(cases);
  tolerance_ = rounding * std::max(leaf_cost(cases, all), 0.0);
}

bool Search::stopped(std::size_t work) {
  work_left_ -= static_cast<double>(work);
  ended_ = ended_ || work_left_ < 0.0 || (tell_ && !tell_(root_cost_, root_lower_)) || stop_.reached() || stop_.left() < reserve_;
  return ended_;
}

SetKey Search::key_of(const Part& part, int depth, std::span<const std::uint32_t> columns) const {
  SetKey key = path_.signature(columns);
  key.toggle(part.key);
  key.toggle({key_below(7, static_cast<std::uint64_t>(depth)), key_below(8, static_cast<std::uint64_t>(depth))});
  return key;
}

Found Search::solve(const Part& part, int depth, double most) {
  Found found;
  const double leaf = leaf_cost(cases_, part), least = least_cost(cases_, part, depth);
  const auto as_leaf = [&] { return Found{leaf, leaf, {}, true}; };
  const auto at_least = [](double lower) { return Found{lower, infinity, {}, false}; };
  if (depth == 0 || part.units.size() < 2 || !better(least, leaf)) return as_leaf();
  if (!better(least, most)) return at_least(least);
  Level& level = levels_[static_cast<std::size_t>(depth)];
  const bool by_pairs = pairs_ && depth <= 2;
  double cheapest = infinity;
  if (by_pairs) {
    pairs_->lay(part);
    first_price_.resize(cases_.columns.size());
    for (std::uint32_t c : pairs_->columns()) cheapest = std::min(cheapest, part.weight * (first_price_[c] = path_.price(c)));
  } else {
    level.view.lay(cases_, part);
    level.price.resize(level.view.size());
    for (std::size_t i = 0; i < level.view.size(); ++i) {
      level.price[i] = path_.price(level.view[i].column);
      cheapest = std::min(cheapest, payers(part, level.view[i]) * level.price[i]);
    }
  }
  const double split = least + cases_.leaf_fee + cheapest;  // at least two leaves
  if (!better(split, leaf)) return as_leaf();
  if (!better(split, most)) return at_least(split);
  const SetKey key = key_of(part, depth, by_pairs ? std::span<const std::uint32_t>(pairs_->columns()) : level.view.numbers());
  double lower = split;
  if (const Known* known = cache_->find(key)) {
    const Question question{known->column, known->cut};
    if (known->state == Known::State::Exact) return {known->cost, known->cost, question, true};
    if (known->state == Known::State::Best && ended_) return {known->cost, leaf, question, false};
    lower = std::max(lower, known->cost);
    if (!better(lower, most)) return at_least(lower);
  }
  found = search(part, depth, most, level);
  found.lower = std::min(std::max(found.lower, lower), found.upper);
  Known known{key, found.lower, found.question.column, found.question.cut & 0x3fffffffu, Known::State::Bound};
  if (found.exact)
    known.state = Known::State::Exact;
  else if (found.upper < infinity)
    known.state = Known::State::Best;
  cache_->put(known);
  return found;
}

Found Search::search(const Part& part, int depth, double most, Level& level) {
  if (depth == 1) return one_level(part, level);
  if (ended_) {  // what is left is made quickly
    if (pairs_ && depth > 2) {
      pairs_->lay(part);
      first_price_.resize(cases_.columns.size());
      for (std::uint32_t c : pairs_->columns()) first_price_[c] = path_.price(c);
    }
    Found found = one_level(part, level);
    found.lower = least_cost(cases_, part, depth);
    found.exact = false;
    return found;
  }
  if (depth > 2) return more_levels(part, depth, most, level);
  return pairs_ ? two_levels_by_pairs(part) : two_levels_by_lanes(part, most, level);
}

// What became of looking for trees that cost less than `most`.
Found Search::finished(const Best& best, double most) {
  Found found = best.found;
  if (best.open < best.allowed) {  // ended early
    found.lower = best.open;
    return found;
  }
  if (found.upper < most) {
    found.lower = found.upper;
    found.exact = true;
    return found;
  }
  return {most, infinity, {}, false};
}

// The most that so many tests can cost a case from here on.
double Search::dearest_way(const Level& level, std::size_t tests) const {
  std::vector<double> prices;
  for (double price : level.price)
    if (price < infinity) prices.push_back(price);
  tests = std::min(tests, prices.size());
  std::partial_sort(prices.begin(), prices.begin() + static_cast<std::ptrdiff_t>(tests), prices.end(), std::greater<>());
  return std::min(path_.left(), std::accumulate(prices.begin(), prices.begin() + static_cast<std::ptrdiff_t>(tests), 0.0));
}

Found Search::more_levels(const Part& part, int depth, double most, Level& level) {
  const double leaf = leaf_cost(cases_, part);
  Best best{std::min(leaf, most), {}, infinity};
  if (leaf < most) best.found.upper = leaf;
  if (pairs_) {
    merits_by_pairs(part, level, best);
  } else {
    merits_by_lanes(part, level);
    const Found flat = solve(part, 2, best.allowed);
    if (flat.exact && better(flat.upper, best.allowed)) {
      best.found = {0.0, flat.upper, flat.question, false};
      best.allowed = flat.upper;
    }
  }
  const double least = least_cost(cases_, part, depth) + cases_.leaf_fee;
  const auto lower = [&](std::size_t i) { return least + level.price[i] * payers(part, level.view[i]); };
  std::vector<double> later(level.order.size() + 1, infinity);  // of the columns from each on: what they cost at least
  for (std::size_t k = level.order.size(); k-- > 0;) later[k] = std::min(later[k + 1], lower(level.order[k]));
  for (std::size_t k = 0; k < level.order.size(); ++k) {
    if (depth == settings_.depth) {
      root_cost_ = std::min(root_cost_, best.found.upper);
      root_lower_ = std::max(root_lower_, std::min(best.allowed, later[k]));
    }
    if (!better(lower(level.order[k]), best.allowed)) continue;
    if (stopped()) {
      best.open = std::min(best.open, later[k]);
      break;
    }
    try_column(part, depth, level, level.order[k], best);
  }
  return finished(best, most);
}

void Search::try_column(const Part& part, int depth, Level& level, std::size_t i, Best& best) {
  const ColumnView& column = level.view[i];
  const PathPrices::Mark mark = path_.mark();
  const Beside beside = price_and_missing(part, depth, level, i, best.allowed);
  if (better(beside.lower, best.allowed)) {
    const auto own = static_cast<Index>(column.column);
    path_.ask(column.column);
    switch (cases_.columns[column.column].asking) {
      case Asking::Cuts: try_cuts(part, depth, level, i, beside, best); break;
      case Asking::Every: try_question(part, depth, level, {own, 0}, beside, best); break;
      case Asking::Value:
        for (std::uint32_t code : column.codes) try_question(part, depth, level, {own, code}, beside, best);
        break;
    }
    path_.back_to(mark);
  }
}

Search::Beside Search::price_and_missing(const Part& part, int depth, Level& level, std::size_t i, double most) {
  const ColumnView& column = level.view[i];
  const double price = level.price[i] * payers(part, column);
  if (column.missing == 0 || !better(price, most)) return {price, price};
  const auto sorted = level.view.sorted(column);
  level.missing.units.clear();
  for (std::size_t k = column.known; k < sorted.size(); ++k) level.missing.units.push_back(part.units[sorted[k]]);
  level.missing.measure(cases_);
  const PathPrices::Mark mark = path_.mark();
  path_.go_without(column.column, mark);
  const Found found = solve(level.missing, settings_.missing == Missing::Stay ? 0 : depth - 1, most - price);
  path_.back_to(mark);
  return {price + found.lower, price + found.upper};
}

void Search::try_cuts(const Part& part, int depth, Level& level, std::size_t i, const Beside& beside, Best& best) {
  const ColumnView& column = level.view[i];
  if (level.cuts.empty()) level.cuts.resize(1);
  Cuts& cuts = level.cuts[0];
  cuts.begin(cases_, part, level.view, column, dearest_way(level, static_cast<std::size_t>(depth) - 1));
  while (const std::uint32_t cut = cuts.next(best.allowed - beside.lower - tolerance_)) {
    if (stopped()) {
      best.open = std::min({best.open, beside.lower + cuts.least(), beside.lower + cuts.least_left(cut) + cuts.least_right(cut)});
      return;
    }
    try_question(part, depth, level, {static_cast<Index>(column.column), column.code_of_cut(cut)}, beside, best, &cuts, cut);
  }
}

void Search::try_question(const Part& part, int depth, Level& level, const Question& question, const Beside& beside, Best& best, Cuts* cuts,
                          std::uint32_t cut) {
  divide(cases_, part, question, level.branches);
  const CaseColumn& column = cases_.columns[static_cast<std::size_t>(question.column)];
  const std::size_t n = column.asking == Asking::Every ? column.values : 2;
  std::vector<double> low(n);
  std::vector<std::size_t> order(n);
  double lower = beside.lower, upper = beside.upper;
  for (std::size_t b = 0; b < n; ++b) {
    low[b] = least_cost(cases_, level.branches[b], depth - 1);
    if (cuts != nullptr) low[b] = std::max(low[b], b == 0 ? cuts->least_left(cut) : cuts->least_right(cut));
    lower += low[b];
    order[b] = b;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return level.branches[a].units.size() > level.branches[b].units.size(); });
  // A branch that is known to cost more than is allowed rules out cuts nearby, the farther off the more it is known to cost: it is worth
  // knowing as much as rules out all that are being looked at.
  const double more = cuts != nullptr ? cuts->reach() : 0.0;
  bool all = true;
  for (std::size_t b : order) {
    all = better(lower, best.allowed);
    if (!all) break;
    const Found found = solve(level.branches[b], depth - 1, best.allowed - (lower - low[b]) + more);
    lower += std::max(found.lower - low[b], 0.0);
    low[b] = std::max(found.lower, low[b]);
    upper += found.upper;
  }
  if (cuts != nullptr) cuts->know(cut, low[0], low[1]);
  if (!all) return;
  const double allowed = best.allowed;
  if (better(upper, allowed)) {
    best.allowed = upper;
    best.found = {0.0, upper, question, false};
  }
  if (better(lower, std::min(upper, allowed))) best.open = std::min(best.open, lower);  // ended early
}

}  // namespace thriftwood::optimal
