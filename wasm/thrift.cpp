#include "thrift.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include "dealing.hpp"
#include "optimal/optimal.hpp"
#include "pruning/recount.hpp"

namespace thriftwood::face {

namespace {

constexpr std::size_t many_cases = 3000, quarters = 4, most_cells = 600'000, memory = 256'000'000, looked_at = 2000;
constexpr double doubt = 1.5, doubt_of_trees = 0.5, doubt_beside_three = 3.0, doubt_of_three = -0.5;
constexpr std::size_t cases_for_a_question = 10, many_classes = 10, bins = 16;
constexpr double mistakes_enough = 40.0, searched_work = 2e7;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Candidate {
  const char* name;
  const char* words;
  int depth;
  bool rollouts;
  double added;  // weight of cases like all others that is added to a leaf
  double fee;    // of a leaf, as a multiple of what tests can save a case; infinite: no tests

  bool doubted() const { return rollouts; }
};
constexpr Candidate constant{"constant", "no test", 1, false, 0.0, infinity};
constexpr Candidate three_tests{"three tests", "the best tree of at most three tests on a path", 3, false, 0.0, 0.0};
constexpr Candidate doubts[] = {{"much doubt", "a tree with much doubt of small leaves", 32, true, 12.0, 4.0},
                                {"some doubt", "a tree with some doubt of small leaves", 32, true, 4.0, 1.0},
                                {"little doubt", "a tree with little doubt of small leaves", 32, true, 1.0, 1.0},
                                {"no doubt", "a tree with no doubt of small leaves", 32, true, 0.0, 1.0}};

struct Problem {
  const Session& session;
  Table table;                  // without the columns that name cases
  std::vector<Index> hidden;    // what those have instead
  std::vector<double> loss;     // of a mistake, [actual * answers + answer]
  std::size_t answers;
  std::vector<double> by_case;  // what each answer costs each row
  std::vector<double> weights;  // of rows; empty: 1
};

// What all cases cost more that get the same answer, the cheapest, than with the right ones.
double most_saved(const Problem& problem, std::span<const double> counts) {
  std::vector<double> costs(problem.answers);
  for (std::size_t c = 0; c < counts.size(); ++c)
    for (std::size_t a = 0; a < problem.answers; ++a) costs[a] += counts[c] * problem.loss[c * problem.answers + a];
  double right = 0.0;
  for (std::size_t c = 0; c < counts.size(); ++c)
    right += counts[c] * *std::min_element(problem.loss.data() + c * problem.answers, problem.loss.data() + (c + 1) * problem.answers);
  return std::max(0.0, *std::min_element(costs.begin(), costs.end()) - right);
}

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
  const double saved = most_saved(problem, counts);
  OptimalSettings settings;
  settings.nominal = NominalTests::Value;
  settings.bins = static_cast<int>(bins);
  settings.memory = memory;
  settings.depth = candidate.depth;
  // No tree of two leaves costs less than one leaf if each costs more than all mistakes.
  settings.leaf_fee = std::isfinite(candidate.fee) ? candidate.fee * saved / static_cast<double>(counted) : 2.0 * saved + 1.0;
  Smoothing smoothing;
  if (candidate.added > 0.0) {
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
  const OptimalInput input{problem.table, weights, problem.by_case, static_cast<Index>(problem.answers), session.prices()};
  Stop stop;
  const std::size_t columns = static_cast<std::size_t>(problem.table.features());
  const std::size_t tried = std::max<std::size_t>(8, classes > many_classes ? columns : columns / 3);
  const OptimalOutline outline = candidate.rollouts ? roll_out(input, settings, stop, tried) : find_optimal(input, settings, stop);
  Tree tree = to_tree(outline, input, settings, labels, session.classes());
  if (!session.loss().empty() || smoothing.any()) relabel(tree, session.loss(), {}, smoothing);
  return tree;
}

// 1 for these rows of the table; empty where they are all.
std::vector<double> only(const Session& session, std::span<const Row> rows) {
  if (rows.empty() || rows.size() == session.table().rows) return {};
  std::vector<double> weights(session.table().rows);
  for (Row row : rows) weights[row] = 1.0;
  return weights;
}

// A sample of these cases, where they are too many for rollouts; else none.
std::vector<Row> sampled(const Session& session, std::span<const Row> cases, std::uint32_t seed) {
  const std::size_t rows = cases.size(), most = std::max<std::size_t>(most_cells / static_cast<std::size_t>(session.table().features()), 1);
  if (rows <= most) return {};
  const std::vector<Row> order = dealt(session.classes_of_rows(), {cases.begin(), cases.end()}, seed);
  std::vector<Row> sample;
  const double step = static_cast<double>(rows - 1) / static_cast<double>(most - 1);
  for (std::size_t i = 0; i < most; ++i) sample.push_back(order[i + 1 == most ? rows - 1 : static_cast<std::size_t>(static_cast<double>(i) * step)]);
  return sample;
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
  std::vector<double> sums(rows), times(rows);
  for (const auto& part : unseen) {
    std::vector<double> weights = problem.weights.empty() ? std::vector<double>(rows, 1.0) : problem.weights;
    for (Row row : part) weights[row] = 0.0;
    const Billed billed = session.bill(learnt(problem, candidate, weights), part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Row row = part[i];
      sums[row] += billed.test_cost[i] + problem.by_case[row * problem.answers + static_cast<std::size_t>(billed.answers[i])];
      times[row] += 1.0;
    }
  }
  contender.bills.assign(rows, none);
  for (std::size_t row = 0; row < rows; ++row)
    if (times[row] > 0.0) contender.bills[row] = sums[row] / times[row];
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
  const bool three = judged.size() > 1 && judged[1].name == three_tests.name;
  const double of_others = three ? doubt_beside_three : doubt, of_tests = three ? doubt_of_three : doubt_of_trees;
  std::size_t clear = 0;
  for (std::size_t i = 2; i < judged.size(); ++i)
    if (cheaper(judged[i], judged[1], of_others, dearest) && (clear == 0 || judged[i].cost < judged[clear].cost)) clear = i;
  for (const std::size_t i : {clear, std::size_t{1}})
    if (i > 0 && i < judged.size() && cheaper(judged[i], judged[0], of_tests, dearest)) return i;
  return 0;
}

// Whether another answer costs no more whatever the truth is, so that nobody gives this one, which is no class: costs/further.py.
bool undercut(const Problem& problem, std::size_t answer) {
  const auto classes = static_cast<std::size_t>(problem.session.classes());
  const auto no_dearer = [&](std::size_t one, std::size_t other) {
    for (std::size_t c = 0; c < classes; ++c)
      if (problem.loss[c * problem.answers + one] > problem.loss[c * problem.answers + other]) return false;
    return true;
  };
  for (std::size_t other = 0; answer >= classes && other < problem.answers; ++other)
    if (other != answer && no_dearer(other, answer) && (other < answer || !no_dearer(answer, other))) return true;
  return false;
}

// Of the classes that can be learnt: three cases, or as many as the most common one has.
double dearest_mistake(const Problem& problem) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(problem.session.classes()));
  const auto& labels = problem.session.classes_of_rows();
  for (std::size_t row = 0; row < labels.size(); ++row)
    counts[static_cast<std::size_t>(labels[row])] += problem.weights.empty() || problem.weights[row] > 0.0;
  const std::size_t least = std::min<std::size_t>(3, *std::max_element(counts.begin(), counts.end()));
  double dearest = 0.0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < least) continue;
    std::vector<double> costs;
    for (std::size_t answer = 0; answer < problem.answers; ++answer)
      if (!undercut(problem, answer)) costs.push_back(problem.loss[c * problem.answers + answer]);
    const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
    dearest = std::max(dearest, *high - *low);
  }
  return dearest;
}

// About how many questions there are: cuts of numbers, categories.
std::size_t questions(const Problem& problem) {
  std::size_t counted = 0;
  const std::size_t rows = std::min(problem.table.rows, looked_at);
  for (const Column& column : problem.table.columns) {
    std::set<double> values;
    for (std::size_t row = 0; row < rows; ++row) {
      const double value = column.nominal() ? column.code(static_cast<Row>(row)) : column.number(static_cast<Row>(row));
      if (column.nominal() ? value >= 0.0 : !std::isnan(value)) values.insert(value);
    }
    if (column.nominal() && values.size() > 2)
      counted += values.size();
    else if (!values.empty())  // of two categories, one question is the other
      counted += std::min(values.size(), bins) - 1;
  }
  return counted;
}

// Whether tests save less than so many of the dearest mistakes that luck evens out.
bool few_mistakes(const Problem& problem) {
  std::vector<double> counts(static_cast<std::size_t>(problem.session.classes()));
  const auto& labels = problem.session.classes_of_rows();
  for (std::size_t row = 0; row < labels.size(); ++row)
    if (problem.weights.empty() || problem.weights[row] > 0.0) counts[static_cast<std::size_t>(labels[row])] += 1.0;
  return most_saved(problem, counts) < mistakes_enough * dearest_mistake(problem);
}

// Whether the best tree of three tests is the usual one: few questions, and mistakes enough.
bool fits_no_chance(const Problem& problem, std::size_t cases) {
  const std::size_t least = cases / cases_for_a_question;
  if (static_cast<std::size_t>(problem.table.features()) > least || few_mistakes(problem)) return false;
  const auto classes = static_cast<std::size_t>(problem.session.classes());
  const std::size_t asked = questions(problem);
  const auto work = [](std::size_t count) { return static_cast<double>(count); };  // 32 bits hold no product of counts
  return asked <= least && work(cases) * work(classes) * work(asked) * work(asked) <= searched_work;
}

// A nominal column with a category for every case or two tells nothing about the next one: no case has a value there.
void hide_case_names(Problem& problem) {
  constexpr Index least_categories = 50;
  problem.hidden.assign(problem.table.rows, missing_code);
  for (Column& column : problem.table.columns)
    if (column.nominal() && column.values >= least_categories && 2 * static_cast<std::size_t>(column.values) >= problem.table.rows)
      column.data = problem.hidden.data();
}

// What was chosen by what, without figures: those of the best of several are hopeful.
std::string sentence(const Thrift& found, std::size_t parts) {
  if (parts == 0) return "Nothing is tested: there are too few cases to judge tests by.";
  if (found.judged.size() == 1) return "Nothing is tested: all cases are of one class.";
  const std::string how = "estimated " + (parts == 1 ? "on a quarter of the cases" : "by " + std::to_string(parts) + " folds") +
                          (found.deals == 1 ? "" : ", dealt " + std::to_string(found.deals) + " times");
  if (found.chosen == 0) return "No test clearly pays: all get the same answer. Judged by unseen cases, " + how + ".";
  return "Chosen of " + std::to_string(found.judged.size()) + " by what unseen cases cost, " + how + ": " + found.judged[found.chosen].words + ".";
}

// Whether a quarter of the cases leaves open if anything is cheaper than the constant.
bool undecided(const std::vector<Contender>& judged) {
  return std::any_of(judged.begin() + 1, judged.end(), [&](const Contender& one) { return one.cost < judged[0].cost; });
}

// Judges every candidate by what cases cost that it was not learnt from, and chooses; returns how many parts the cases were dealt into.
std::size_t judge_all(Thrift& found, const Problem& problem, const std::vector<Candidate>& competing, const std::vector<Row>& counted,
                      std::size_t folds, std::size_t many, std::uint32_t seed) {
  std::vector<std::vector<Row>> unseen;
  for (std::size_t deal = 0; deal < found.deals; ++deal)
    for (auto& part : parts(problem.session.classes_of_rows(), counted, folds, many, seed + static_cast<std::uint32_t>(deal)))
      if (part.size() < counted.size()) unseen.push_back(std::move(part));
  found.judged.clear();
  std::vector<double> doubted;  // what trees with less and less doubt cost
  for (const Candidate& candidate : competing) {
    // Where one costs more than the one before, those after it are left out.
    if (doubted.size() > 1 && !(doubted.back() <= doubted[doubted.size() - 2])) continue;
    Contender& own = found.judged.emplace_back();
    own.name = candidate.name;
    own.words = candidate.words;
    judge(own, problem, candidate, unseen);
    if (candidate.doubted()) doubted.push_back(own.cost);
  }
  found.chosen = chosen(found.judged, few_mistakes(problem) ? dearest_mistake(problem) : 0.0);
  return unseen.size() / found.deals;
}

}  // namespace

Thrift learn_thrift(const Session& session, std::span<const Row> rows, std::size_t folds, std::uint32_t seed) {
  if (session.prices() != nullptr && session.prices()->upfront())
    throw InputError("Our own learner searches branches apart, so tests are paid one by one: payment 'sequential'.");
  std::vector<Row> all(rows.empty() ? session.table().rows : 0);
  std::iota(all.begin(), all.end(), Row{0});
  if (rows.empty()) rows = all;
  const std::vector<Row> sample = sampled(session, rows, seed);
  Problem problem{session, session.table(), {}, session.error_matrix(), 0, {}, only(session, sample.empty() ? rows : sample)};
  hide_case_names(problem);
  problem.answers = problem.loss.size() / static_cast<std::size_t>(session.classes());
  for (Index label : session.classes_of_rows()) {
    const auto first = problem.loss.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(label) * problem.answers);
    problem.by_case.insert(problem.by_case.end(), first, first + static_cast<std::ptrdiff_t>(problem.answers));
  }
  std::vector<Row> counted;
  for (std::size_t row = 0; row < session.table().rows; ++row)
    if (problem.weights.empty() || problem.weights[row] > 0.0) counted.push_back(static_cast<Row>(row));
  std::vector<Candidate> competing{constant};
  if (session.classes() > 1) {
    if (fits_no_chance(problem, counted.size())) competing.push_back(three_tests);
    competing.insert(competing.end(), std::begin(doubts), std::end(doubts));
  }
  Thrift found;
  found.deals = competing.size() > 1 && competing[1].name == std::string_view(three_tests.name) ? 3 : 1;
  std::size_t dealt_parts = judge_all(found, problem, competing, counted, folds, many_cases, seed);
  if (found.chosen == 0 && dealt_parts == 1 && undecided(found.judged))
    dealt_parts = judge_all(found, problem, competing, counted, quarters, counted.size(), seed);
  const Candidate* taken =
      &*std::find_if(competing.begin(), competing.end(), [&](const auto& one) { return found.judged[found.chosen].name == one.name; });
  found.tree = learnt(problem, *taken, problem.weights);
  if (found.chosen != 0 && found.tree.size() == 1) {  // what it asked of some cases, it asks of all no more
    found.chosen = 0;
    taken = &competing[0];
    found.tree = learnt(problem, *taken, problem.weights);
  }
  if (!sample.empty()) {
    Smoothing smoothing;
    smoothing.m = taken->added;
    const std::vector<double> weights = only(session, rows);
    recount(found.tree, Cases{problem.table, session.classes_of_rows(), weights}, problem.by_case, problem.loss, smoothing);
  }
  found.note = sentence(found, dealt_parts);
  return found;
}

}  // namespace thriftwood::face
