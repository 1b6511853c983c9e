#include "naive_bayes.hpp"

#include <algorithm>
#include <cmath>

namespace thriftwood {

NaiveBayes::NaiveBayes(Densities densities, std::vector<Group> groups) : densities_(std::move(densities)), groups_(std::move(groups)) {
  for (const Group& group : groups_) {
    if (group.classes.size() != static_cast<std::size_t>(densities_.classes()) || !densities_.possible(group.learnt))
      throw InputError("These are no densities of these columns.");
    if (std::any_of(group.classes.begin(), group.classes.end(), [](double weight) { return !(weight >= 0.0) || !std::isfinite(weight); }))
      throw InputError("A class has no negative weight.");
  }
}

NaiveBayes::NaiveBayes(Densities densities, const Table& table, std::span<const Index> labels, std::span<const double> weights)
    : densities_(std::move(densities)), groups_(1) {
  if (table.features() != densities_.features()) throw InputError("There must be a number of categories for each column.");
  if (labels.size() != table.rows || (!weights.empty() && weights.size() != table.rows)) throw InputError("There must be a label for each row.");
  Group& group = groups_[0];
  group.classes.assign(static_cast<std::size_t>(densities_.classes()), 0.0);
  group.learnt.assign(densities_.size(), 0.0);
  std::vector<double> values(table.columns.size());
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (labels[row] < 0 || labels[row] >= densities_.classes()) throw InputError("There is no class " + std::to_string(labels[row]) + ".");
    const double weight = weights.empty() ? 1.0 : weights[row];
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = table.columns[f].number(static_cast<Row>(row));
    group.classes[static_cast<std::size_t>(labels[row])] += weight;
    densities_.add(group.learnt, values, labels[row], weight);
  }
}

std::vector<double> NaiveBayes::shares(const Table& table, std::span<const std::uint8_t> asked, std::span<const Index> group) const {
  const auto k = static_cast<std::size_t>(densities_.classes()), features = static_cast<std::size_t>(densities_.features());
  if (table.columns.size() != features || asked.size() != table.rows * features || group.size() != table.rows)
    throw InputError("Rows, columns and what was asked do not fit together.");
  std::vector<double> shares(table.rows * k, 0.0);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (group[row] < 0) continue;
    if (static_cast<std::size_t>(group[row]) >= groups_.size()) throw InputError("There is no group " + std::to_string(group[row]) + ".");
    const Group& own = groups_[static_cast<std::size_t>(group[row])];
    const std::span<double> logs{shares.data() + row * k, k};
    class_logs(own.classes, logs);
    for (std::size_t f = 0; f < features; ++f)
      if (asked[row * features + f] != 0) densities_.score(own.learnt, static_cast<Index>(f), table.columns[f].number(static_cast<Row>(row)), logs);
    as_shares(logs);
  }
  return shares;
}

void class_logs(std::span<const double> classes, std::span<double> logs) {
  for (std::size_t c = 0; c < classes.size(); ++c) logs[c] = std::log(classes[c]);
}

}  // namespace thriftwood
