// What a tree costs the cases it is judged by: tests and answers, as the ledger and the predictor say.
#pragma once

#include <span>
#include <vector>

#include "../costs.hpp"
#include "../table.hpp"
#include "../tree/predict.hpp"

namespace thriftwood {

// A table of cases whose classes are known. The arrays and the prices belong to the caller.
struct Judged {
  const Table& table;
  std::span<const Index> labels;
  Index classes = 0;
  std::span<const double> weights = {};  // empty: 1 each
  std::span<const double> loss = {};     // [actual * classes + predicted]; empty: 1 for every mistake
  const Prices* prices = nullptr;        // null: tests cost nothing

  double weight(Row row) const { return weights.empty() ? 1.0 : weights[row]; }
  double loss_of(Index actual, Index answer) const {
    if (loss.empty()) return actual == answer ? 0.0 : 1.0;
    return loss[static_cast<std::size_t>(actual) * static_cast<std::size_t>(classes) + static_cast<std::size_t>(answer)];
  }
  // The rows that count at all.
  std::vector<Row> weighed_rows() const;
};

// Throws InputError, saying what came and what was wanted, unless the arrays fit each other.
void check_judged(const Judged& judged);

// The mean over these rows, by weight, of what a case pays for its tests and for its answer.
double mean_bill(const Predictor& tree, const Judged& judged, std::span<const Row> rows);

}  // namespace thriftwood
