#include "thrift.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <numeric>

#include "dealing.hpp"
#include "optimal/optimal.hpp"
#include "pruning/recount.hpp"

namespace thriftwood::face {

namespace {

constexpr std::size_t many_cases = 3000, most_cells = 600'000, memory = 256'000'000;
constexpr double doubt = 1.5, doubt_of_trees = 1.0;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Candidate {
  const char* name;
  const char* words;
  double added;  // weight of cases like all others that is added to a leaf
  double fee;    // of a leaf, as a multiple of what the constant costs a case; infinite: no tests
};
constexpr Candidate candidates[] = {{"constant", "no test", 0.0, infinity},
                                    {"much doubt", "a tree with much doubt of small leaves", 12.0, 4.0},
                                    {"some doubt", "a tree with some doubt of small leaves", 4.0, 1.0},
                                    {"little doubt", "a tree with little doubt of small leaves", 1.0, 1.0}};

struct Problem {
  const Session& session;
  std::vector<double> loss;     // of a mistake, [actual * answers + answer]
  std::size_t answers;
  std::vector<double> by_case;  // what each answer costs each row
  std::vector<double> weights;  // of rows; empty: 1
};

Tree learnt(const Problem& problem, const Candidate& candidate, std::span<const double> weights) {
  const Session& session = problem.session;
  const auto& labels = session.classes_of_rows();
  const auto classes = static_cast<std::size_t>(session.classes());
  std::vector<double> counts(classes);
  std::size_t counted = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double weight = weights.empty() ? 1.0 : weights[row];
    counts[static_cast<std::size_t>(labels[row])] += weight;
    counted += weight != 0.0;
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> constant(problem.answers);
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t a = 0; a < problem.answers; ++a) constant[a] += counts[c] * problem.loss[c * problem.answers + a];
  const double cheapest = *std::min_element(constant.begin(), constant.end());
  OptimalSettings settings;
  settings.nominal = NominalTests::Value;
  settings.bins = 16;
  settings.memory = memory;
  Smoothing smoothing;
  const bool tested = std::isfinite(candidate.fee);
  settings.depth = tested ? 32 : 1;
  // No tree of two leaves costs less than one leaf if each costs more than all mistakes.
  settings.leaf_fee = tested ? candidate.fee * cheapest / static_cast<double>(counted) : 2.0 * cheapest + 1.0;
  if (tested) {
    smoothing.m = candidate.added;
    std::vector<double> prior(classes);
    for (std::size_t c = 0; c < classes; ++c) prior[c] = candidate.added * counts[c] / total;
    settings.prior_weight = std::accumulate(prior.begin(), prior.end(), 0.0);
    settings.prior_cost.assign(problem.answers, 0.0);
    for (std::size_t a = 0; a < problem.answers; ++a) {
      for (std::size_t c = 0; c < classes; ++c) settings.prior_cost[a] += prior[c] * problem.loss[c * problem.answers + a];
      settings.prior_cost[a] /= settings.prior_weight;
    }
  }
  const OptimalInput input{session.table(), weights, problem.by_case, static_cast<Index>(problem.answers), session.prices()};
  Stop stop;
  const std::size_t tried = std::max<std::size_t>(8, static_cast<std::size_t>(session.table().features()) / 3);
  const OptimalOutline outline = tested ? roll_out(input, settings, stop, tried) : find_optimal(input, settings, stop);
  Tree tree = to_tree(outline, input, settings, labels, session.classes());
  if (!session.loss().empty() || smoothing.any()) relabel(tree, session.loss(), {}, smoothing);
  return tree;
}

// A sample of the cases, where the table is too large for rollouts.
std::vector<double> sampled(const Session& session, std::uint32_t seed) {
  const std::size_t rows = session.table().rows, most = std::max<std::size_t>(most_cells / static_cast<std::size_t>(session.table().features()), 1);
  if (rows <= most) return {};
  std::vector<Row> all(rows);
  std::iota(all.begin(), all.end(), Row{0});
  const std::vector<Row> order = dealt(session.classes_of_rows(), std::move(all), seed);
  std::vector<double> weights(rows);
  const double step = static_cast<double>(rows - 1) / static_cast<double>(most - 1);
  for (std::size_t i = 0; i < most; ++i) weights[order[i + 1 == most ? rows - 1 : static_cast<std::size_t>(static_cast<double>(i) * step)]] = 1.0;
  return weights;
}

// numpy's sum, in the order in which numpy adds: ties between candidates are the library's then.
double sum_of(std::span<const double> numbers) {
  const std::size_t n = numbers.size();
  if (n > 128) {
    const std::size_t half = n / 2 - n / 2 % 8;
    return sum_of(numbers.first(half)) + sum_of(numbers.subspan(half));
  }
  double sum = 0.0;
  std::size_t i = 0;
  if (n >= 8) {
    double part[8];
    std::copy_n(numbers.begin(), 8, part);
    for (i = 8; i + 8 <= n; i += 8)
      for (std::size_t j = 0; j < 8; ++j) part[j] += numbers[i + j];
    sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
  for (; i < n; ++i) sum += numbers[i];
  return sum;
}

void set_mean(double& mean, double& error, std::span<const double> bills) {
  std::vector<double> known;
  std::copy_if(bills.begin(), bills.end(), std::back_inserter(known), [](double bill) { return !std::isnan(bill); });
  const auto n = static_cast<double>(known.size());
  mean = known.empty() ? none : sum_of(known) / n;
  for (double& bill : known) bill = (bill - mean) * (bill - mean);
  error = known.empty() ? none : std::sqrt(sum_of(known) / n * n) / n;
}

void judge(Contender& contender, const Problem& problem, const Candidate& candidate, const std::vector<std::vector<Row>>& unseen) {
  const Session& session = problem.session;
  const std::size_t rows = session.table().rows;
  contender.bills.assign(rows, none);
  contender.test_cost.assign(rows, none);
  contender.answers.assign(rows, -1);
  for (const auto& part : unseen) {
    std::vector<double> weights = problem.weights.empty() ? std::vector<double>(rows, 1.0) : problem.weights;
    for (Row row : part) weights[row] = 0.0;
    const Billed billed = session.bill(learnt(problem, candidate, weights), part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Row row = part[i];
      contender.answers[row] = billed.answers[i];
      contender.test_cost[row] = billed.test_cost[i];
      contender.bills[row] = billed.test_cost[i] + problem.by_case[row * problem.answers + static_cast<std::size_t>(billed.answers[i])];
    }
  }
  set_mean(contender.cost, contender.error, contender.bills);
}

// Whether the same cases cost one less than the other, by more than so many standard errors. One more case of the dearest mistake counts
// in the standard error.
bool cheaper(const Contender& one, const Contender& other, double errors, double dearest) {
  std::vector<double> differences(one.bills.size());
  std::size_t known = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i] = other.bills[i] - one.bills[i];
    known += !std::isnan(differences[i]);
  }
  double saved = 0.0, error = 0.0;
  set_mean(saved, error, differences);
  return known > 0 && saved > errors * std::hypot(error, dearest / static_cast<double>(known));
}

std::size_t chosen(const std::vector<Contender>& judged, double dearest) {
  std::size_t clear = 0;
  for (std::size_t i = 2; i < judged.size(); ++i)
    if (cheaper(judged[i], judged[1], doubt, dearest) && (clear == 0 || judged[i].cost < judged[clear].cost)) clear = i;
  for (const std::size_t i : {clear, std::size_t{1}})
    if (i > 0 && i < judged.size() && cheaper(judged[i], judged[0], doubt_of_trees, dearest)) return i;
  return 0;
}

double dearest_mistake(const Problem& problem) {
  double dearest = 0.0;
  for (Index label : problem.session.classes_of_rows()) {
    const double* costs = problem.loss.data() + static_cast<std::size_t>(label) * problem.answers;
    const auto [low, high] = std::minmax_element(costs, costs + problem.answers);
    dearest = std::max(dearest, *high - *low);
  }
  return dearest;
}

std::string rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  if (std::abs(value) >= std::pow(10.0, digits)) std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

std::string about(const Contender& one) { return "about " + rounded(one.cost, 4) + " (\u00b1 " + rounded(one.error, 2) + ")"; }

std::string sentence(const Thrift& found, std::size_t parts) {
  if (parts == 0) return "Nothing is tested: there are too few cases to judge tests by.";
  if (found.judged.size() == 1) return "Nothing is tested: all cases are of one class.";
  const std::string how = "estimated " + (parts == 1 ? "on a quarter of the cases" : "by " + std::to_string(parts) + " folds");
  const Contender& constant = found.judged.front();
  if (found.chosen == 0) {
    const auto best = std::min_element(found.judged.begin() + 1, found.judged.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return "No test clearly pays: the same answer for all costs " + about(constant) + " an unseen case, " + best->words + " " + about(*best) + ", " +
           how + ".";
  }
  const Contender& best = found.judged[found.chosen];
  return "Chosen of " + std::to_string(found.judged.size()) + ": " + best.words + ". It costs " + about(best) + " an unseen case, testing nobody " +
         about(constant) + ", " + how + ".";
}

}  // namespace

Thrift learn_thrift(const Session& session, std::size_t folds, std::uint32_t seed) {
  if (session.prices() != nullptr && session.prices()->upfront())
    throw InputError("Our own learner searches branches apart, so tests are paid one by one: payment 'sequential'.");
  Problem problem{session, session.error_matrix(), 0, {}, sampled(session, seed)};
  problem.answers = problem.loss.size() / static_cast<std::size_t>(session.classes());
  for (Index label : session.classes_of_rows()) {
    const auto first = problem.loss.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(label) * problem.answers);
    problem.by_case.insert(problem.by_case.end(), first, first + static_cast<std::ptrdiff_t>(problem.answers));
  }
  std::vector<Row> counted;
  for (std::size_t row = 0; row < session.table().rows; ++row)
    if (problem.weights.empty() || problem.weights[row] > 0.0) counted.push_back(static_cast<Row>(row));
  std::vector<std::vector<Row>> unseen = parts(session.classes_of_rows(), counted, folds, many_cases, seed);
  std::erase_if(unseen, [&](const auto& part) { return part.size() >= counted.size(); });
  Thrift found;
  for (const Candidate& candidate : candidates) {
    const std::size_t n = found.judged.size();
    // Trees come with less and less doubt: where one costs no less than the one before, those after it are left out.
    if (n > 2 && !(found.judged[n - 1].cost < found.judged[n - 2].cost)) continue;
    Contender& own = found.judged.emplace_back();
    own.name = candidate.name;
    own.words = candidate.words;
    judge(own, problem, candidate, unseen);
    if (session.classes() == 1) break;
  }
  found.chosen = chosen(found.judged, dearest_mistake(problem));
  const auto taken =
      std::find_if(std::begin(candidates), std::end(candidates), [&](const auto& one) { return found.judged[found.chosen].name == one.name; });
  found.tree = learnt(problem, *taken, problem.weights);
  if (!problem.weights.empty()) {
    Smoothing smoothing;
    smoothing.m = std::isfinite(taken->fee) ? taken->added : 0.0;
    recount(found.tree, Cases{session.table(), session.classes_of_rows()}, problem.by_case, problem.loss, smoothing);
  }
  found.note = sentence(found, unseen.size());
  return found;
}

}  // namespace thriftwood::face
