// Small tables for trees that are searched for.
#pragma once

#include <utility>
#include <vector>

#include "optimal/optimal.hpp"

namespace thriftwood {

// Numbers row by row, and what the two answers cost each row.
struct Sample {
  std::vector<double> numbers;
  std::vector<Index> labels;
  std::vector<double> costs;
  Table table;

  Sample(std::size_t columns, std::vector<double> values, std::vector<Index> classes, double mistake)
      : numbers(std::move(values)), labels(std::move(classes)) {
    table.rows = labels.size();
    for (std::size_t c = 0; c < columns; ++c)
      table.columns.push_back({Storage::Float64, numbers.data() + c, static_cast<std::ptrdiff_t>(columns), 0});
    for (Index label : labels) {
      costs.push_back(label == 0 ? 0.0 : mistake);
      costs.push_back(label == 1 ? 0.0 : mistake);
    }
  }
  OptimalInput input(const Prices* prices = nullptr) const { return {table, {}, costs, 2, prices}; }
};

inline OptimalSettings levels(int depth) {
  OptimalSettings settings;
  settings.depth = depth;
  return settings;
}

}  // namespace thriftwood
