// What is to be predicted: classes or numbers, with the weight of every case.
//
// A case of weight 0 does not count at all: no cut lies beside it and none of its values occurs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "../criteria/criterion.hpp"
#include "../criteria/entropy.hpp"
#include "../criteria/gini.hpp"
#include "../criteria/gini_loss.hpp"
#include "../criteria/leaf_cost.hpp"
#include "../criteria/smoothed_cost.hpp"
#include "../criteria/squared_error.hpp"

namespace thriftwood {

// What a node knows about its cases.
struct Summary {
  std::vector<double> cell;  // see criteria/impurity.hpp
  double weight = 0.0;
  double cost = 0.0;         // weight times impurity
  double centre = 0.0;       // squared error: what the cell's numbers are measured from, the node's mean or nearly so
  double median = 0.0;       // absolute error only
  bool constant = false;     // regression: every case has the same number
  double unavoidable = 0.0;  // rows that are votes: the weight of those for other answers, if every case got its own best one
};

// What a row counts as a case: its weight, without what priors or error costs make of it.
struct CaseWeight {
  const double* weights = nullptr;      // by row; null: 1
  const std::uint16_t* labels = nullptr;
  const double* per_weight = nullptr;   // by class; null: nothing is altered

  double operator()(Row row) const {
    const double weight = weights == nullptr ? 1.0 : weights[row];
    return per_weight == nullptr ? weight : weight * per_weight[labels[row]];
  }
};

// What numbers and weights are whole multiples of, so that sums of them are exact; see exact_numbers.hpp.
struct NumberGrid {
  double step = 0.0;         // of numbers, a power of two; 0: they are what they are
  double origin = 0.0;       // what units are counted from, a multiple of the step
  double weight_step = 1.0;  // of weights

  bool exact() const { return step > 0.0; }
  double rounded(double number) const { return std::round(number / step) * step; }
  // Of a number that was rounded.
  std::int64_t units(double number) const { return static_cast<std::int64_t>((number - origin) / step); }
  std::int64_t weight_units(double weight) const { return static_cast<std::int64_t>(weight / weight_step); }
  double number(std::int64_t units) const { return origin + static_cast<double>(units) * step; }
};

struct Target {
  bool regression = false;
  Index classes = 0;
  std::vector<std::uint16_t> labels;  // classification: class of each row
  std::vector<double> numbers;        // regression: what to predict for each row
  std::vector<double> weights;        // of each row; empty when every case counts 1
  std::vector<double> cases_per_weight;  // by class, where minimum sizes count cases and weights are altered; empty: sizes are weights
  std::vector<double> x_log_x;        // see Entropy::table
  std::vector<double> regret;         // classification: see LeafCost::loss
  std::vector<double> best_share;     // rows that are votes: see `count_votes`; empty: every row is a case of its own
  NumberGrid grid;                    // of numbers whose sums are exact

  std::size_t rows() const { return regression ? numbers.size() : labels.size(); }
  bool unit() const { return weights.empty(); }
  std::size_t width() const { return regression ? 3 : static_cast<std::size_t>(classes); }
  double weight_of(Cell cell) const {
    if (regression) return cell[0];
    double sum = 0.0;
    for (double w : cell) sum += w;
    return sum;
  }
  // What minimum sizes are compared with.
  double size_of(Cell cell) const { return counts_cases() ? cases_of(cell) : weight_of(cell); }
  // The same where the cell's weight is known.
  double size_of(Cell cell, double weight) const { return counts_cases() ? cases_of(cell) : weight; }
  double cases_of(Cell cell) const;
  bool counts_cases() const { return !cases_per_weight.empty(); }
  // By how much a size may be below the least: sums of fractions are a little off, and altered ones a little more.
  double size_slack() const { return counts_cases() ? 1e-6 : 1e-9; }
  // `weights` are those of the node at hand, by row; null: 1.
  CaseWeight case_weight(const double* weights_by_row) const {
    return {weights_by_row, labels.data(), counts_cases() ? cases_per_weight.data() : nullptr};
  }
  // `from` holds the numbers by row, measured from wherever the caller's cells are.
  void add(std::span<double> cell, Row row, double weight, const double* from) const {
    if (!regression) {
      cell[labels[row]] += weight;
      return;
    }
    const double y = from[row];
    cell[0] += weight;
    cell[1] += weight * y;
    cell[2] += weight * y * y;
  }
};

Target class_target(std::span<const Index> labels, Index classes, std::span<const double> weights);

// Rows of one case are its votes for several answers, and weigh what the answers are worth to it. Notes for every row which share of its
// case's votes is for the case's best answer; weights may be multiplied by anything that is the same for all votes of a case.
void count_votes(Target& target, std::span<const Row> case_of);

// Per row: its weight (none given: 1) times the weight of its class.
std::vector<double> class_weighted(std::span<const Index> labels, std::span<const double> weights, std::span<const double> class_weights);
// The same classes with those weights.
Target class_weighted(const Target& target, std::span<const double> class_weights);

// From now on sizes count cases, of which every class weighs so much.
void count_cases(Target& target, std::span<const double> class_weights);

Target number_target(std::span<const double> numbers, std::span<const double> weights);

// The weighted (lower) median and the summed absolute distance from it; the heart of the absolute error.
struct Median {
  double at = 0.0;
  double distance = 0.0;
};
Median median(std::vector<std::pair<double, double>>& numbers_and_weights);

// Fills the cost of a cell by the named impurity. The absolute error is not a function of a cell; its cost is set by whoever
// has the rows.
double cell_cost(ImpurityName impurity, const Target& target, Cell cell, double weight, bool whole_weights);

}  // namespace thriftwood
