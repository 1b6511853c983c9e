#include "surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "numeric.hpp"

namespace thriftwood {

namespace {
constexpr std::uint32_t least_cases = 2;  // on each side of a surrogate
constexpr double least_adjusted = 1e-10;
}  // namespace

SurrogateSearch::SurrogateSearch(const Table& table, const Settings& settings, const Split& primary, std::span<const Row> rows, const double* weights)
    : table_(table), settings_(settings), rows_(rows), weights_(weights), side_(table.rows, -1) {
  const Column& column = table.column(primary.feature);
  for (Row row : rows) {
    if (primary.kind == NodeKind::Threshold) {
      const double number = column.number(row);
      if (!std::isnan(number)) side_[row] = number <= primary.threshold ? 0 : 1;
    } else if (column.code(row) >= 0) {
      side_[row] = static_cast<std::int8_t>(primary.branch_of[static_cast<std::size_t>(column.code(row))]);
    }
    if (side_[row] < 0) continue;
    all_.weight[side_[row]] += weights == nullptr ? 1.0 : weights[row];
    ++all_.cases;
  }
}

void SurrogateSearch::try_feature(Index feature, std::span<const Entry> order) {
  table_.column(feature).nominal() ? try_categories(feature) : try_number(feature, order);
}

void SurrogateSearch::try_number(Index feature, std::span<const Entry> order) {
  Sums both;
  for (Entry entry : order) {
    const Row row = entry & row_mask;
    if (side_[row] < 0) continue;
    both.weight[side_[row]] += weights_ == nullptr ? 1.0 : weights_[row];
    ++both.cases;
  }
  SurrogateSplit surrogate;
  surrogate.test.kind = NodeKind::Threshold;
  surrogate.test.feature = feature;
  Sums left;
  double best = 0.0;
  bool new_since = false;
  Row last = 0;
  for (Entry entry : order) {
    const Row row = entry & row_mask;
    new_since = new_since || (entry & new_value) != 0;
    if (side_[row] < 0) continue;
    if (new_since && left.cases >= least_cases && both.cases - left.cases >= least_cases) {
      const double straight = left.weight[0] + (both.weight[1] - left.weight[1]);
      const double flipped = left.weight[1] + (both.weight[0] - left.weight[0]);
      if (clearly_greater(std::max(straight, flipped), best)) {
        best = std::max(straight, flipped);
        surrogate.test.flipped = flipped > straight;
        surrogate.test.threshold = midpoint(table_.column(feature).number(last), table_.column(feature).number(row));
      }
    }
    left.weight[side_[row]] += weights_ == nullptr ? 1.0 : weights_[row];
    ++left.cases;
    last = row;
    new_since = false;
  }
  if (best > 0.0) keep(std::move(surrogate), best, both);
}

void SurrogateSearch::try_categories(Index feature) {
  const Column& column = table_.column(feature);
  std::vector<Sums> categories(static_cast<std::size_t>(column.values));
  Sums both;
  for (Row row : rows_) {
    const Index code = column.code(row);
    if (side_[row] < 0 || code < 0) continue;
    const double w = weights_ == nullptr ? 1.0 : weights_[row];
    categories[static_cast<std::size_t>(code)].weight[side_[row]] += w;
    ++categories[static_cast<std::size_t>(code)].cases;
    both.weight[side_[row]] += w;
    ++both.cases;
  }
  SurrogateSplit surrogate;
  surrogate.test.kind = NodeKind::Nominal;
  surrogate.test.feature = feature;
  std::uint32_t cases[2] = {0, 0};
  double agree = 0.0;
  for (const Sums& sums : categories) {
    const int branch = sums.cases == 0 ? -1 : (sums.weight[1] > sums.weight[0] ? 1 : 0);
    surrogate.branch_of.push_back(branch);
    if (branch < 0) continue;
    cases[branch] += sums.cases;
    agree += sums.weight[branch];
  }
  if (cases[0] >= least_cases && cases[1] >= least_cases) keep(std::move(surrogate), agree, both);
}

void SurrogateSearch::keep(SurrogateSplit&& surrogate, double agree, const Sums& both) {
  const Sums& over = settings_.surrogate_known_only ? both : all_;
  const double total = over.weight[0] + over.weight[1], majority = std::max(over.weight[0], over.weight[1]);
  if (total - majority <= 0.0) return;
  surrogate.test.agreement = agree / total;
  surrogate.test.adjusted = (agree - majority) / (total - majority);
  if (surrogate.test.adjusted > least_adjusted) found_.push_back(std::move(surrogate));
}

std::vector<SurrogateSplit> SurrogateSearch::best() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const SurrogateSplit& a, const SurrogateSplit& b) { return clearly_greater(a.test.agreement, b.test.agreement); });
  if (found_.size() > static_cast<std::size_t>(settings_.max_surrogates)) found_.resize(static_cast<std::size_t>(settings_.max_surrogates));
  return std::move(found_);
}

}  // namespace thriftwood
