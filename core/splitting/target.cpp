#include "target.hpp"

#include <cmath>

namespace thriftwood {

namespace {

void take_weights(Target& target, std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return;
  if (weights.size() != rows) throw InputError("There are " + std::to_string(rows) + " rows but " + std::to_string(weights.size()) + " weights.");
  bool unit = true;
  for (double w : weights) {
    if (!std::isfinite(w) || w < 0.0) throw InputError("Weights must be finite and not negative; got " + std::to_string(w) + ".");
    unit = unit && w == 1.0;
  }
  if (!unit) target.weights.assign(weights.begin(), weights.end());
}

template <class Labels>
std::vector<double> products(const Labels& labels, std::span<const double> weights, std::span<const double> class_weights) {
  std::vector<double> product(labels.size());
  for (std::size_t row = 0; row < labels.size(); ++row)
    product[row] = (weights.empty() ? 1.0 : weights[row]) * class_weights[static_cast<std::size_t>(labels[row])];
  return product;
}

}  // namespace

Target class_target(std::span<const Index> labels, Index classes, std::span<const double> weights) {
  if (classes < 1 || classes > 65535) throw InputError("The number of classes must be from 1 to 65535; got " + std::to_string(classes) + ".");
  Target target;
  target.classes = classes;
  target.labels.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes)
      throw InputError("Label " + std::to_string(labels[i]) + " of row " + std::to_string(i) + " is not a class.");
    target.labels[i] = static_cast<std::uint16_t>(labels[i]);
  }
  take_weights(target, weights, labels.size());
  return target;
}

void count_votes(Target& target, std::span<const Row> case_of) {
  if (case_of.size() != target.rows())
    throw InputError("There are " + std::to_string(target.rows()) + " votes, but the cases of " + std::to_string(case_of.size()) + ".");
  if (target.regression) throw InputError("Votes are for classes, not for numbers.");
  const std::size_t cases = case_of.empty() ? 0 : static_cast<std::size_t>(*std::max_element(case_of.begin(), case_of.end())) + 1;
  std::vector<double> best(cases, 0.0), all(cases, 0.0);
  for (std::size_t row = 0; row < case_of.size(); ++row) {
    const double weight = target.unit() ? 1.0 : target.weights[row];
    best[case_of[row]] = std::max(best[case_of[row]], weight);
    all[case_of[row]] += weight;
  }
  target.best_share.resize(case_of.size());
  for (std::size_t row = 0; row < case_of.size(); ++row)
    target.best_share[row] = all[case_of[row]] > 0.0 ? best[case_of[row]] / all[case_of[row]] : 1.0;
}

std::vector<double> class_weighted(std::span<const Index> labels, std::span<const double> weights, std::span<const double> class_weights) {
  return products(labels, weights, class_weights);
}

Target class_weighted(const Target& target, std::span<const double> class_weights) {
  Target weighted;  // without the table of logarithms, which is for whole cases
  weighted.classes = target.classes;
  weighted.labels = target.labels;
  weighted.weights = products(target.labels, target.weights, class_weights);
  weighted.regret = target.regret;
  return weighted;
}

double Target::cases_of(Cell cell) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < cell.size(); ++c) sum += cell[c] * cases_per_weight[c];
  return sum;
}

void count_cases(Target& target, std::span<const double> class_weights) {
  if (std::all_of(class_weights.begin(), class_weights.end(), [](double weight) { return weight == 1.0; })) return;
  target.cases_per_weight.clear();
  for (double weight : class_weights) target.cases_per_weight.push_back(weight > 0.0 ? 1.0 / weight : 0.0);  // none weighs 0 and counts
  if (target.unit()) target.weights.assign(target.rows(), 1.0);  // where whole cases are counted, their number is their size
}

Target number_target(std::span<const double> numbers, std::span<const double> weights) {
  Target target;
  target.regression = true;
  take_weights(target, weights, numbers.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) throw InputError("The target of row " + std::to_string(i) + " is not a finite number.");
    sum += std::abs(numbers[i]) * (target.unit() ? 1.0 : target.weights[i]);
  }
  if (!std::isfinite(sum)) throw InputError("The target's numbers are too large to be summed.");
  target.numbers.assign(numbers.begin(), numbers.end());
  return target;
}

Median median(std::vector<std::pair<double, double>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  double total = 0.0;
  for (const auto& [y, w] : pairs) total += w;
  Median result;
  double below = 0.0;
  const double half = total / 2.0 * (1.0 - tie_tolerance);  // sums of fractions are a little off
  for (const auto& [y, w] : pairs) {
    below += w;
    if (w > 0.0 && below >= half) {
      result.at = y;
      break;
    }
  }
  for (const auto& [y, w] : pairs) result.distance += w * std::abs(y - result.at);
  return result;
}

double cell_cost(ImpurityName impurity, const Target& target, Cell cell, double weight, bool whole_weights) {
  switch (impurity) {
    case ImpurityName::Gini: return Gini{}.cost(cell, weight);
    case ImpurityName::Entropy: return Entropy{whole_weights && !target.x_log_x.empty() ? target.x_log_x.data() : nullptr}.cost(cell, weight);
    case ImpurityName::SquaredError: return SquaredError{}.cost(cell, weight);
    case ImpurityName::LeafCost: return LeafCost{target.regret}.cost(cell, weight);
    case ImpurityName::SmoothedCost: return SmoothedCost{target.regret}.cost(cell, weight);
    case ImpurityName::GiniLoss: return GiniLoss{target.regret}.cost(cell, weight);
    default: throw std::logic_error("the absolute error is not a function of a cell");
  }
}

}  // namespace thriftwood
