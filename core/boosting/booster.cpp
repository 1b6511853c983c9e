#include "booster.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../tree/tests_below.hpp"

namespace thriftwood {

namespace {

[[noreturn]] void refuse(std::size_t stage, const char* fault) {
  throw InputError("Not a valid booster: stage " + std::to_string(stage) + " " + fault + ".");
}

}  // namespace

void validate(const Booster& booster) {
  if (booster.start.empty()) throw InputError("Not a valid booster: it has no classes.");
  for (const double score : booster.start)
    if (!std::isfinite(score)) throw InputError("Not a valid booster: it starts from a score that is not finite.");
  for (std::size_t s = 0; s < booster.stages.size(); ++s) {
    const Tree& stage = booster.stages[s];
    validate(stage);
    if (!stage.regression || stage.width != static_cast<Index>(booster.classes())) refuse(s, "does not have a step for every class");
    if (stage.feature_values != booster.stages.front().feature_values) refuse(s, "has other columns than the first");
    for (const Node& node : stage.nodes)
      if (!node.leaf() && (node.n_surrogates > 0 || node.missing_route < 0 || node.unseen_route < 0))
        refuse(s, "does not lead every case along one path");
  }
}

void check_fits(const Booster& booster, const Table& table) {
  if (booster.stages.empty()) return;
  const std::vector<Index>& values = booster.stages.front().feature_values;
  if (values.size() != table.columns.size())
    throw InputError("The table has " + std::to_string(table.columns.size()) + " columns, the booster learnt from " + std::to_string(values.size()) +
                     ".");
  for (std::size_t f = 0; f < values.size(); ++f) {
    const bool nominal = values[f] > 0;
    const Column& column = table.columns[f];
    // A nominal column without any category is never tested, and the booster cannot tell it from a numeric one.
    if (column.nominal() ? nominal || column.values == 0 : !nominal) continue;
    throw InputError("Feature " + std::to_string(f) + " is " + (nominal ? "nominal" : "numeric") +
                     " in the booster, and not so in the table. "
                     "Encode the table as at fit.");
  }
}

std::vector<Index> tests_of(const Booster& booster) {
  std::vector<Index> tests;
  for (const Tree& stage : booster.stages)
    for (const Index test : tests_below(stage))
      if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.push_back(test);
  std::sort(tests.begin(), tests.end());
  return tests;
}

double leader_share(std::span<const double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - top);
  return 1.0 / sum;
}

}  // namespace thriftwood
