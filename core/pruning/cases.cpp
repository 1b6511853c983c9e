#include "cases.hpp"

#include <cmath>
#include <string>

namespace thriftwood {

namespace {

std::string text(std::size_t number) { return std::to_string(number); }

void check_kind(const Table& table, NodeKind kind, Index feature) {
  const bool nominal = kind == NodeKind::Nominal;
  if (table.column(feature).nominal() == nominal) return;
  throw InputError("Feature " + std::to_string(feature) + " is " + (nominal ? "nominal" : "numeric") + " in the tree and " +
                   (nominal ? "numeric" : "nominal") + " in the table. Encode the cases as the training table was encoded.");
}

// Only features that are tested are looked at: a column without a single value may count as either kind.
void check_features(const Tree& tree, const Table& table) {
  if (table.columns.size() != tree.feature_values.size())
    throw InputError("The table has " + text(table.columns.size()) + " features, the tree was grown on " + text(tree.feature_values.size()) +
                     ". Encode the cases as the training table was encoded.");
  for (const Node& node : tree.nodes)
    if (!node.leaf()) check_kind(table, node.kind, node.feature);
  for (const Surrogate& surrogate : tree.surrogates) check_kind(table, surrogate.kind, surrogate.feature);
}

void check_rows(const Table& table, std::size_t answers, std::span<const double> weights, std::span<const Row> rows, const char* what) {
  for (Row row : rows)
    if (row >= table.rows) throw InputError("There is no row " + text(row) + "; the table has " + text(table.rows) + " rows.");
  if (answers != table.rows)
    throw InputError("There are " + text(answers) + " " + what + " for " + text(table.rows) + " rows. Give one for every row.");
  if (!weights.empty() && weights.size() != table.rows)
    throw InputError("There are " + text(weights.size()) + " weights for " + text(table.rows) + " rows. Give one for every row, or none.");
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (!(std::isfinite(weights[row]) && weights[row] >= 0.0))
      throw InputError("The weight of row " + text(row) + " is " + std::to_string(weights[row]) + ". Weights are finite and not negative.");
}

}  // namespace

void check_cases(const Tree& tree, const Cases& cases) {
  check_features(tree, cases.table);
  check_rows(cases.table, cases.labels.size(), cases.weights, cases.rows, "labels");
  each_row(cases, [&](Row row) {
    if (cases.labels[row] < 0 || cases.labels[row] >= tree.width)
      throw InputError("The label of row " + text(row) + " is " + std::to_string(cases.labels[row]) + "; the tree has classes 0 to " +
                       std::to_string(tree.width - 1) + ".");
  });
}

void check_cases(const Tree& tree, const NumberCases& cases) {
  check_features(tree, cases.table);
  check_rows(cases.table, cases.targets.size(), cases.weights, cases.rows, "targets");
  for (std::size_t row = 0; row < cases.targets.size(); ++row)
    if (!std::isfinite(cases.targets[row]))
      throw InputError("The target of row " + text(row) + " is " + std::to_string(cases.targets[row]) + ". Targets are finite numbers.");
}

void require_classes(const Tree& tree, const char* rule) {
  if (tree.regression)
    throw InputError(std::string(rule) +
                     " needs a classification tree, and this one predicts numbers. Use cost-complexity or "
                     "reduced-error pruning.");
}

void require_class_answers(const Tree& tree, const char* rule) {
  require_classes(tree, rule);
  if (tree.answers() > tree.width)
    throw InputError(std::string(rule) + " counts mistakes between classes, and this tree has answers that are no class. Prune by expected cost.");
}

std::vector<double> stopped_weights(const Tree& tree, Index i) {
  const auto all = tree.value(i);
  std::vector<double> left(all.begin(), all.end());
  const Node& node = tree.node(i);
  for (Index b = 0; b < node.n_children; ++b)
    for (std::size_t c = 0; c < left.size(); ++c) left[c] -= tree.value(node.first_child + b)[c];
  for (double& weight : left) weight = weight > tie_tolerance * node.weight ? weight : 0.0;
  return left;
}

}  // namespace thriftwood
