#include "surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "numeric.hpp"

namespace thriftwood {

namespace {
constexpr std::uint32_t least_cases = 2;  // on each side of a surrogate
constexpr double least_adjusted = 1e-10;
}  // namespace

SurrogateSearch::SurrogateSearch(const Table& table, const Settings& settings, const Split& primary, std::span<const Row> rows, CaseWeight weight)
    : table_(table), settings_(settings), rows_(rows), weight_(weight), side_(table.rows, -1) {
  const Column& column = table.column(primary.feature);
  for (Row row : rows) {
    if (primary.kind == NodeKind::Threshold) {
      const double number = column.number(row);
      if (!std::isnan(number)) side_[row] = number <= primary.threshold ? 0 : 1;
    } else if (column.code(row) >= 0) {
      side_[row] = static_cast<std::int8_t>(primary.branch_of[static_cast<std::size_t>(column.code(row))]);
    }
    if (side_[row] < 0) continue;
    all_.weight[side_[row]] += weight(row);
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
    both.weight[side_[row]] += weight_(row);
    ++both.cases;
  }
  SurrogateSplit surrogate;
  surrogate.test.kind = NodeKind::Threshold;
  surrogate.test.feature = feature;
  Sums left;
  double best = 0.0;
  Row last = 0;
  for (Entry entry : order) {
    const Row row = entry & row_mask;
    if ((entry & new_value) != 0 && left.cases >= least_cases && both.cases - left.cases >= least_cases) {
      const double straight = left.weight[0] + (both.weight[1] - left.weight[1]);
      const double flipped = left.weight[1] + (both.weight[0] - left.weight[0]);
      if (clearly_greater(std::max(straight, flipped), best)) {
        best = std::max(straight, flipped);
        surrogate.test.flipped = flipped > straight;
        const double low = table_.column(feature).number(last), high = table_.column(feature).number(row);
        surrogate.test.threshold = cut_for_copies(midpoint(low, high), low, high);
      }
    }
    last = row;
    if (side_[row] < 0) continue;
    left.weight[side_[row]] += weight_(row);
    ++left.cases;
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
    const double w = weight_(row);
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
  const int larger = clearly_greater(both.weight[1], both.weight[0]) ? 1 : 0;  // has the categories that are in both branches alike
  for (const Sums& sums : categories) {
    const bool alike = !clearly_greater(sums.weight[0], sums.weight[1]) && !clearly_greater(sums.weight[1], sums.weight[0]);
    const int branch = sums.cases == 0 ? -1 : alike ? larger : (sums.weight[1] > sums.weight[0] ? 1 : 0);
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

Index SurrogateSearch::heavier_branch() const {
  if (clearly_greater(all_.weight[0], all_.weight[1])) return 0;
  return clearly_greater(all_.weight[1], all_.weight[0]) ? 1 : route_stop;
}

std::vector<SurrogateSplit> SurrogateSearch::best() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const SurrogateSplit& a, const SurrogateSplit& b) { return clearly_greater(a.test.agreement, b.test.agreement); });
  if (found_.size() > static_cast<std::size_t>(settings_.max_surrogates)) found_.resize(static_cast<std::size_t>(settings_.max_surrogates));
  return std::move(found_);
}

}  // namespace thriftwood
