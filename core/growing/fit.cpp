#include "fit.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

// Sums of a million votes are off by some 1e-11 of themselves.
constexpr double vote_tolerance = 1e-10;

std::vector<double> list_prices(const Prices* prices) {
  std::vector<double> listed;
  for (Index test = 0; prices != nullptr && test < prices->tests(); ++test) listed.push_back(prices->list_price(test));
  return listed;
}

}  // namespace

Fit::Fit(const Table& the_table, const Target& the_target, const Settings& the_settings, const Engine& the_rows, ThreadPool& the_pool)
    : table(the_table), target(the_target), settings(the_settings), rows(the_rows), pool(the_pool), workspaces(make_workspaces()) {
  price_unit = thriftwood::price_unit(settings.merit, list_prices(settings.prices));
}

std::vector<Workspace> Fit::make_workspaces() const {
  std::vector<Workspace> made;
  for (int worker = 0; worker < pool.size(); ++worker) made.push_back(rows.make_workspace(worker));
  return made;
}

bool Fit::may_split(const Summary& summary, int depth) const {
  if (settings.max_depth > 0 && depth >= settings.max_depth) return false;
  if (target.size_of(summary.cell, summary.weight) < settings.min_split_weight - target.size_slack() || summary.weight <= 0.0) return false;
  return !pure(summary);
}

bool Fit::pure(const Summary& summary) const {
  if (target.regression) return summary.constant;
  const double largest = *std::max_element(summary.cell.begin(), summary.cell.end());
  if (target.best_share.empty()) return summary.weight - largest <= tie_tolerance * summary.weight;
  return summary.weight - largest - summary.unavoidable <= vote_tolerance * summary.weight;  // one answer is the best for every case
}

}  // namespace thriftwood
