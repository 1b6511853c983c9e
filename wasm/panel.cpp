#include "panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "basics/thread_pool.hpp"
#include "dealing.hpp"
#include "ensembles/forest.hpp"
#include "logistic.hpp"

namespace thriftwood::face {

namespace {

constexpr std::size_t most_cases = 1500, folds = 3, many_cases = 3000, most_categories = 30;
constexpr double farthest = 1e6, all_the_same = 1e-12, slack = 1e-12;
constexpr int trees = 100;
constexpr Key forest_key = 209652396;  // what numpy draws for random_state=0
constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::size_t place(Index index) { return static_cast<std::size_t>(index); }

// How the cells of one column become numbers, learnt from some rows.
struct Coded {
  const Column& column;
  double unit = 1.0, mean = 0.0, scale = 0.0;  // 0: the numbers are all the same, or it is nominal
  bool tells_missing = false;
  std::vector<Index> categories;

  void put(Row row, std::vector<double>& to) const {
    bool missing = false;
    if (column.nominal()) {
      const Index code = column.code(row);
      for (Index category : categories) to.push_back(code == category ? 1.0 : 0.0);
      missing = code == missing_code;
    } else {
      const double value = column.number(row);
      missing = std::isnan(value);
      if (scale > 0.0) to.push_back(missing ? 0.0 : std::clamp((value / unit - mean) / scale, -farthest, farthest));
    }
    if (tells_missing) to.push_back(missing ? 1.0 : 0.0);
  }
};

Coded coded_numbers(const Column& column, std::span<const Row> rows) {
  Coded coded{column};
  std::vector<double> known;
  for (Row row : rows)
    if (!std::isnan(column.number(row))) known.push_back(column.number(row));
  if (known.empty()) return coded;
  coded.tells_missing = known.size() < rows.size();
  const auto n = static_cast<double>(known.size());
  double largest = 0.0;
  for (double value : known) largest = std::max(largest, std::abs(value));
  coded.unit = largest > 0.0 ? largest : 1.0;
  for (double& value : known) value /= coded.unit;
  coded.mean = std::accumulate(known.begin(), known.end(), 0.0) / n;
  double squares = 0.0;
  for (double value : known) squares += (value - coded.mean) * (value - coded.mean);
  coded.scale = std::sqrt(squares / n);
  if (coded.scale <= all_the_same) coded.scale = 0.0;
  return coded;
}

Coded coded_categories(const Column& column, std::span<const Row> rows) {
  Coded coded{column};
  std::vector<std::size_t> counts(place(column.values));
  for (Row row : rows) {
    const Index code = column.code(row);
    if (code >= 0) ++counts[place(code)];
    coded.tells_missing = coded.tells_missing || code == missing_code;
  }
  std::vector<Index> order(counts.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return counts[place(a)] > counts[place(b)]; });
  order.resize(std::min(order.size(), most_categories));
  std::erase_if(order, [&](Index code) { return counts[place(code)] == 0; });
  std::sort(order.begin(), order.end());
  if (!order.empty() && order.size() <= 2) order.erase(order.begin());  // of two the one says what the other does
  coded.categories = std::move(order);
  return coded;
}

std::vector<Index> labels_of(const Session& session, std::span<const Row> rows) {
  std::vector<Index> labels;
  for (Row row : rows) labels.push_back(session.classes_of_rows()[row]);
  return labels;
}

// `read`: the rows that say how columns become numbers; learnt from some of them.
std::vector<double> by_logistic(const Session& session, std::span<const Index> panel, std::span<const Row> read, std::span<const Row> from,
                                std::span<const Row> asked) {
  std::vector<Coded> columns;
  for (Index feature : panel) {
    const Column& column = session.table().columns[place(feature)];
    columns.push_back(column.nominal() ? coded_categories(column, read) : coded_numbers(column, read));
  }
  const auto design = [&](std::span<const Row> rows) {
    Design made;
    for (Row row : rows) {
      made.numbers.push_back(1.0);
      for (const Coded& column : columns) column.put(row, made.numbers);
      if (made.width == 0) made.width = made.numbers.size();
    }
    return made;
  };
  const auto classes = place(session.classes());
  return logistic_shares(design(asked), fit_logistic(design(from), labels_of(session, from), classes), classes);
}

// The columns of a panel as a forest reads them: of some rows, with the categories that others of them have.
struct PanelTable {
  Table table;
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<Index>> codes;

  // A category that nobody of `read` has is none; one that nobody of `from` has was not there before.
  PanelTable(const Session& session, std::span<const Index> panel, std::span<const Row> read, std::span<const Row> from, std::span<const Row> rows)
      : numbers(panel.size()), codes(panel.size()) {
    table.rows = rows.size();
    for (std::size_t i = 0; i < panel.size(); ++i) {
      const Column& column = session.table().columns[place(panel[i])];
      if (!column.nominal()) {
        for (Row row : rows) numbers[i].push_back(column.number(row));
        table.columns.push_back({Storage::Float64, numbers[i].data(), 1, 0, nullptr, 0});
        continue;
      }
      std::vector<Index> code_of(place(column.values), missing_code);
      for (Row row : read)
        if (column.code(row) >= 0) code_of[place(column.code(row))] = unseen_code;
      std::set<Index> there;
      for (Row row : from)
        if (column.code(row) >= 0) there.insert(column.code(row));
      Index next = 0;
      for (Index code : there) code_of[place(code)] = next++;
      for (Row row : rows) codes[i].push_back(column.code(row) < 0 ? missing_code : code_of[place(column.code(row))]);
      table.columns.push_back({Storage::Codes, codes[i].data(), 1, std::max<Index>(next, 1), nullptr, 0});
    }
  }
  PanelTable(const PanelTable&) = delete;
};

std::vector<double> by_forest(const Session& session, std::span<const Index> panel, const Learning& learning, std::span<const Row> read,
                              std::span<const Row> from, std::span<const Row> asked) {
  const PanelTable known(session, panel, read, from, from), unknown(session, panel, read, from, asked);
  const std::vector<Index> labels = labels_of(session, from);
  Target target = class_target(labels, session.classes(), {});
  Settings settings = learning.settings;
  settings.threads = 1;
  settings.feature_draw = FeatureDraw::Root;
  const Bagging bagging{trees, from.size(), true, forest_key, {}, from.size()};
  const std::vector<Tree> grown = grow_forest(known.table, target, settings, bagging);
  std::vector<Predictor> predictors(grown.begin(), grown.end());
  std::vector<const Predictor*> asking;
  for (const Predictor& one : predictors) asking.push_back(&one);
  std::vector<double> shares(asked.size() * place(session.classes()));
  mean_shares(asking, unknown.table, 1, shares);
  return shares;
}

// The answer of least expected cost; of equal ones the first.
Index cheapest(std::span<const double> shares, const std::vector<double>& loss) {
  const std::size_t width = loss.size() / shares.size();
  std::vector<double> costs(width);
  double size = 0.0;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    double most = 0.0;
    for (std::size_t a = 0; a < width; ++a) {
      costs[a] += shares[c] * loss[c * width + a];
      most = std::max(most, std::abs(loss[c * width + a]));
    }
    size += shares[c] * most;
  }
  const double near = *std::min_element(costs.begin(), costs.end()) + slack * size;
  return static_cast<Index>(std::find_if(costs.begin(), costs.end(), [&](double cost) { return cost <= near; }) - costs.begin());
}

std::vector<Index> answered(const std::vector<double>& shares, std::size_t classes, const std::vector<double>& loss) {
  std::vector<Index> answers;
  for (std::size_t at = 0; at < shares.size(); at += classes) answers.push_back(cheapest(std::span(shares).subspan(at, classes), loss));
  return answers;
}

double cost_of(const Session& session, const std::vector<Row>& rows, const std::vector<double>& shares, const std::vector<double>& loss) {
  const auto classes = place(session.classes());
  const std::vector<Index> answers = answered(shares, classes, loss);
  double cost = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) cost += loss[place(session.classes_of_rows()[rows[i]]) * (loss.size() / classes) + place(answers[i])];
  return cost;
}

}  // namespace

std::vector<Index> Panels::answers(Session& session, const std::vector<Index>& panel, const Learning& forest, std::size_t part) {
  std::string key = std::to_string(part);
  for (Index feature : panel) key += " " + std::to_string(feature);
  const std::vector<double> loss = session.error_matrix();
  const std::vector<Row>& own = session.parts().at(part);
  std::vector<Row> others = session.without(part);
  if (others.empty()) others = own;
  if (!learnt_.contains(key)) {
    if (learnt_.size() >= 64) learnt_.clear();
    Learnt made;
    made.own = {own, by_logistic(session, panel, others, others, own), {}};
    std::vector<Row> counted = others;
    if (counted.size() > most_cases) {
      counted = permuted(std::move(counted), 0);
      counted.resize(most_cases);
      std::sort(counted.begin(), counted.end());
    }
    for (const auto& aside : parts(session.classes_of_rows(), counted, folds, many_cases, 0)) {
      std::vector<Row> seen;
      std::set_difference(counted.begin(), counted.end(), aside.begin(), aside.end(), std::back_inserter(seen));
      const std::vector<Index> labels = labels_of(session, seen);
      if (panel.empty() || std::set<Index>(labels.begin(), labels.end()).size() < 2) {
        made.kept_aside.clear();
        break;
      }
      made.kept_aside.push_back({aside, by_logistic(session, panel, others, seen, aside), by_forest(session, panel, forest, others, seen, aside)});
    }
    learnt_[key] = std::move(made);
  }
  Learnt& learnt = learnt_[key];
  double logistic = 0.0, of_forest = 0.0;
  for (const Shares& aside : learnt.kept_aside) {
    logistic += cost_of(session, aside.rows, aside.of_logistic, loss);
    of_forest += cost_of(session, aside.rows, aside.of_forest, loss);
  }
  const auto classes = place(session.classes());
  if (logistic <= of_forest) return answered(learnt.own.of_logistic, classes, loss);
  if (learnt.own.of_forest.empty()) learnt.own.of_forest = by_forest(session, panel, forest, others, others, own);
  return answered(learnt.own.of_forest, classes, loss);
}

}  // namespace thriftwood::face
