// Rows: offers by the absolute error, whose medians need the rows themselves where other impurities need sums.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "../splitting/absolute.hpp"
#include "rows.hpp"

namespace thriftwood {

namespace {

// Cuts a node's cases, given in order, by the absolute error. The rules' known weight is counted here.
Cut absolute_cut(const Target& target, const Workspace& workspace, std::span<const Entry> entries, const double* weights, CutRules rules) {
  MedianTally tally(target, weights, workspace.ranked, workspace.rank);
  tally.start(entries);
  for (Entry entry : entries) rules.known += weight_at(weights, entry & row_mask);
  return best_cut(entries, tally, AbsoluteError{}, rules);
}

}  // namespace

NominalTest Rows::absolute_test(const Part& part, std::size_t i, const Workspace& workspace) const {
  const Column& column = table_.column(part.features[i]);
  const double* w = weights(part, workspace);
  const auto categories = static_cast<std::size_t>(column.values);
  std::vector<std::vector<std::pair<double, double>>> members(categories);
  std::vector<std::vector<Row>> rows(categories);
  for (Row row : part.rows()) {
    const Index code = column.code(row);
    if (code < 0) continue;
    members[static_cast<std::size_t>(code)].emplace_back(target_.numbers[row], weight_at(w, row));
    rows[static_cast<std::size_t>(code)].push_back(row);
  }
  NominalTest test;
  std::vector<std::pair<double, std::size_t>> by_median;
  for (std::size_t c = 0; c < categories; ++c) {
    if (members[c].empty()) continue;
    const Median middle = median(members[c]);
    test.cost += middle.distance;
    by_median.emplace_back(middle.at, c);
  }
  if (settings_.nominal != NominalTests::Binary) {
    test.branches = column.values;
    test.branch_of.resize(categories);
    std::iota(test.branch_of.begin(), test.branch_of.end(), 0);
    return test;
  }
  std::sort(by_median.begin(), by_median.end());
  std::vector<Entry> entries;
  for (const auto& [middle, c] : by_median)
    for (std::size_t k = 0; k < rows[c].size(); ++k) entries.push_back(rows[c][k] | (k == 0 ? new_value : 0));
  CutRules rules;
  rules.min_side = settings_.min_branch_weight;
  rules.tolerance = tie_tolerance * test.cost;
  const Cut cut = absolute_cut(target_, workspace, entries, w, rules);
  if (cut.position == 0) {
    if (settings_.missing != Missing::Branch || entries.size() == part.count) return {};
    std::vector<std::pair<double, double>> known;  // against missing, see known_test
    for (const auto& own : members) known.insert(known.end(), own.begin(), own.end());
    test.cost = median(known).distance;
    test.branches = 1;
    test.value = -1;
    test.branch_of.assign(categories, 0);
    return test;
  }
  test.cost = cut.cost;
  test.branches = 2;
  test.branch_of.assign(categories, -1);
  for (std::size_t k = 0; k < entries.size(); ++k)
    test.branch_of[static_cast<std::size_t>(column.code(entries[k] & row_mask))] = k < cut.position ? 0 : 1;
  return test;
}

Offer Rows::absolute_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Index feature = part.features[i];
  const Column& column = table_.column(feature);
  const bool nominal = columns_[feature].nominal;
  const double* w = weights(part, workspace);
  std::vector<std::pair<double, double>> have, lack;
  std::vector<bool> seen(static_cast<std::size_t>(columns_[feature].codes), false);
  for (Row row : part.rows()) {
    const bool known = nominal ? column.code(row) >= 0 : !std::isnan(column.number(row));
    (known ? have : lack).emplace_back(target_.numbers[row], weight_at(w, row));
    if (nominal && known) seen[static_cast<std::size_t>(column.code(row))] = true;
  }
  const double known_cost = median(have).distance, missing_cost = median(lack).distance;
  if (!nominal) {
    sort_codes(part, i, own.entries);
    double known_weight = 0.0;
    for (const auto& [number, weight] : have) known_weight += weight;
    CutRules rules;
    rules.min_side = least_side(node, known_weight);
    rules.tolerance = tie_tolerance * known_cost;
    rules.min_gap = coded_gap(settings_);
    rules.column = &column;
    Cut cut = absolute_cut(target_, workspace, own.entries, w, rules);
    if (cut.position > 0) {  // from cases on both sides of the cut to codes
      const auto code_of = [&](Entry entry) {
        const auto& high = columns_[feature].high;
        return static_cast<std::uint32_t>(std::lower_bound(high.begin(), high.end(), column.number(entry & row_mask)) - high.begin());
      };
      cut.next = code_of(own.entries[cut.position]);
      cut.position = 1 + code_of(own.entries[cut.position - 1]);
    }
    Offer offer = numeric_offer(node, feature, cut, {}, known_cost, known_weight, missing_cost, {});
    offer.has_missing = !lack.empty();
    return offer;
  }
  const bool missing_is_a_value = settings_.missing == Missing::Branch && !lack.empty();
  if (std::count(seen.begin(), seen.end(), true) + missing_is_a_value < 2) {
    Offer offer;
    offer.feature = feature;
    offer.constant = true;
    return offer;
  }
  count(part, i, workspace, own);
  return nominal_offer(node, feature, own.categories, absolute_test(part, i, workspace), known_cost, missing_cost);
}

}  // namespace thriftwood
