#include "offering.hpp"

#include <algorithm>
#include <cmath>

#include "../basics/statistics.hpp"
#include "many_categories.hpp"

namespace thriftwood {

namespace {

// Pearson's statistic of branches against classes; empty branches and classes do not count.
double independence_p(std::span<const std::vector<double>> branches) {
  std::vector<double> classes(branches.front().size(), 0.0);
  std::vector<double> weights;
  double total = 0.0;
  for (const auto& cell : branches) {
    weights.push_back(0.0);
    for (std::size_t c = 0; c < cell.size(); ++c) {
      classes[c] += cell[c];
      weights.back() += cell[c];
    }
    total += weights.back();
  }
  double statistic = 0.0;
  int rows = 0, columns = 0;
  for (double w : weights) rows += w > 0.0;
  for (double w : classes) columns += w > 0.0;
  for (std::size_t b = 0; b < branches.size(); ++b)
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const double expected = weights[b] * classes[c] / total;
      if (expected > 0.0) statistic += (branches[b][c] - expected) * (branches[b][c] - expected) / expected;
    }
  return chi_square_tail(statistic, (rows - 1) * (columns - 1));
}

// Logarithms only for the criteria that look at them: they were 5 % of growing a small tree.
double information(const Settings& settings, std::span<const double> branches, double missing, double total) {
  return settings.asks_split_info ? split_information(branches, missing, total) : 1.0;
}

// What rounding alone can make of no gain at all is no gain: it must not pass a floor of 0, nor win against an equal feature before it.
double gain_of(const NodeView& node, double before, double after) {
  const double gain = before - after;
  return std::abs(gain) <= tie_tolerance * node.summary.cost ? 0.0 : gain / node.summary.weight;
}

// What the mistakes of the node cost more than those of the branches, each with its cheapest answer. Like the gain, it counts missing
// values only where they have a branch of their own.
double saving_of(const NodeView& node, Cell known, Cell missing, std::span<const std::vector<double>> branches) {
  const LeafCost leaf{node.target.regret};
  const auto cost = [&](Cell cell) { return leaf.cost(cell, node.target.weight_of(cell)); };
  const bool own_branch = has_own_branch(node.settings.missing);
  const double before = cost(own_branch ? Cell(node.summary.cell) : known);
  double after = own_branch ? cost(missing) : 0.0;
  for (const auto& cell : branches) after += cost(cell);
  return clearly_greater(before, after) ? (before - after) / node.summary.weight : 0.0;
}

// Whether the branch of missing values would break the rule that every branch has the least weight. Cases that stay are in no branch
// of the test.
bool missing_too_light(const NodeView& node, double size) {
  const Settings& settings = node.settings;
  const double slack = node.target.size_slack();
  return settings.missing == Missing::Branch && !settings.two_branches && size > slack && size < settings.min_branch_weight - slack;
}

[[gnu::noinline]] bool missing_too_light(const NodeView& node, Cell known, double known_weight) {
  return missing_too_light(node, node.target.size_of(node.summary.cell, node.summary.weight) - node.target.size_of(known, known_weight));
}

// Routes of cases without an answer; `extra` is the branch of missing values when they have one.
void set_routes(const Settings& settings, Split& split, std::span<const double> weights, Index extra) {
  const Index heaviest = static_cast<Index>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  switch (settings.missing) {
    case Missing::Fractional: split.missing_route = split.unseen_route = route_fractional; break;
    case Missing::Branch:
    case Missing::Stay:
      split.missing_route = extra >= 0 ? extra : route_stop;
      split.unseen_route = route_stop;
      break;
    case Missing::Majority: split.missing_route = split.unseen_route = heaviest; break;
    case Missing::Surrogate: split.missing_route = split.unseen_route = route_stop; break;  // Rows::find_surrogates may know better
  }
}

// Where a numeric feature has no cut that keeps to the rules: whether its value is known may still tell something. Rare, so kept out of
// the code that every feature of every node runs through.
[[gnu::noinline]] void known_or_missing(const NodeView& node, Offer& offer, Cell known, double known_cost, double known_weight, double missing_cost) {
  const Settings& settings = node.settings;
  const double weight = node.summary.weight, missing = weight - known_weight;
  if (missing <= tie_tolerance * weight || known_weight <= tie_tolerance * weight) return;
  offer.constant = false;
  const double known_size = node.target.size_of(known, known_weight);
  const double missing_size = node.target.size_of(node.summary.cell, weight) - known_size;
  if (std::min(known_size, missing_size) < settings.min_branch_weight - node.target.size_slack()) return;
  offer.gain = gain_of(node, node.summary.cost, known_cost + missing_cost);
  offer.left_weight = known_weight;
  offer.split_info = information(settings, std::span(&known_weight, 1), missing, weight);
  offer.known = std::min(1.0, known_weight / weight);
  offer.admissible = true;
  if (!asks_branch_cells(settings)) return;
  std::vector<double> cells[2] = {{known.begin(), known.end()}, node.summary.cell};
  for (std::size_t c = 0; c < known.size(); ++c) cells[1][c] -= known[c];
  if (settings.asks_saving) offer.saving = saving_of(node, known, cells[1], std::span(cells).first(1));
  if (settings.confidence > 0.0) offer.admissible = independence_p(cells) <= 1.0 - settings.confidence;
}

}  // namespace

double least_side(const NodeView& node, double known) {
  const double least = node.settings.min_branch_weight;
  if (!node.settings.share_rule) return least;
  const double share = 0.1 * known / std::max<Index>(1, node.target.classes);
  return std::max(least, std::min(share, 25.0));
}

Offer numeric_offer(const NodeView& node, Index feature, const Cut& cut, Cell known, double known_cost, double known_weight, double missing_cost,
                    Cell left) {
  Offer offer;
  offer.feature = feature;
  offer.constant = cut.constant;
  if (cut.position == 0) {
    if (node.settings.missing == Missing::Branch) [[unlikely]]
      known_or_missing(node, offer, known, known_cost, known_weight, missing_cost);
    return offer;
  }
  const Settings& settings = node.settings;
  const double weight = node.summary.weight;
  const bool own_branch = has_own_branch(settings.missing);
  if (own_branch && missing_too_light(node, known, known_weight)) [[unlikely]]
    return offer;
  offer.gain = own_branch ? gain_of(node, node.summary.cost, cut.cost + missing_cost) : gain_of(node, known_cost, cut.cost);
  if (settings.cut_penalty) {
    offer.penalty = std::log2(static_cast<double>(cut.tried)) / weight;
    offer.gain -= offer.penalty;
    if (offer.gain <= 0.0) return offer;
  }
  offer.left_weight = cut.left_weight;
  offer.right_weight = known_weight - cut.left_weight;
  offer.next = cut.next;
  const double sides[] = {offer.left_weight, offer.right_weight};
  offer.split_info = information(settings, sides, std::max(0.0, weight - known_weight), weight);
  offer.known = std::min(1.0, known_weight / weight);
  offer.position = cut.position;
  offer.admissible = true;
  if (!asks_branch_cells(settings)) return offer;
  std::vector<double> cells[2] = {{left.begin(), left.end()}, {known.begin(), known.end()}}, missing = node.summary.cell;
  for (std::size_t c = 0; c < left.size(); ++c) {
    cells[1][c] -= left[c];
    missing[c] -= known[c];
  }
  if (settings.asks_saving) offer.saving = saving_of(node, known, missing, cells);
  if (settings.confidence > 0.0) {
    const double p = independence_p(cells) * (settings.bonferroni ? cut.tried : 1.0);
    offer.admissible = p <= 1.0 - settings.confidence;
  }
  return offer;
}

std::vector<double> branch_weights(const NodeView& node, const CategoryCells& cells, const NominalTest& test) {
  std::vector<double> weights(static_cast<std::size_t>(test.branches), 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    if (test.branch_of[c] >= 0) weights[static_cast<std::size_t>(test.branch_of[c])] += node.target.weight_of(cells.cell(c));
  return weights;
}

std::vector<double> branch_sizes(const NodeView& node, const CategoryCells& cells, const NominalTest& test) {
  std::vector<double> sizes(static_cast<std::size_t>(test.branches), 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    if (test.branch_of[c] >= 0) sizes[static_cast<std::size_t>(test.branch_of[c])] += node.target.size_of(cells.cell(c));
  return sizes;
}

// Has the column many categories, at whatever node, and do they tell of no cases but their own?
static bool tells_too_little(const NodeView& node, const CategoryCells& cells) {
  const int many = node.settings.many_categories;
  return many > 0 && cells.categories() > static_cast<std::size_t>(many) && !tells_of_new_cases(node.target, cells);
}

// What such a column may still be asked where missing values have a branch of their own: whether it is known. No branches otherwise.
static NominalTest missing_alone(const NominalSearch& search, const CategoryCells& cells) {
  const bool told = search.settings.missing == Missing::Branch && search.target.weight_of(cells.missing()) > 0.0;
  return told ? known_test(search, cells) : NominalTest{};
}

Offer nominal_offer(const NodeView& node, Index feature, const CategoryCells& cells) {
  const NominalSearch search{node.target, node.settings, node.whole_weights, node.summary.weight};
  std::vector<double> known(cells.width, 0.0);
  std::size_t present = 0;
  for (std::size_t c = 0; c < cells.categories(); ++c) {
    const Cell cell = cells.cell(c);
    present += node.target.weight_of(cell) > 0.0;
    for (std::size_t i = 0; i < known.size(); ++i) known[i] += cell[i];
  }
  // A branch of its own makes "missing" one more value; cases that stay were not tested.
  if (node.settings.missing == Missing::Branch && node.target.weight_of(cells.missing()) > 0.0) ++present;
  if (present < 2) {
    Offer offer;
    offer.feature = feature;
    offer.constant = true;
    return offer;
  }
  const NominalTest test = tells_too_little(node, cells) ? missing_alone(search, cells) : partition_categories(search, cells);
  const auto cost = [&](Cell cell) { return cell_cost(node.settings.impurity, node.target, cell, node.target.weight_of(cell), node.whole_weights); };
  return nominal_offer(node, feature, cells, test, cost(known), cost(cells.missing()));
}

std::vector<Offer> value_offers(const NodeView& node, Index feature, const CategoryCells& cells) {
  const NominalSearch search{node.target, node.settings, node.whole_weights, node.summary.weight};
  std::vector<double> known(cells.width, 0.0);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    for (std::size_t i = 0; i < known.size(); ++i) known[i] += cells.cell(c)[i];
  const auto cost = [&](Cell cell) { return cell_cost(node.settings.impurity, node.target, cell, node.target.weight_of(cell), node.whole_weights); };
  const double known_cost = cost(known), missing_cost = cost(cells.missing());
  std::vector<Offer> offers;
  if (tells_too_little(node, cells)) {
    const Offer offer = nominal_offer(node, feature, cells, missing_alone(search, cells), known_cost, missing_cost);
    if (offer.admissible) offers.push_back(offer);
    return offers;
  }
  for (std::size_t c = 0; c < cells.categories(); ++c) {
    if (node.target.weight_of(cells.cell(c)) <= 0.0) continue;
    const Offer offer = nominal_offer(node, feature, cells, value_test(search, cells, static_cast<Index>(c)), known_cost, missing_cost);
    if (offer.admissible) offers.push_back(offer);
  }
  return offers;
}

Offer nominal_offer(const NodeView& node, Index feature, const CategoryCells& cells, const NominalTest& test, double known_cost,
                    double missing_cost) {
  Offer offer;
  offer.feature = feature;
  if (test.branches == 0) return offer;
  const Settings& settings = node.settings;
  const double weight = node.summary.weight;
  const std::vector<double> weights = branch_weights(node, cells, test);
  double known = 0.0;
  Index filled = 0, large_enough = 0;
  const std::vector<double> counted = node.target.counts_cases() ? branch_sizes(node, cells, test) : std::vector<double>();
  const std::vector<double>& sizes = node.target.counts_cases() ? counted : weights;
  const double least = settings.min_branch_weight - node.target.size_slack();
  for (std::size_t b = 0; b < weights.size(); ++b) {
    known += weights[b];
    filled += weights[b] > 0.0;
    large_enough += weights[b] > 0.0 && sizes[b] >= least;
  }
  const bool own_branch = has_own_branch(settings.missing);
  const double missing = node.target.weight_of(cells.missing()), missing_size = node.target.size_of(cells.missing(), missing);
  const Index further = settings.missing == Missing::Branch && missing > 0.0 && missing_size >= least ? 1 : 0;
  if (large_enough + further < 2 || (!settings.two_branches && large_enough < filled)) return offer;
  if (missing_too_light(node, missing_size)) return offer;
  offer.gain = own_branch ? gain_of(node, node.summary.cost, test.cost + missing_cost) : gain_of(node, known_cost, test.cost);
  offer.split_info = information(settings, weights, missing, weight);
  offer.position = static_cast<std::uint32_t>(test.value);
  offer.counts_for_average = !has_many_values(settings, cells.categories(), node.table_rows);
  offer.known = std::min(1.0, known / weight);
  offer.admissible = true;
  if (!asks_branch_cells(settings)) return offer;
  std::vector<double> all(cells.width, 0.0);
  std::vector<std::vector<double>> branches(weights.size(), all);
  for (std::size_t c = 0; c < cells.categories(); ++c)
    for (std::size_t i = 0; test.branch_of[c] >= 0 && i < cells.width; ++i) {
      branches[static_cast<std::size_t>(test.branch_of[c])][i] += cells.cell(c)[i];
      all[i] += cells.cell(c)[i];
    }
  if (settings.asks_saving) offer.saving = saving_of(node, all, cells.missing(), branches);
  if (settings.confidence > 0.0) {
    if (branches.size() == 1) branches.emplace_back(cells.missing().begin(), cells.missing().end());  // known against missing
    offer.admissible = independence_p(branches) <= 1.0 - settings.confidence;
  }
  return offer;
}

Split nominal_split(const NodeView& node, Index feature, const NominalTest& test, std::span<const double> weights, bool has_missing) {
  Split split;
  split.feature = feature;
  split.kind = NodeKind::Nominal;
  split.branch_of = test.branch_of;
  split.branches = test.branches;
  const bool extra = has_own_branch(node.settings.missing) && has_missing;
  if (extra) ++split.branches;
  set_routes(node.settings, split, weights, extra ? test.branches : -1);
  return split;
}

Split numeric_split(const NodeView& node, const Offer& offer, double threshold) {
  Split split;
  split.feature = offer.feature;
  split.kind = NodeKind::Threshold;
  split.threshold = threshold;
  split.branches = 2;
  if (threshold == every_number) {
    split.missing_route = 1;
    split.unseen_route = route_stop;
    return split;
  }
  const bool extra = has_own_branch(node.settings.missing) && offer.has_missing;
  if (extra) ++split.branches;
  const double weights[] = {offer.left_weight, offer.right_weight};
  set_routes(node.settings, split, weights, extra ? 2 : -1);
  return split;
}

}  // namespace thriftwood
