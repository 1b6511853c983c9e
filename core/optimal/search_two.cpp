// Search: the last two levels, each solved at once.
#include <numeric>

#include "search.hpp"

namespace thriftwood::optimal {

namespace {

struct Choice {
  double cost = infinity;
  std::uint32_t cut = 0;
};

// The best question about one column where leaves follow; without its price.
Choice best_leaves(const Cases& cases, const Part& part, const View& view, const ColumnView& column) {
  const std::size_t n = cases.answers;
  const auto sorted = view.sorted(column);
  const Asking asking = cases.columns[column.column].asking;
  std::vector<double> known(n, 0.0), lacking(n, 0.0), left(n, 0.0), right(n);
  double lacking_weight = 0.0, left_weight = 0.0;
  const auto add = [&](std::vector<double>& total, double& weight, std::uint32_t place) {
    const std::uint32_t u = part.units[place];
    for (std::size_t a = 0; a < n; ++a) total[a] += cases.cost[u * n + a];
    weight += cases.weight[u];
  };
  for (std::size_t i = column.known; i < sorted.size(); ++i) add(lacking, lacking_weight, sorted[i]);
  for (std::size_t a = 0; a < n; ++a) known[a] = part.total[a] - lacking[a];
  const double known_weight = part.weight - lacking_weight;
  const auto leaf = [&](const std::vector<double>& total, double weight) { return answers_cost(cases, total.data(), weight) + cases.leaf_fee; };
  const double beside = column.missing > 0 ? leaf(lacking, lacking_weight) : 0.0;
  Choice best;
  double every = 0.0;
  for (std::uint32_t g = 0; g < column.groups(); ++g) {
    if (asking != Asking::Cuts) {
      std::fill(left.begin(), left.end(), 0.0);
      left_weight = 0.0;
    }
    for (std::uint32_t i = column.begin_of(g); i < column.ends[g]; ++i) add(left, left_weight, sorted[i]);
    if (asking == Asking::Every) {
      every += leaf(left, left_weight);
      continue;
    }
    const bool all_left = asking == Asking::Cuts ? g + 1 == column.groups() : column.groups() == 1;
    if (all_left && column.missing == 0) continue;
    double cost = beside + leaf(left, left_weight);
    if (!all_left) {
      for (std::size_t a = 0; a < n; ++a) right[a] = known[a] - left[a];
      cost += leaf(right, known_weight - left_weight);
    }
    if (cost < best.cost) best = {cost, asking == Asking::Cuts ? column.code_of_cut(g + 1) : column.codes[g]};
  }
  return asking == Asking::Every ? Choice{beside + every, 0} : best;
}

}  // namespace

Found Search::one_level(const Part& part, Level& level) {
  const double leaf = leaf_cost(cases_, part);
  Found found{leaf, leaf, {}, true};
  const auto offer = [&](double cost, std::uint32_t column, std::uint32_t cut) {
    if (better(cost, found.upper)) found = {cost, cost, {static_cast<Index>(column), cut}, true};
  };
  if (pairs_) {
    const std::vector<double>& cost = pairs_->one_level(part, {first_price_.data(), nullptr, cases_.columns.size()});
    for (std::size_t q = 0; q < cost.size(); ++q) {
      const Pairs::Asked& asked = pairs_->questions()[pairs_->active()[q]];
      offer(cost[q], asked.column, asked.cut);
    }
    return found;
  }
  for (std::size_t i = 0; i < level.view.size(); ++i) {
    const ColumnView& column = level.view[i];
    const Choice choice = best_leaves(cases_, part, level.view, column);
    offer(choice.cost + level.price[i] * payers(part, column), column.column, choice.cut);
  }
  return found;
}

void Search::price_pairs(std::span<const std::uint32_t> columns) {
  const std::size_t n = cases_.columns.size();
  first_price_.resize(n);
  for (std::uint32_t c : columns) first_price_[c] = path_.price(c);
  if (!path_.any()) return;
  second_price_.resize(n * n);
  for (std::uint32_t c : columns) {
    double* row = second_price_.data() + c * n;
    const bool forbids = path_.forbids(c);
    const PathPrices::Mark mark = path_.mark();
    path_.ask(c);
    for (std::uint32_t other : columns) row[other] = forbids ? path_.price(other) : first_price_[other];
    for (std::uint32_t other : path_.affected(c)) row[other] = path_.price(other);
    row[c] = 0.0;
    path_.back_to(mark);
  }
}

// Per question that tells the part's units apart; trees, but not the best, if that ends the search.
const std::vector<double>& Search::two_levels_of_pairs(const Part& part) {
  price_pairs(pairs_->columns());
  const PairPrices prices{first_price_.data(), path_.any() ? second_price_.data() : nullptr, cases_.columns.size()};
  return pairs_->two_levels(part, prices, [this] { return !stopped(); });
}

Found Search::two_levels_by_pairs(const Part& part) {
  const double leaf = leaf_cost(cases_, part);
  Found found{leaf, leaf, {}, true};
  const std::vector<double>& cost = two_levels_of_pairs(part);
  const bool all = !ended_;
  static_cast<void>(stopped(cost.size() * (cost.size() + part.units.size() / 8)));
  for (std::size_t q = 0; q < cost.size(); ++q) {
    const Pairs::Asked& asked = pairs_->questions()[pairs_->active()[q]];
    if (better(cost[q], found.upper)) found = {cost[q], cost[q], {static_cast<Index>(asked.column), asked.cut}, true};
  }
  if (!all) {
    found.lower = least_cost(cases_, part, 2);
    found.exact = false;
  }
  return found;
}

// Columns in the order of the best trees of two levels that begin with them; the best of these is a first tree.
void Search::merits_by_pairs(const Part& part, Level& level, Best& best) {
  pairs_->lay(part);
  const std::vector<double>& cost = two_levels_of_pairs(part);
  level.merit.assign(level.view.size(), infinity);
  std::size_t i = 0;
  for (std::size_t q = 0; q < cost.size(); ++q) {  // questions come column by column, as the view's columns do
    const Pairs::Asked& asked = pairs_->questions()[pairs_->active()[q]];
    while (level.view[i].column != asked.column) ++i;
    level.merit[i] = std::min(level.merit[i], cost[q]);
    if (!better(cost[q], best.allowed)) continue;
    best.allowed = cost[q];
    best.found = {0.0, cost[q], {static_cast<Index>(asked.column), asked.cut}, false};
  }
  level.order.resize(level.view.size());
  std::iota(level.order.begin(), level.order.end(), 0u);
  std::stable_sort(level.order.begin(), level.order.end(), [&](std::uint32_t a, std::uint32_t b) { return level.merit[a] < level.merit[b]; });
}

// Columns in the order of the best trees of one level.
void Search::merits_by_lanes(const Part& part, Level& level) {
  lanes_.begin(part, level.view);
  lanes_.clear();
  const auto all = level.view.sorted(level.view[0]);
  lanes_.add(0, all.data(), all.data() + all.size());
  lanes_.close();
  level.merit.resize(level.view.size());
  double cost[Lanes::most_lanes], known[Lanes::most_lanes];
  for (std::size_t i = 0; i < level.view.size(); ++i) {
    lanes_.sweep(level.view[i], cost, known);
    level.merit[i] = cost[0] + level.price[i] * payers(part, level.view[i]);
  }
  level.order.resize(level.view.size());
  std::iota(level.order.begin(), level.order.end(), 0u);
  std::stable_sort(level.order.begin(), level.order.end(), [&](std::uint32_t a, std::uint32_t b) { return level.merit[a] < level.merit[b]; });
}

// A column whose cuts are being looked at, several at once.
struct Search::Asked {
  std::size_t i;  // of the view
  Beside beside;
  Cuts* cuts;
  double cost;    // of the best tree so far that begins with it
};

// What the subsets in the lanes cost with one question more. `prices`: per lane and column of the view; null: the lane is empty.
void Search::value_lanes(const Level& level, const std::array<const std::vector<double>*, Lanes::most_lanes>& prices, double* value) {
  double cost[Lanes::most_lanes], known[Lanes::most_lanes] = {};
  for (std::size_t lane = 0; lane < lanes_.width(); ++lane) value[lane] = prices[lane] == nullptr ? 0.0 : lanes_.leaf(lane);
  for (std::size_t i = 0; i < level.view.size(); ++i) {
    bool may_help = false;
    for (std::size_t lane = 0; lane < lanes_.width(); ++lane) {
      const double price = prices[lane] == nullptr ? infinity : (*prices[lane])[i];
      may_help = may_help || (price < infinity && price * path_.payers(lanes_.weight(lane), 0.0) < value[lane]);
    }
    if (!may_help) continue;
    lanes_.sweep(level.view[i], cost, known);
    for (std::size_t lane = 0; lane < lanes_.width(); ++lane) {
      if (prices[lane] == nullptr) continue;
      const double price = (*prices[lane])[i];
      if (price < infinity) value[lane] = std::min(value[lane], cost[lane] + price * path_.payers(lanes_.weight(lane), known[lane]));
    }
  }
}

// Every category its own branch, or each against the others.
void Search::try_categories(Level& level, std::size_t i, const Beside& beside, Best& best) {
  const ColumnView& column = level.view[i];
  const std::uint32_t* sorted = level.view.sorted(column).data();
  const bool every = cases_.columns[column.column].asking == Asking::Every;
  const auto own = static_cast<Index>(column.column);
  const std::size_t per_batch = every ? lanes_.width() : lanes_.width() / 2;
  double all = beside.lower, value[Lanes::most_lanes];
  for (std::uint32_t g = 0; g < column.groups(); g += static_cast<std::uint32_t>(per_batch)) {
    std::array<const std::vector<double>*, Lanes::most_lanes> prices{};
    const auto n = std::min<std::size_t>(per_batch, column.groups() - g);
    lanes_.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t from = column.begin_of(g + static_cast<std::uint32_t>(k)), to = column.ends[g + k];
      const std::size_t lane = every ? k : 2 * k;
      lanes_.add(lane, sorted + from, sorted + to);
      prices[lane] = &level.after[i];
      if (every) continue;
      lanes_.add(lane + 1, sorted, sorted + from);
      lanes_.add(lane + 1, sorted + to, sorted + column.known);
      prices[lane + 1] = &level.after[i];
    }
    lanes_.close();
    value_lanes(level, prices, value);
    for (std::size_t k = 0; k < n; ++k) {
      if (every) {
        all += value[k];
        continue;
      }
      const double cost = beside.lower + value[2 * k] + value[2 * k + 1];
      if (!better(cost, best.allowed)) continue;
      best.allowed = cost;
      best.found = {0.0, cost, {own, column.codes[g + k]}, false};
    }
  }
  if (!every || !better(all, best.allowed)) return;
  best.allowed = all;
  best.found = {0.0, all, {own, 0}, false};
}

void Search::open_column(const Part& part, Level& level, std::size_t i, Best& best, std::vector<Asked>& asked) {
  const ColumnView& column = level.view[i];
  const double price = level.price[i] * payers(part, column);
  Beside beside{price, price};
  if (!better(price, best.allowed)) return;
  std::vector<double>& after = level.after[i];
  after.resize(level.view.size());
  const PathPrices::Mark mark = path_.mark();
  path_.ask(column.column);
  for (std::size_t k = 0; k < after.size(); ++k) after[k] = path_.price(level.view[k].column);
  path_.back_to(mark);
  if (column.missing > 0) {
    const auto sorted = level.view.sorted(column);
    lanes_.clear();
    lanes_.add(0, sorted.data() + column.known, sorted.data() + sorted.size());
    lanes_.close();
    double value[Lanes::most_lanes] = {lanes_.leaf(0)};
    if (settings_.missing == Missing::Branch) {
      std::vector<double> lacking(after.size());
      path_.go_without(column.column, mark);
      for (std::size_t k = 0; k < lacking.size(); ++k) lacking[k] = path_.price(level.view[k].column);
      path_.back_to(mark);
      value_lanes(level, {&lacking}, value);
    }
    beside.lower = beside.upper = price + value[0];
    if (!better(beside.lower, best.allowed)) return;
  }
  if (cases_.columns[column.column].asking != Asking::Cuts) return try_categories(level, i, beside, best);
  Cuts* cuts = &level.cuts[i];
  cuts->begin(cases_, part, level.view, column, dearest_way(level, 1));
  asked.push_back({i, beside, cuts, infinity});
}

// Looks at as many cuts as there are lanes for, from `from` on; `each`: so many of every column, and then the next one. False: there is
// none left.
bool Search::look_at_cuts(Level& level, std::vector<Asked>& asked, std::size_t& from, std::size_t each, Best& best) {
  struct Job {
    std::size_t asked;
    std::uint32_t cut;
  };
  std::array<Job, Lanes::most_lanes / 2> jobs;
  std::size_t n = 0;
  for (std::size_t taken = 0; n < lanes_.width() / 2 && from < asked.size();) {
    const Asked& own = asked[from];
    const std::uint32_t cut = taken < each ? own.cuts->next(best.allowed - own.beside.lower - tolerance_) : 0;
    if (cut == 0) {
      ++from;
      taken = 0;
    } else {
      jobs[n++] = {from, cut};
      ++taken;
    }
  }
  if (n == 0) return false;
  lanes_.clear();
  std::array<const std::vector<double>*, Lanes::most_lanes> prices{};
  for (std::size_t k = 0; k < n;) {  // cuts of a column come together
    const std::size_t i = asked[jobs[k].asked].i;
    std::array<std::uint32_t, Lanes::most_lanes / 2> cuts;
    std::size_t end = k;
    for (; end < n && jobs[end].asked == jobs[k].asked; ++end) {
      cuts[end - k] = jobs[end].cut;
      prices[2 * end] = prices[2 * end + 1] = &level.after[i];
    }
    lanes_.add_cuts(2 * k, level.view[i], std::span(cuts.data(), end - k));
    k = end;
  }
  lanes_.close();
  double value[Lanes::most_lanes];
  value_lanes(level, prices, value);
  for (std::size_t k = 0; k < n; ++k) {
    Asked& own = asked[jobs[k].asked];
    const double left = value[2 * k], right = value[2 * k + 1], cost = own.beside.lower + left + right;
    own.cuts->know(jobs[k].cut, left, right);
    own.cost = std::min(own.cost, cost);
    if (!better(cost, best.allowed)) continue;
    const ColumnView& column = level.view[own.i];
    best.allowed = cost;
    best.found = {0.0, cost, {static_cast<Index>(column.column), column.code_of_cut(jobs[k].cut)}, false};
  }
  return true;
}

Found Search::two_levels_by_lanes(const Part& part, double most, Level& level) {
  const double leaf = leaf_cost(cases_, part);
  Best best{std::min(leaf, most), {}, infinity};
  if (leaf < most) best.found.upper = leaf;
  merits_by_lanes(part, level);
  if (level.cuts.size() < level.view.size()) level.cuts.resize(level.view.size());
  if (level.after.size() < level.view.size()) level.after.resize(level.view.size());
  // A tree of one level is one of two: what costs more than the best of them need not be looked at. Its own question will be found.
  best.allowed = std::min(best.allowed, level.merit[level.order[0]] + 4.0 * tolerance_);
  std::vector<Asked> asked;
  for (std::uint32_t i : level.order) open_column(part, level, i, best, asked);
  // First the middle of every column and of its halves, then all cuts of the columns, the most promising column first.
  for (const std::size_t each : {std::size_t{3}, cases_.units}) {
    std::size_t from = 0;
    while (!ended_ && look_at_cuts(level, asked, from, each, best)) static_cast<void>(stopped(level.view.size() * level.view.units()));
    std::stable_sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.cost < b.cost; });
  }
  if (ended_)
    for (const Asked& own : asked) best.open = std::min(best.open, own.beside.lower + own.cuts->least());
  return finished(best, most);
}

}  // namespace thriftwood::optimal
