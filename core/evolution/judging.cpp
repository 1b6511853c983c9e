#include "judging.hpp"

#include <optional>
#include <string>

#include "../accounting/tree_ledger.hpp"

namespace thriftwood {

std::vector<Row> Judged::weighed_rows() const {
  std::vector<Row> rows;
  for (std::size_t row = 0; row < table.rows; ++row)
    if (weight(static_cast<Row>(row)) > 0.0) rows.push_back(static_cast<Row>(row));
  return rows;
}

void check_judged(const Judged& judged) {
  const auto text = [](auto number) { return std::to_string(number); };
  const std::size_t rows = judged.table.rows;
  if (judged.labels.size() != rows)
    throw InputError("There are " + text(judged.labels.size()) + " labels for " + text(rows) + " rows. Give one for every row.");
  if (!judged.weights.empty() && judged.weights.size() != rows)
    throw InputError("There are " + text(judged.weights.size()) + " weights for " + text(rows) + " rows. Give one for every row, or none.");
  for (Index label : judged.labels)
    if (label < 0 || label >= judged.classes)
      throw InputError("There is a label " + text(label) + "; classes are 0 to " + text(judged.classes - 1) + ".");
  const auto square = static_cast<std::size_t>(judged.classes) * static_cast<std::size_t>(judged.classes);
  if (!judged.loss.empty() && judged.loss.size() != square)
    throw InputError("The error costs have " + text(judged.loss.size()) + " entries; " + text(judged.classes) + " classes need " + text(square) +
                     " (actual by predicted).");
  if (judged.prices != nullptr && judged.prices->tests() != judged.table.features())
    throw InputError("The price list has " + text(judged.prices->tests()) + " tests, the table " + text(judged.table.features()) + " features.");
}

double mean_bill(const Predictor& tree, const Judged& judged, std::span<const Row> rows) {
  std::optional<TreeBiller> biller;
  if (judged.prices != nullptr) biller.emplace(tree.tree(), *judged.prices);
  std::vector<double> shares(static_cast<std::size_t>(judged.classes));
  double cost = 0.0, weight = 0.0;
  for (Row row : rows) {
    const TableRow values{judged.table, row};
    const double own = judged.weight(row);
    const Index answer = tree.label_of(values, shares);
    cost += own * (judged.loss_of(judged.labels[row], answer) + (biller ? biller->bill(values).cost : 0.0));
    weight += own;
  }
  return cost / weight;
}

}  // namespace thriftwood
