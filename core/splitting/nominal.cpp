#include "nominal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grouping.hpp"

namespace thriftwood {

double split_information(std::span<const double> branch_weights, double missing, double total) {
  double bits = Entropy::plain(total) - Entropy::plain(missing);
  for (double w : branch_weights) bits -= Entropy::plain(w);
  return total > 0.0 ? bits / total : 0.0;
}

namespace {

double cost_of(const NominalSearch& search, Cell cell) {
  return cell_cost(search.settings.impurity, search.target, cell, search.target.weight_of(cell), search.whole_weights);
}

void add_to(std::vector<double>& sum, Cell cell, double sign = 1.0) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += sign * cell[i];
}

NominalTest multiway(const NominalSearch& search, const CategoryCells& cells) {
  NominalTest test;
  test.branches = static_cast<Index>(cells.categories());
  test.branch_of.resize(cells.categories());
  std::iota(test.branch_of.begin(), test.branch_of.end(), 0);
  for (std::size_t c = 0; c < cells.categories(); ++c) test.cost += cost_of(search, cells.cell(c));
  return test;
}

// Two sums that together hold every known case; moves categories between them and remembers the cheapest division.
class Division {
 public:
  Division(const NominalSearch& search, const CategoryCells& cells, const std::vector<Index>& present)
      : search_(search), cells_(cells), present_(present), left_(cells.width, 0.0), right_(cells.width, 0.0) {
    for (Index c : present) add_to(right_, cells.cell(static_cast<std::size_t>(c)));
    tolerance_ = tie_tolerance * cost_of(search, right_);
    on_left_.assign(cells.categories(), false);
  }

  void move(Index category, bool to_left) {
    const Cell cell = cells_.cell(static_cast<std::size_t>(category));
    add_to(left_, cell, to_left ? 1.0 : -1.0);
    add_to(right_, cell, to_left ? -1.0 : 1.0);
    on_left_[static_cast<std::size_t>(category)] = to_left;
  }

  void consider() {
    const double least = search_.settings.min_branch_weight - search_.target.size_slack();
    if (search_.target.size_of(left_) < least || search_.target.size_of(right_) < least) return;
    const double cost = cost_of(search_, left_) + cost_of(search_, right_);
    if (best_.branches == 0 || cost < best_.cost - tolerance_) {
      best_.cost = cost;
      best_.branches = 2;
      best_on_left_ = on_left_;
    }
  }

  NominalTest best() {
    if (best_.branches == 0) return best_;
    best_.branch_of.assign(cells_.categories(), -1);
    for (Index c : present_) best_.branch_of[static_cast<std::size_t>(c)] = best_on_left_[static_cast<std::size_t>(c)] ? 0 : 1;
    return best_;
  }

 private:
  const NominalSearch& search_;
  const CategoryCells& cells_;
  const std::vector<Index>& present_;
  std::vector<double> left_, right_;
  std::vector<bool> on_left_, best_on_left_;
  double tolerance_ = 0.0;
  NominalTest best_;
};

// Class shares projected on their first principal component, by power iteration from a fixed start. The covariance is never written
// down: with thousands of classes it would not fit.
std::vector<double> principal_scores(const CategoryCells& cells, const std::vector<Index>& present) {
  const std::size_t k = cells.width;
  std::vector<double> mean(k, 0.0), deviations(present.size() * k), weights(present.size());
  double total = 0.0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    const Cell cell = cells.cell(static_cast<std::size_t>(present[i]));
    weights[i] = std::accumulate(cell.begin(), cell.end(), 0.0);
    total += weights[i];
    for (std::size_t c = 0; c < k; ++c) mean[c] += cell[c];
  }
  for (std::size_t i = 0; i < present.size(); ++i)
    for (std::size_t c = 0; c < k; ++c) deviations[i * k + c] = cells.cell(static_cast<std::size_t>(present[i]))[c] / weights[i] - mean[c] / total;
  std::vector<double> axis(k), next(k), scores(present.size());
  for (std::size_t c = 0; c < k; ++c) axis[c] = 1.0 + static_cast<double>(c) / static_cast<double>(k);  // any start but a flat one
  const auto project = [&] {
    for (std::size_t i = 0; i < present.size(); ++i)
      scores[i] = std::inner_product(axis.begin(), axis.end(), deviations.begin() + static_cast<std::ptrdiff_t>(i * k), 0.0);
  };
  for (int round = 0; round < 100; ++round) {
    project();
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t i = 0; i < present.size(); ++i)
      for (std::size_t c = 0; c < k; ++c) next[c] += weights[i] * scores[i] * deviations[i * k + c];
    const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (length == 0.0) break;
    for (std::size_t c = 0; c < k; ++c) axis[c] = next[c] / length;
  }
  project();
  return scores;
}

// The order in which only contiguous sets need be tried.
std::vector<Index> category_order(const NominalSearch& search, const CategoryCells& cells, const std::vector<Index>& present) {
  std::vector<double> scores(present.size());
  if (!search.target.regression && cells.width > 2) {
    scores = principal_scores(cells, present);
  } else {
    for (std::size_t i = 0; i < present.size(); ++i) {
      const Cell cell = cells.cell(static_cast<std::size_t>(present[i]));
      scores[i] = cells.width > 1 ? cell[1] / search.target.weight_of(cell) : 0.0;
    }
  }
  std::vector<Index> places(present.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](Index a, Index b) { return scores[static_cast<std::size_t>(a)] < scores[static_cast<std::size_t>(b)]; });
  std::vector<Index> order;
  for (Index place : places) order.push_back(present[static_cast<std::size_t>(place)]);
  return order;
}

NominalTest binary(const NominalSearch& search, const CategoryCells& cells) {
  std::vector<Index> present;
  for (std::size_t c = 0; c < cells.categories(); ++c)
    if (search.target.weight_of(cells.cell(c)) > 0.0) present.push_back(static_cast<Index>(c));
  if (present.size() < 2) return {};
  Division division(search, cells, present);
  const bool many_classes = !search.target.regression && cells.width > 2;
  if (many_classes && present.size() <= static_cast<std::size_t>(search.settings.max_exhaustive)) {
    // Gray code: consecutive subsets differ in one category. The last category stays on the right, so each division comes once.
    const std::uint64_t subsets = 1ull << (present.size() - 1);
    for (std::uint64_t i = 1; i < subsets; ++i) {
      const auto flipped = static_cast<std::size_t>(__builtin_ctzll(i));
      const std::uint64_t gray = i ^ (i >> 1);
      division.move(present[flipped], (gray >> flipped & 1) != 0);
      division.consider();
    }
    return division.best();
  }
  const std::vector<Index> order = category_order(search, cells, present);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    division.move(order[i], true);
    division.consider();
  }
  return division.best();
}

std::vector<double> known_cell(const CategoryCells& cells) {
  std::vector<double> known(cells.width, 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c) add_to(known, cells.cell(c));
  return known;
}

// The cost of one category and of all others; `rest` is room for the others.
double value_cost(const NominalSearch& search, Cell own, Cell known, std::vector<double>& rest) {
  rest.assign(known.begin(), known.end());
  add_to(rest, own, -1.0);
  return cost_of(search, own) + cost_of(search, rest);
}

NominalTest best_value(const NominalSearch& search, const CategoryCells& cells) {
  const double least = search.settings.min_branch_weight - search.target.size_slack();
  const std::vector<double> known = known_cell(cells);
  const double known_size = search.target.size_of(known), tolerance = tie_tolerance * cost_of(search, known);
  std::vector<double> rest;
  double best_cost = infinity;
  Index best = -1, present = 0;
  for (std::size_t c = 0; c < cells.categories(); ++c) {
    const double weight = search.target.weight_of(cells.cell(c));
    present += weight > 0.0;
    const double size = search.target.size_of(cells.cell(c), weight);
    if (weight <= 0.0 || size < least || known_size - size < least) continue;
    const double cost = value_cost(search, cells.cell(c), known, rest);
    if (cost < best_cost - tolerance) {
      best_cost = cost;
      best = static_cast<Index>(c);
    }
  }
  return best < 0 || present < 2 ? NominalTest{} : value_test(search, cells, best);
}

}  // namespace

NominalTest value_test(const NominalSearch& search, const CategoryCells& cells, Index value) {
  const auto own = static_cast<std::size_t>(value);
  NominalTest test;
  test.branches = 2;
  test.value = value;
  test.branch_of.assign(cells.categories(), 1);
  test.branch_of[own] = 0;
  std::vector<double> rest;
  test.cost = value_cost(search, cells.cell(own), known_cell(cells), rest);
  return test;
}

NominalTest known_test(const NominalSearch& search, const CategoryCells& cells) {
  NominalTest test;
  test.branches = 1;
  test.value = -1;
  test.branch_of.assign(cells.categories(), 0);
  test.cost = cost_of(search, known_cell(cells));
  return test;
}

namespace {

NominalTest partition_known(const NominalSearch& search, const CategoryCells& cells) {
  switch (search.settings.nominal) {
    case NominalTests::Binary: return binary(search, cells);
    case NominalTests::Value: return best_value(search, cells);
    case NominalTests::Grouped:
      if (cells.categories() > 2) return group_categories(search, cells);
      [[fallthrough]];
    default: return multiway(search, cells);
  }
}

}  // namespace

NominalTest partition_categories(const NominalSearch& search, const CategoryCells& cells) {
  NominalTest test = partition_known(search, cells);
  const bool only_known = test.branches == 0 && search.settings.missing == Missing::Branch && search.target.weight_of(cells.missing()) > 0.0;
  if (only_known) return known_test(search, cells);
  return test;
}

}  // namespace thriftwood
