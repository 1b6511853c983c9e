#include "fit.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

// Sums of a million votes are off by some 1e-11 of themselves.
constexpr double vote_tolerance = 1e-10;

// What prices are measured by.
double unit_of_prices(const Settings& settings, PriceNorm norm) {
  if (settings.prices == nullptr || norm == PriceNorm::None) return 1.0;
  const Prices& prices = *settings.prices;
  double largest = 0.0, sum = 0.0;
  for (Index test = 0; test < prices.tests(); ++test) {
    largest = std::max(largest, prices.list_price(test));
    sum += prices.list_price(test);
  }
  const double unit = norm == PriceNorm::Largest ? largest : norm == PriceNorm::Sum ? sum : sum / prices.tests();
  return unit > 0.0 ? unit : 1.0;  // where all is free, any unit will do
}

}  // namespace

Fit::Fit(const Table& the_table, const Target& the_target, const Settings& the_settings, const Rows& the_rows, ThreadPool& the_pool)
    : table(the_table), target(the_target), settings(the_settings), rows(the_rows), pool(the_pool), workspaces(make_workspaces()) {
  if (const Lasc* lasc = std::get_if<Lasc>(&settings.merit)) price_unit = unit_of_prices(settings, lasc->norm);
}

std::vector<Workspace> Fit::make_workspaces() const {
  std::vector<Workspace> made;
  for (int worker = 0; worker < pool.size(); ++worker) made.push_back(rows.make_workspace(worker));
  return made;
}

bool Fit::may_split(const Summary& summary, int depth) const {
  if (settings.max_depth > 0 && depth >= settings.max_depth) return false;
  if (summary.weight < settings.min_split_weight - 1e-9 || summary.weight <= 0.0) return false;
  return !pure(summary);
}

bool Fit::pure(const Summary& summary) const {
  if (target.regression) return summary.constant;
  const double largest = *std::max_element(summary.cell.begin(), summary.cell.end());
  if (target.best_share.empty()) return summary.weight - largest <= tie_tolerance * summary.weight;
  return summary.weight - largest - summary.unavoidable <= vote_tolerance * summary.weight;  // one answer is the best for every case
}

}  // namespace thriftwood
