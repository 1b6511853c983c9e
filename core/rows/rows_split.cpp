// Rows: from an offer that was chosen to the split of its node, with surrogates.
#include <algorithm>
#include <numeric>

#include "../splitting/coded_offer.hpp"
#include "../splitting/surrogate.hpp"
#include "rows.hpp"

namespace thriftwood {

Split Rows::threshold_split(const Part& part, const NodeView& node, std::size_t i, const Offer& offer) const {
  const Index feature = offer.feature;
  if (offer.position == 0) {
    Split split = numeric_split(node, offer, every_number);
    split.left_cases = static_cast<std::uint32_t>(columns_[feature].codes);
    return split;
  }
  double low, high;  // the neighbours of the cut
  if (columns_[feature].form == Form::Ordered) {
    const auto entries = order(part, i);
    low = table_.column(feature).number(entries[offer.position - 1] & row_mask);
    high = table_.column(feature).number(entries[offer.position] & row_mask);
  } else {
    low = columns_[feature].high[offer.position - 1];
    high = columns_[feature].low[offer.next];
  }
  Split split = numeric_split(node, offer, cut_between(settings_, observed_of(feature), low, high));
  split.left_cases = offer.position;
  return split;
}

NominalTest Rows::nominal_test(const Part& part, const NodeView& node, std::size_t i, const Offer& offer, const Workspace& workspace) const {
  if (absolute()) return absolute_test(part, i, workspace);
  return offered_test(node, offer, workspace.categories);
}

Split Rows::split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const {
  const std::size_t i = find(part, offer.feature);
  Split split;
  if (columns_[offer.feature].nominal) {
    count(part, i, workspace, workspace);
    const NominalTest test = nominal_test(part, node, i, offer, workspace);
    const bool missing = target_.weight_of(workspace.categories.missing()) > 0.0;
    split = nominal_split(node, offer.feature, test, branch_weights(node, workspace.categories, test), missing);
  } else {
    split = threshold_split(part, node, i, offer);
  }
  if (settings_.missing == Missing::Surrogate && split.branches == 2) find_surrogates(part, split, workspace);
  return split;
}

void Rows::find_surrogates(const Part& part, Split& split, Workspace& workspace) const {
  SurrogateSearch search(table_, settings_, split, part.rows(), target_.case_weight(weights(part, workspace)));
  for (std::size_t i = 0; i < part.features.size(); ++i) {
    const Index feature = part.features[i];
    if (feature == split.feature) continue;
    if (!workspace.may_stand_in.empty() && workspace.may_stand_in[static_cast<std::size_t>(feature)] == 0) continue;
    if (columns_[feature].form == Form::Ordered) {
      search.try_feature(feature, order(part, i));
      continue;
    }
    if (!columns_[feature].nominal) sort_codes(part, i, workspace.entries);
    search.try_feature(feature, workspace.entries);
  }
  split.surrogates = search.best();
  if (settings_.after_surrogates == AfterSurrogates::Majority) split.missing_route = split.unseen_route = search.heavier_branch();
}

void Rows::sort_codes(const Part& part, std::size_t i, std::vector<Entry>& entries) const {
  const PreparedColumn& column = columns_[part.features[i]];
  const Codes code = codes(part, i);
  const auto rows = part.rows();
  std::vector<std::uint32_t> next(static_cast<std::size_t>(column.codes) + 2, 0);
  for (std::uint32_t k = 0; k < part.count; ++k) ++next[code[k] + 1u];
  const std::uint32_t known = part.count - next.back();
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::vector<std::uint32_t> starts = next;
  entries.resize(known);
  for (std::uint32_t k = 0; k < part.count; ++k) {
    if (code[k] == column.codes) continue;
    const std::uint32_t at = next[code[k]]++;
    entries[at] = rows[k] | (at == starts[code[k]] ? new_value : 0);
  }
}

}  // namespace thriftwood
