#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "../basics/interruption.hpp"
#include "../basics/random.hpp"
#include "../splitting/binning.hpp"

namespace thriftwood::optimal {

namespace {

// Counting pairs of questions takes time in proportion to the square of their number, sweeping over sorted cases to their number times
// that of the columns: up to so many questions for each column, counting is faster.
constexpr std::size_t questions_per_column = 24;
constexpr std::size_t most_questions = 4096;
constexpr std::size_t most_kinds = 32;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check(const OptimalInput& input, const OptimalSettings& settings) {
  const std::size_t rows = input.table.rows;
  if (input.answers < 1) throw InputError("An optimal tree needs at least one answer to choose from.");
  if (input.answer_costs.size() != rows * at(input.answers))
    throw InputError("There are " + std::to_string(input.answer_costs.size()) + " costs of answers; " + std::to_string(rows) + " cases with " +
                     std::to_string(input.answers) + " answers need " + std::to_string(rows * at(input.answers)) + ".");
  if (!input.weights.empty() && input.weights.size() != rows)
    throw InputError("There are " + std::to_string(input.weights.size()) + " weights for " + std::to_string(rows) + " cases.");
  for (double cost : input.answer_costs)
    if (!std::isfinite(cost)) throw InputError("What an answer costs must be a finite number, got " + std::to_string(cost) + ".");
  for (double weight : input.weights)
    if (!(std::isfinite(weight) && weight >= 0.0)) throw InputError("Weights are finite and not negative; one is " + std::to_string(weight) + ".");
  if (settings.depth < 0) throw InputError("The depth of an optimal tree is 0 or more, got " + std::to_string(settings.depth) + ".");
  if (settings.nominal != NominalTests::Multiway && settings.nominal != NominalTests::Value)
    throw InputError("Nominal questions of an optimal tree are 'multiway' or 'value': sets of categories are too many to search.");
  if (settings.missing != Missing::Branch && settings.missing != Missing::Stay)
    throw InputError(
        "Missing values of an optimal tree have a branch of their own ('branch') or end at the node ('stay'): a case that goes elsewhere, or "
        "in parts to several branches, makes the branches depend on each other.");
  if (!(settings.budget >= 0.0)) throw InputError("A budget for tests is 0 or more, got " + std::to_string(settings.budget) + ".");
  if (!(std::isfinite(settings.leaf_fee) && settings.leaf_fee >= 0.0)) throw InputError("The fee of a leaf is a finite number, 0 or more.");
  if (!(std::isfinite(settings.prior_weight) && settings.prior_weight >= 0.0))
    throw InputError("The weight of the prior is a finite number, 0 or more.");
  if (settings.prior_weight > 0.0 && settings.prior_cost.size() != at(input.answers))
    throw InputError("A prior needs the cost of each answer for a case of weight 1.");
}

std::vector<Row> counted_rows(const OptimalInput& input) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < input.table.rows; ++i)
    if (input.weights.empty() || input.weights[i] > 0.0) rows.push_back(static_cast<Row>(i));
  if (rows.empty()) throw InputError("No case has a weight above 0.");
  return rows;
}

// Codes by value, or by bin.
void read_numbers(const Column& column, const std::vector<Row>& rows, int bins, SortSpace& space, CaseColumn& out) {
  space.numbers.resize(rows.size());
  for (std::size_t u = 0; u < rows.size(); ++u) space.numbers[u] = column.number(rows[u]);
  std::vector<Entry> order;
  sort_numbers(space, order);
  std::vector<double> edges;
  if (bins > 0) {
    std::vector<double> sorted;
    for (Entry entry : order) sorted.push_back(space.numbers[entry & row_mask]);
    edges = quantile_edges(sorted, bins);
  }
  constexpr std::uint32_t none = 0xffffffffu;
  out.code.assign(rows.size(), none);
  std::size_t edge = 0;
  for (Entry entry : order) {
    const double value = space.numbers[entry & row_mask];
    bool opens = out.low.empty() || (bins == 0 && (entry & new_value) != 0);
    for (; edge < edges.size() && value > edges[edge]; ++edge) opens = true;
    if (opens) {
      out.low.push_back(value);
      out.high.push_back(value);
    }
    out.high.back() = value;
    out.code[entry & row_mask] = static_cast<std::uint32_t>(out.low.size()) - 1;
  }
  out.values = static_cast<std::uint32_t>(out.low.size());
  std::replace(out.code.begin(), out.code.end(), none, out.values);
}

void read_categories(const Column& column, const std::vector<Row>& rows, CaseColumn& out) {
  out.values = static_cast<std::uint32_t>(column.values);
  out.code.resize(rows.size());
  for (std::size_t u = 0; u < rows.size(); ++u) {
    const Index code = column.code(rows[u]);
    out.code[u] = code < 0 || code >= column.values ? out.values : static_cast<std::uint32_t>(code);
  }
}

}  // namespace

Cases::Cases(const OptimalInput& input, const OptimalSettings& settings) {
  check(input, settings);
  const std::vector<Row> rows = counted_rows(input);
  units = rows.size();
  answers = at(input.answers);
  prior_weight = settings.prior_weight;
  leaf_fee = settings.leaf_fee;
  if (prior_weight > 0.0) prior_cost = settings.prior_cost;
  read_columns(input, settings, rows);
  read_costs(input, rows);
  const std::vector<std::uint32_t> first_equal = equal_units();
  std::size_t questions = 0;
  countable = prior_weight == 0.0;
  for (const CaseColumn& column : columns) {
    countable = countable && column.asking != Asking::Every && !column.missing;
    questions += column.asking == Asking::Cuts ? column.values - 1 : column.values;
  }
  countable = countable && questions <= std::min(most_questions, questions_per_column * columns.size());
  if (countable) sort_by_kind(first_equal);
  if (!countable) {
    kind.clear();
    kinds = 0;
    merge_equal(first_equal);
  }
  if (prior_weight > 0.0)
    measure_with_prior();
  else
    measure();
  find_unit();
  mark.resize(units);
  for (std::size_t u = 0; u < units; ++u) mark[u] = {key_below(1, u), key_below(2, u)};
  total_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
}

void Cases::read_columns(const OptimalInput& input, const OptimalSettings& settings, const std::vector<Row>& rows) {
  SortSpace space;
  for (Index feature = 0; feature < input.table.features(); ++feature) {
    poll(rows.size());
    const Column& column = input.table.column(feature);
    CaseColumn read;
    read.feature = feature;
    if (column.nominal()) {
      read.asking = settings.nominal == NominalTests::Value ? Asking::Value : Asking::Every;
      read_categories(column, rows, read);
    } else {
      read_numbers(column, rows, settings.bins, space, read);
    }
    std::vector<std::uint8_t> seen(read.values + 1, 0);
    for (std::uint32_t code : read.code) seen[code] = 1;
    read.missing = seen[read.values] != 0;
    const auto distinct = static_cast<std::size_t>(std::accumulate(seen.begin(), seen.end(), 0));
    if (distinct < 2) continue;
    most_branches = std::max(most_branches, read.asking == Asking::Every ? distinct : 2u + read.missing);
    uneven_branches = uneven_branches || read.missing || read.asking == Asking::Every;
    columns.push_back(std::move(read));
  }
}

void Cases::read_costs(const OptimalInput& input, const std::vector<Row>& rows) {
  weight.resize(units);
  cost.resize(units * answers);
  for (std::size_t u = 0; u < units; ++u) {
    weight[u] = input.weights.empty() ? 1.0 : input.weights[rows[u]];
    for (std::size_t a = 0; a < answers; ++a) cost[u * answers + a] = weight[u] * input.answer_costs[rows[u] * answers + a];
  }
}

// Per unit: the first one that is equal to it in every column.
std::vector<std::uint32_t> Cases::equal_units() const {
  std::vector<std::uint64_t> hash(units, 0);
  for (const CaseColumn& column : columns) {
    poll(units);
    for (std::size_t u = 0; u < units; ++u) hash[u] = key_below(hash[u], column.code[u]);
  }
  std::vector<std::uint32_t> order(units), first(units);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return hash[a] != hash[b] ? hash[a] < hash[b] : a < b; });
  const auto equal = [&](std::uint32_t a, std::uint32_t b) {
    return std::all_of(columns.begin(), columns.end(), [&](const CaseColumn& column) { return column.code[a] == column.code[b]; });
  };
  for (std::size_t begin = 0, end = 0; begin < units; begin = end) {
    while (end < units && hash[order[end]] == hash[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      first[order[i]] = order[i];
      for (std::size_t j = begin; j < i; ++j)
        if (first[order[j]] == order[j] && equal(order[j], order[i])) {
          first[order[i]] = order[j];
          break;
        }
    }
  }
  return first;
}

void Cases::reorder(const std::vector<std::uint32_t>& order) {
  const auto taken = [&](auto& values, std::size_t width) {
    auto old = values;
    values.resize(order.size() * width);
    for (std::size_t i = 0; i < order.size(); ++i)
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(order[i] * width), width, values.begin() + static_cast<std::ptrdiff_t>(i * width));
  };
  for (CaseColumn& column : columns) taken(column.code, 1);
  taken(weight, 1);
  taken(cost, answers);
  if (!kind.empty()) taken(kind, 1);
  if (!floor.empty()) taken(floor, 1);
  units = order.size();
}

void Cases::merge_equal(const std::vector<std::uint32_t>& first) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t u = 0; u < units; ++u) {
    if (first[u] == u) {
      kept.push_back(u);
      continue;
    }
    weight[first[u]] += weight[u];
    for (std::size_t a = 0; a < answers; ++a) cost[first[u] * answers + a] += cost[u * answers + a];
  }
  reorder(kept);
}

// Leaves `countable` false where cases are of too many kinds.
void Cases::sort_by_kind(const std::vector<std::uint32_t>& first_equal) {
  std::vector<double> excess = cost;
  kind.resize(units);
  double lowest_sum = 0.0;
  for (std::size_t u = 0; u < units; ++u) {
    const auto own = excess.begin() + static_cast<std::ptrdiff_t>(u * answers), end = own + static_cast<std::ptrdiff_t>(answers);
    const double least = *std::min_element(own, end);
    for (auto c = own; c != end; ++c) *c -= least;
    lowest_sum += least;
    std::size_t k = 0;
    while (k < kinds && !(kind_weight[k] == weight[u] && std::equal(own, end, kind_cost.begin() + static_cast<std::ptrdiff_t>(k * answers)))) ++k;
    if (k == kinds) {
      if (++kinds > most_kinds) {
        countable = false;
        kind_cost.clear();
        kind_weight.clear();
        return;
      }
      kind_weight.push_back(weight[u]);
      kind_cost.insert(kind_cost.end(), own, end);
    }
    kind[u] = static_cast<std::uint32_t>(k);
  }
  cost = std::move(excess);
  base += lowest_sum;
  floor.assign(units, 0.0);
  std::vector<std::vector<double>> joint(units);
  for (std::size_t u = 0; u < units; ++u) {
    std::vector<double>& sum = joint[first_equal[u]];
    sum.resize(answers, 0.0);
    for (std::size_t a = 0; a < answers; ++a) sum[a] += cost[u * answers + a];
  }
  for (std::size_t u = 0; u < units; ++u)
    if (!joint[u].empty()) floor[u] = *std::min_element(joint[u].begin(), joint[u].end());
  std::vector<std::uint32_t> order(units);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return kind[a] < kind[b]; });
  reorder(order);
}

void Cases::measure() {
  best.resize(units);
  regret.assign(units, 0.0);
  most.resize(units);
  floor.resize(units, 0.0);
  for (std::size_t u = 0; u < units; ++u) {
    double* own = cost.data() + u * answers;
    const double least = *std::min_element(own, own + answers);
    base += least;
    for (std::size_t a = 0; a < answers; ++a) own[a] -= least;
    best[u] = static_cast<Index>(std::min_element(own, own + answers) - own);
    most[u] = *std::max_element(own, own + answers);
    double second = infinity;
    for (std::size_t a = 0; a < answers; ++a)
      if (static_cast<Index>(a) != best[u]) second = std::min(second, own[a]);
    regret[u] = answers > 1 ? second : 0.0;
  }
}

// With a prior the costs of a leaf are no sum over its cases: what is left of the bounds is what holds for every leaf a unit may be in.
void Cases::measure_with_prior() {
  double lowest = 0.0, highest = 0.0, sum = 0.0;
  for (std::size_t u = 0; u < units; ++u) {
    sum += weight[u];
    for (std::size_t a = 0; a < answers; ++a) lowest = std::min(lowest, cost[u * answers + a] / weight[u]);
  }
  for (double c : prior_cost) lowest = std::min(lowest, c);
  for (std::size_t u = 0; u < units; ++u)
    for (std::size_t a = 0; a < answers; ++a) cost[u * answers + a] -= lowest * weight[u];
  for (double& c : prior_cost) c -= lowest;
  prior_least = *std::min_element(prior_cost.begin(), prior_cost.end());
  base += lowest * sum;
  for (double c : prior_cost) highest = std::max(highest, c);
  for (std::size_t u = 0; u < units; ++u)
    for (std::size_t a = 0; a < answers; ++a) highest = std::max(highest, cost[u * answers + a] / weight[u]);
  best.assign(units, 0);
  most.resize(units);
  floor.resize(units);
  for (std::size_t u = 0; u < units; ++u) {
    most[u] = weight[u] * highest;
    floor[u] = infinity;
    for (std::size_t a = 0; a < answers; ++a)
      floor[u] = std::min(
          floor[u], weight[u] / (weight[u] + prior_weight) * cost[u * answers + a] + weight[u] * prior_weight * prior_cost[a] / (sum + prior_weight));
  }
}

// Money has few decimals: whole cents can be added up exactly, and more of them at a time.
void Cases::find_unit() {
  const double total = std::accumulate(most.begin(), most.end(), 0.0);
  for (const double tried : {1.0, 0.5, 0.1, 0.05, 0.01, 0.001, 0.0001}) {
    if (total / tried > 0x1p29) return;
    const bool fits = std::all_of(cost.begin(), cost.end(), [&](double c) {
      const double number = c / tried;
      return std::abs(number - std::round(number)) <= 1e-11 * std::max(1.0, number);
    });
    if (!fits) continue;
    unit = tried;
    return;
  }
}

std::size_t Cases::bytes() const {
  std::size_t sum = units * (answers * sizeof(double) + 4 * sizeof(double) + 2 * sizeof(std::uint32_t) + sizeof(SetKey));
  for (const CaseColumn& column : columns) sum += column.code.size() * sizeof(std::uint32_t) + 2 * column.low.size() * sizeof(double);
  return sum;
}

}  // namespace thriftwood::optimal
