#include "rollouts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thriftwood::optimal {

namespace {

constexpr double rounding = 1e-11;    // of sums of costs
constexpr double floor_share = 0.1;   // of the mean price: tests that cost nothing are not infinitely good

}  // namespace

Rollouts::Rollouts(const Cases& cases, const Prices* prices, const OptimalSettings& settings, Stop& stop, std::size_t tried)
    : cases_(cases), missing_(settings.missing), stop_(stop), path_(cases, prices, settings.budget), tried_(tried) {
  double sum = 0.0;
  std::size_t priced = 0;
  for (std::size_t c = 0; c < cases.columns.size(); ++c)
    if (const double price = path_.price(c); price < infinity) {
      sum += price;
      ++priced;
    }
  if (sum > 0.0) price_floor_ = floor_share * sum / static_cast<double>(priced);
  units_.resize(cases.units);
  double all = 0.0;
  for (std::size_t u = 0; u < cases.units; ++u) {
    const double* own = cases.cost.data() + u * cases.answers;
    const double* end = own + cases.answers;
    const double* least = std::min_element(own, end);
    double second = infinity, most = 0.0;
    for (const double* a = own; a != end; ++a) {
      most = std::max(most, *a - *least);
      if (a != least) second = std::min(second, *a - *least);
    }
    units_[u] = {cases.weight[u], cases.answers > 1 ? second : 0.0, static_cast<std::uint32_t>(least - own)};
    regrets_tell_ = regrets_tell_ && *least == 0.0 && most == units_[u].regret;
    all += most;
  }
  tolerance_ = rounding * all;
  width_ = 1 + (regrets_tell_ ? 1 : 2) * cases.answers;
  known_.resize(width_);
  right_.resize(width_);
  total_.resize(cases.answers);
}

Question Rollouts::choose(const Part& part, int depth) {
  double least = leaf_cost(cases_, part);
  if (!may_pay(part, depth) || stop_.reached()) return {};
  judge(part, By::All);
  rank_in_columns();
  std::vector<Judged> tried = judged_;
  const auto before = [](const Judged& a, const Judged& b) { return a.rank != b.rank ? a.rank < b.rank : a.merit > b.merit; };
  std::stable_sort(tried.begin(), tried.end(), before);
  if (tried.size() > tried_) {
    const auto single = std::min_element(tried.begin(), tried.end(), [](const Judged& a, const Judged& b) { return a.single < b.single; });
    std::swap(*single, tried[tried_ - 1]);
    tried.resize(tried_);
  }
  Question best;
  for (const Judged& judged : tried) {
    if (stop_.reached()) break;
    const double cost =
        cost_of(part, judged.question, depth, least, [&](const Part& branch, int below, double most) { return value(branch, below, most); });
    if (!(cost < least - tolerance_)) continue;
    least = cost;
    best = judged.question;
  }
  return best;
}

template <class Cost>
double Rollouts::cost_of(const Part& part, const Question& question, int depth, double most, const Cost& branch_cost) {
  const auto c = static_cast<std::size_t>(question.column);
  const std::size_t missing = missing_branch(cases_.columns[c]);
  if (under_way_ == branches_.size()) branches_.emplace_back();
  std::vector<Part>& branches = branches_[under_way_++];
  divide(cases_, part, question, branches);
  const PathPrices::Mark mark = path_.mark();
  double cost = path_.price(c) * path_.payers(part.weight, part.weight - branches[missing].weight);
  path_.ask(c);
  for (std::size_t b = 0; b <= missing && cost < most; ++b) {
    const Part& branch = branches[b];
    if (branch.units.empty()) continue;
    if (b == missing) path_.go_without(c, mark);
    cost += branch_cost(branch, b == missing && missing_ == Missing::Stay ? 0 : depth - 1, most - cost);
  }
  path_.back_to(mark);
  --under_way_;
  return cost;
}

double Rollouts::value(const Part& part, int depth, double most) {
  double least = leaf_cost(cases_, part);
  if (!may_pay(part, depth)) return least;
  judge(part, By::Cost);
  for (const Judged& judged : judged_) least = std::min(least, judged.single);
  const Question question = largest_merit();
  if (question.column == Question::leaf) return least;
  return std::min(least, cost_of(part, question, depth, std::min(least, most),
                                 [&](const Part& branch, int below, double allowed) { return greedy(branch, below, allowed); }));
}

double Rollouts::greedy(const Part& part, int depth, double most) {
  const double least = leaf_cost(cases_, part);
  if (!may_pay(part, depth)) return least;
  judge(part, By::Merit);
  const Question question = largest_merit();
  if (question.column == Question::leaf) return least;
  return std::min(least, cost_of(part, question, depth, std::min(least, most),
                                 [&](const Part& branch, int below, double allowed) { return greedy(branch, below, allowed); }));
}

// Any question makes another leaf and leaves what cases that are equal in all columns cost.
bool Rollouts::may_pay(const Part& part, int depth) const {
  return depth > 0 && part.units.size() > 1 && leaf_cost(cases_, part) > floor_of(cases_, part) + 2.0 * cases_.leaf_fee + tolerance_;
}

Question Rollouts::largest_merit() const {
  const Judged* best = nullptr;
  for (const Judged& judged : judged_)
    if (judged.merit > 0.0 && (best == nullptr || judged.merit > best->merit)) best = &judged;
  return best == nullptr ? Question{} : best->question;
}

void Rollouts::judge(const Part& part, By by) {
  judged_.clear();
  here_.clear();
  for (std::uint32_t u : part.units) here_.push_back(units_[u]);
  all_.assign(width_, 0.0);
  all_[0] = part.weight;
  for (const Unit& unit : here_) all_[1 + unit.best] += unit.regret;
  if (!regrets_tell_) std::copy(part.total.begin(), part.total.end(), all_.begin() + 1 + static_cast<std::ptrdiff_t>(cases_.answers));
  const double saved = leaf_cost(cases_, part) - floor_of(cases_, part) - 2.0 * cases_.leaf_fee;
  for (std::size_t c = 0; c < cases_.columns.size(); ++c) {
    if (part.units.size() >= worth_polling) poll(part.units.size());
    const double price = path_.price(c);
    if (price < infinity && price * path_.payers(part.weight, 0.0) < saved) judge_column(part, c, by);
  }
}

void Rollouts::judge_column(const Part& part, std::size_t column, By by) {
  const CaseColumn& of = cases_.columns[column];
  sum_codes(part, of);
  const auto sums = [&](std::size_t code) { return codes_.data() + code * width_; };
  const auto has = [&](std::size_t code) { return *sums(code) > 0.0; };
  const double* missing = sums(of.values);
  for (std::size_t i = 0; i < width_; ++i) known_[i] = all_[i] - missing[i];
  const double eff = path_.price(column);
  double leaves = eff * path_.payers(part.weight, known_[0]), ginis = gini(missing);
  if (by != By::All && cases_.answers == 2 && regrets_tell_ && of.asking != Asking::Every) return judge_best(of, column, eff, leaves, by);
  if (by != By::Merit) leaves += leaf(missing);
  const double whole = gini(all_.data());
  const auto add = [&](std::uint32_t cut, double impurity, double cost) {
    const double gain = whole - impurity;
    judged_.push_back({{static_cast<Index>(column), cut}, gain > tolerance_ ? gain / (eff + price_floor_) : 0.0, by != By::Merit ? cost : infinity});
  };
  if (of.asking == Asking::Every) {
    std::size_t branches = has(of.values);
    for (std::uint32_t code = 0; code < of.values; ++code) {
      if (!has(code)) continue;
      ++branches;
      ginis += gini(sums(code));
      if (by != By::Merit) leaves += leaf(sums(code));
    }
    if (branches > 1) add(0, ginis, leaves);
    return;
  }
  left_.assign(width_, 0.0);
  for (std::uint32_t code = 0; code < of.values; ++code) {
    if (!has(code)) continue;
    const double* own = sums(code);
    for (std::size_t i = 0; i < width_; ++i) {
      left_[i] = own[i] + (of.asking == Asking::Value ? 0.0 : left_[i]);
      right_[i] = known_[i] - left_[i];
    }
    const bool more = right_[0] > rounding * known_[0];
    if (!more && !has(of.values)) continue;
    double cost = leaves;
    if (by != By::Merit) cost += leaf(left_.data()) + (more ? leaf(right_.data()) : 0.0);
    add(of.asking == Asking::Value ? code : code + 1, ginis + gini(left_.data()) + (more ? gini(right_.data()) : 0.0), cost);
  }
}

// The best of a column, where there are two answers: what most rollouts do all the time. A side whose units prefer the one by `a` and the
// other by `b` has the gini index 2ab / (a + b). A cut that no unit is below gains nothing and costs its price, so it needs no care.
void Rollouts::judge_best(const CaseColumn& of, std::size_t column, double eff, double tests, By by) {
  struct Side {
    double weight = 0.0, first = 0.0, second = 0.0;
  };
  const double m = cases_.prior_weight, fee = cases_.leaf_fee, tolerance = tolerance_;
  const double one = m > 0.0 ? m * cases_.prior_cost[0] : 0.0, other = m > 0.0 ? m * cases_.prior_cost[1] : 0.0;
  const auto gini_of = [&](const Side& side) {
    const double sum = side.first + side.second;
    return sum > tolerance ? 2.0 * side.first * side.second / sum : 0.0;
  };
  // The first answer costs what units lose that prefer the second.
  const auto leaf_of = [&](const Side& side) {
    const double least = std::min(side.second + one, side.first + other);
    return side.weight > 0.0 ? (m > 0.0 ? least * side.weight / (side.weight + m) : least) + fee : 0.0;
  };
  const double* sums = codes_.data();
  const double* last = sums + of.values * width_;
  const Side all{all_[0], all_[1], all_[2]}, lacking{last[0], last[1], last[2]};
  const Side known{all.weight - lacking.weight, all.first - lacking.first, all.second - lacking.second};
  const double rounded = rounding * known.weight;
  const bool joins = of.asking == Asking::Cuts;
  sides_.resize(4 * of.values);
  double* const weight = sides_.data();
  double* const first = weight + of.values;
  double* const second = first + of.values;
  double* const ginis = second + of.values;
  Side left;
  for (std::uint32_t code = 0; code < of.values; ++code, sums += 3) {
    left = joins ? Side{left.weight + sums[0], left.first + sums[1], left.second + sums[2]} : Side{sums[0], sums[1], sums[2]};
    weight[code] = left.weight;
    first[code] = left.first;
    second[code] = left.second;
  }
  const auto right_of = [&](std::uint32_t code) {
    const bool some = known.weight - weight[code] > rounded;
    return Side{some ? known.weight - weight[code] : 0.0, some ? known.first - first[code] : 0.0, some ? known.second - second[code] : 0.0};
  };
  for (std::uint32_t code = 0; code < of.values; ++code)  // several at a time
    ginis[code] = gini_of({weight[code], first[code], second[code]}) + gini_of(right_of(code));
  const auto best = static_cast<std::uint32_t>(std::min_element(ginis, ginis + of.values) - ginis);
  double least_leaves = infinity;
  if (by == By::Cost)
    for (std::uint32_t code = 0; code < of.values; ++code)
      least_leaves = std::min(least_leaves, leaf_of({weight[code], first[code], second[code]}) + leaf_of(right_of(code)));
  const double gain = gini_of(all) - gini_of(lacking) - ginis[best];
  judged_.push_back({{static_cast<Index>(column), joins ? best + 1 : best},
                     gain > tolerance ? gain / (eff + price_floor_) : 0.0,
                     by == By::Cost ? tests + leaf_of(lacking) + least_leaves : infinity});
}

// Questions of a column stand together.
void Rollouts::rank_in_columns() {
  for (std::size_t begin = 0, end = 0; begin < judged_.size(); begin = end) {
    while (end < judged_.size() && judged_[end].question.column == judged_[begin].question.column) ++end;
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return judged_[a].merit > judged_[b].merit; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) judged_[order[rank]].rank = rank;
  }
}

void Rollouts::sum_codes(const Part& part, const CaseColumn& column) {
  const std::size_t n = cases_.answers;
  codes_.assign((column.values + 1u) * width_, 0.0);
  for (std::size_t i = 0; i < here_.size(); ++i) {
    const std::uint32_t u = part.units[i];
    double* sums = codes_.data() + column.code[u] * width_;
    sums[0] += here_[i].weight;
    sums[1 + here_[i].best] += here_[i].regret;
    if (!regrets_tell_)
      for (std::size_t a = 0; a < n; ++a) sums[1 + n + a] += cases_.cost[u * n + a];
  }
}

double Rollouts::leaf(const double* sums) {
  if (!(sums[0] > 0.0)) return 0.0;
  const double* total = sums + 1 + cases_.answers;
  if (regrets_tell_) {
    const double all = std::accumulate(sums + 1, sums + 1 + cases_.answers, 0.0);
    for (std::size_t a = 0; a < cases_.answers; ++a) total_[a] = all - sums[1 + a];
    total = total_.data();
  }
  return answers_cost(cases_, total, sums[0]) + cases_.leaf_fee;
}

double Rollouts::gini(const double* sums) const {
  double sum = 0.0, squares = 0.0;
  for (std::size_t a = 1; a <= cases_.answers; ++a) {
    sum += sums[a];
    squares += sums[a] * sums[a];
  }
  return sum > tolerance_ ? sum - squares / sum : 0.0;
}

}  // namespace thriftwood::optimal
