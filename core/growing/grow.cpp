#include "grow.hpp"

#include <cmath>
#include <optional>

#include "../criteria/entropy.hpp"
#include "../rows/rows.hpp"
#include "../splitting/exact_numbers.hpp"
#include "grower.hpp"

namespace thriftwood {

namespace {

// A table of n log2 n pays while it fits in the cache; 1 << 20 numbers are 8 MiB.
constexpr std::size_t largest_table = 1u << 20;

constexpr Index most_grouped = 500;  // half a second for one node and feature

// Exact numeric columns of up to so many values are counted by value instead of being kept in order. Looking through many counters
// does not pay for few cases.
Index coded_values(std::size_t rows) { return static_cast<Index>(std::clamp<std::size_t>(rows / 4, 16, most_codes)); }

std::string sampled_criteria() {
  std::string names;
  for (const Criterion& one : criteria)
    if (one.samples) names += (names.empty() ? "'" : ", '") + std::string(one.name) + "'";
  return names;
}

void check(const Table& table, const Target& target, const Settings& settings) {
  if (table.rows == 0) throw InputError("The table has no rows.");
  if (predicts_numbers(settings.impurity) != target.regression)
    throw InputError("The criterion does not fit the target: one is for classes, the other for numbers.");
  if (!(settings.confidence >= 0.0 && settings.confidence < 1.0))
    throw InputError("confidence must be at least 0 and below 1; got " + std::to_string(settings.confidence) + ".");
  if (settings.confidence > 0.0 && target.regression) throw InputError("The chi-square test before a split is for classes, not for numbers.");
  const auto classes = static_cast<std::size_t>(target.classes);
  if (!settings.loss.empty() && (target.regression || !fits_classes(settings.loss, classes)))
    throw InputError("The error costs have " + std::to_string(settings.loss.size()) + " entries; " + std::to_string(classes) + " classes need " +
                     std::to_string(classes * classes) + " (actual by predicted), or a multiple of the classes above that.");
  if (settings.impurity == ImpurityName::GiniLoss && answers_of(settings.loss, classes) > classes)
    throw InputError("The criterion 'gini-loss' counts mistakes between classes, and there are answers that are no class.");
  for (double entry : settings.loss)
    if (!std::isfinite(entry)) throw InputError("Error costs must be finite; got " + std::to_string(entry) + ".");
  if (settings.bins < 0 || settings.bins == 1 || settings.bins > most_codes)
    throw InputError("bins must be 0 (exact) or from 2 to 255; got " + std::to_string(settings.bins) + ".");
  if (settings.choosing != Choosing::Best && !sampling_of(settings.merit))
    throw InputError("Tests are drawn, and looked at ahead by samples, by these criteria alone: " + sampled_criteria() + ".");
  if (settings.choosing == Choosing::LookAhead && settings.samples < 1)
    throw InputError("Looking ahead takes at least 1 sample; got " + std::to_string(settings.samples) + ".");
  if (settings.feature_draw != FeatureDraw::All && !(settings.max_features > 0.0 || settings.feature_draw == FeatureDraw::Root))
    throw InputError("max_features must be above 0; got " + std::to_string(settings.max_features) + ".");
  if (settings.feature_draw != FeatureDraw::All && settings.choosing != Choosing::Best)
    throw InputError("Where growth looks ahead by samples, all features are asked: max_features is for criteria that do not.");
  if (!settings.class_weights.empty() && (target.regression || settings.class_weights.size() != classes))
    throw InputError("There are " + std::to_string(settings.class_weights.size()) + " class weights for " + std::to_string(classes) + " classes.");
  if (settings.budget && settings.budget.prices->tests() != table.features())
    throw InputError("The price list of the budget has " + std::to_string(settings.budget.prices->tests()) + " tests, the table " +
                     std::to_string(table.features()) + " features.");
  const double cf = leaf_confidence(settings.merit);
  if (!(cf > 0.0 && cf <= 1.0)) throw InputError("cf must be above 0 and at most 1; got " + std::to_string(cf) + ".");
  if (settings.nominal == NominalTests::Value && settings.impurity == ImpurityName::AbsoluteError)
    throw InputError("Tests of one category against the others are for classes and for the squared error, not for the absolute error.");
  if (plans_components(settings.merit) && settings.nominal != NominalTests::Value && settings.nominal != NominalTests::Binary)
    throw InputError("Looking ahead plans for the two outcomes of a test, so nominal tests must be binary or of one value.");
  for (const Column& column : table.columns)
    if (settings.nominal == NominalTests::Grouped && column.values > most_grouped)
      throw InputError("Grouping takes time in proportion to the cube of the number of categories, so it is for features of at most " +
                       std::to_string(most_grouped) + "; one has " + std::to_string(column.values) + ". Use binary or multiway tests.");
  for (const Column& column : table.columns)
    if (column.values > most_branches)
      throw InputError("A nominal feature may have at most " + std::to_string(most_branches) + " categories; got " + std::to_string(column.values) +
                       ".");
}

void check_rows(const Table& table, const Target& target) {
  if (target.rows() != table.rows)
    throw InputError("The table has " + std::to_string(table.rows) + " rows, the target " + std::to_string(target.rows()) + ".");
}

// What counting cannot do, where there are too many cases to be gathered.
void check_counted(const Settings& settings) {
  if (settings.impurity == ImpurityName::AbsoluteError)
    throw InputError("The absolute error needs the cases themselves, and there are more of them than the memory may hold.");
  if (plans_components(settings.merit) || settings.lookahead > 1 || settings.choosing == Choosing::LookAhead)
    throw InputError("Looking ahead needs the cases themselves, and there are more of them than the memory may hold.");
}

// What impurities look up instead of working it out for every cell.
void prepare_impurity(Target& target, const Settings& settings, std::size_t rows) {
  if (settings.counts_mistakes()) target.regret = regrets(settings.loss, static_cast<std::size_t>(target.classes));
  if (settings.count_cases) count_cases(target, settings.class_weights);
  if (!target.x_log_x.empty()) return;
  if (settings.impurity != ImpurityName::Entropy || !target.unit() || rows > largest_table) return;
  target.x_log_x.resize(rows + 1);
  for (std::size_t n = 0; n < target.x_log_x.size(); ++n) target.x_log_x[n] = Entropy::plain(static_cast<double>(n));
}

void check_subset(std::span<const Row> rows, std::size_t table_rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] >= table_rows || (i > 0 && rows[i] <= rows[i - 1]))
      throw InputError("Rows to grow on must be row numbers in ascending order, each once.");
}

Tree grow_on(const Table& table, const Target& target, const Settings& settings, const Columns& columns, ThreadPool& pool,
             std::span<const Row> subset) {
  Rows rows(table, target, settings, columns);
  return Grower(table, target, settings, rows, pool).grow(subset);
}

Columns prepare_for(const Table& table, const Target& target, int bins, bool with_gaps, ThreadPool& pool) {
  Columns columns = prepare(table, pool, bins, with_gaps, coded_values(table.rows));
  columns.strips = lay_strips(columns, target);
  return columns;
}

// Cases of weight 0 must not count at all: not as a place for a cut, not as a value that occurs.
std::vector<Row> weighted_rows(const Target& target, std::span<const Row> rows) {
  std::vector<Row> kept;
  const auto keep = [&](Row row) {
    if (target.weights[row] > 0.0) kept.push_back(row);
  };
  if (rows.empty()) {
    for (std::size_t row = 0; row < target.rows(); ++row) keep(static_cast<Row>(row));
  } else {
    for (Row row : rows) keep(row);
  }
  if (kept.empty()) throw InputError("Every case has weight 0.");
  return kept;
}

bool has_zero_weights(const Target& target) { return std::find(target.weights.begin(), target.weights.end(), 0.0) != target.weights.end(); }

}  // namespace

// Sums of weights and numbers are exact wherever bins are used: the same tree whether the cases are in memory or counted elsewhere, see
// counting/coding.hpp.
static void round_target(Target& target, const Settings& settings) {
  double grid = 1.0, largest = 1.0;
  if (!target.unit()) {
    largest = *std::max_element(target.weights.begin(), target.weights.end());
    // Classes need no step in common: weights are multiples of it as they are.
    const double common = settings.impurity == ImpurityName::SquaredError ? common_step(target.weights) : 0.0;
    grid = exact_grid(target.rows(), largest, common);
    for (double& weight : target.weights) weight = on_grid(weight, grid);
  }
  if (settings.impurity == ImpurityName::SquaredError) round_numbers(target, grid, largest);
}

Tree grow_counted(const Coding& coding, std::uint64_t cases, const Settings& settings, Counter& counter, const CountingLimits& limits,
                  ThreadPool& pool) {
  const Table table = table_of(coding, cases);
  Target target;
  target.regression = coding.regression;
  target.classes = coding.classes;
  if (settings.impurity == ImpurityName::SquaredError) target.grid = coding.numbers;
  if (coding.weighted) target.weights = {1.0};  // cases do not count 1
  check(table, target, settings);
  if (settings.bins == 0) throw InputError("A table is counted by bins: bins must be from 2 to 255.");
  if (settings.missing == Missing::Surrogate || settings.cut_at == CutAt::Observed)
    throw InputError("Surrogates and cuts at observed values need values, and a coded table has none.");
  if (cases > limits.gathered_node) check_counted(settings);
  prepare_impurity(target, settings, cases);
  CountedRows rows(coding, target, settings, cases, counter, limits);
  return Grower(table, target, settings, rows, pool).grow({});
}

Tree grow(const Table& table, Target& target, const Settings& settings, std::span<const Row> rows) {
  check_rows(table, target);
  check(table, target, settings);
  check_subset(rows, table.rows);
  if (settings.bins > 0) round_target(target, settings);
  prepare_impurity(target, settings, target.rows());
  std::vector<Row> weighted;
  if (has_zero_weights(target)) rows = weighted = weighted_rows(target, rows);
  ThreadPool pool(settings.threads);
  const Columns columns = prepare_for(table, target, settings.bins, settings.min_gap > 0.0, pool);
  return grow_on(table, target, settings, columns, pool, rows);
}

std::vector<Tree> grow_many(const Table& table, Target& target, const Settings& settings, const std::vector<std::vector<Row>>& rows) {
  for (const auto& subset : rows)
    if (subset.empty()) throw InputError("A list of rows to grow on is empty.");
  ThreadPool pool(settings.threads);
  const Settings* const only = &settings;
  const PreparedLearner learner(table, target, {&only, 1}, pool);
  std::vector<Tree> trees(rows.size());
  trees.resize(pool.run_until_interrupted(rows.size(), [&](std::size_t i, int) { trees[i] = learner.grow(settings, rows[i]); }));
  return trees;
}

PreparedLearner::PreparedLearner(const Table& table, Target& target, std::span<const Settings* const> all_settings, ThreadPool& pool)
    : table_(table), target_(target), zero_weights_(has_zero_weights(target)) {
  std::map<int, bool> with_gaps;  // by number of bins; knowing the gaps changes no tree of settings that do not ask for them
  const Settings* first_counting = nullptr;
  for (const Settings* settings : all_settings) {
    check_rows(table, target);
    check(table, target, *settings);
    if (settings->counts_mistakes()) {
      if (first_counting == nullptr) first_counting = settings;
      if (settings->loss != first_counting->loss) throw InputError("All trees of one call must have the same error costs.");
    }
    prepare_impurity(target, *settings, target.rows());
    with_gaps[settings->bins] |= settings->min_gap > 0.0;
  }
  for (const auto& [bins, gaps] : with_gaps) columns_.emplace(bins, prepare_for(table, target, bins, gaps, pool));
}

Tree PreparedLearner::grow(const Settings& settings, std::span<const Row> rows, std::span<const double> class_weights) const {
  check_subset(rows, table_.rows);
  std::optional<Target> own;
  // Weights of 1 change nothing, and whole cases grow faster.
  if (std::any_of(class_weights.begin(), class_weights.end(), [](double weight) { return weight != 1.0; })) {
    own = class_weighted(target_, class_weights);
    if (settings.count_cases) count_cases(*own, class_weights);
  }
  const Target& target = own ? *own : target_;
  std::vector<Row> weighted;
  if (own ? has_zero_weights(target) : zero_weights_) rows = weighted = weighted_rows(target, rows);
  ThreadPool alone(1);
  return grow_on(table_, target, settings, columns_.at(settings.bins), alone, rows);
}

Tree PreparedLearner::grow_weighted(const Settings& settings, std::span<const Row> rows, std::vector<double> weights) const {
  if (weights.empty()) return grow(settings, rows);
  check_subset(rows, table_.rows);
  Target own;  // without x_log_x, which is for cases that count 1
  own.regression = target_.regression;
  own.classes = target_.classes;
  own.labels = target_.labels;
  own.numbers = target_.numbers;
  own.regret = target_.regret;
  own.best_share = target_.best_share;
  own.cases_per_weight = target_.cases_per_weight;
  own.weights = std::move(weights);
  ThreadPool alone(1);
  return grow_on(table_, own, settings, columns_.at(settings.bins), alone, rows);
}

}  // namespace thriftwood
