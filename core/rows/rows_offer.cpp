// Rows: the best test of a feature at a node, searched by order, by code or by category.
#include <cmath>
#include <utility>

#include "../splitting/absolute.hpp"
#include "../splitting/answer_tally.hpp"
#include "../splitting/cases_cut.hpp"
#include "../splitting/coded_offer.hpp"
#include "../splitting/tally.hpp"
#include "rows.hpp"

namespace thriftwood {

Offer Rows::offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const PreparedColumn& column = columns_[part.features[i]];
  if (absolute() && column.form != Form::Ordered) return absolute_offer(part, node, i, workspace, own);
  if (column.nominal) return category_offer(part, node, i, workspace, own);
  if (column.form == Form::Ordered) return ordered_offer(part, node, i, workspace, own);
  return counts_suffice(node) ? counted_offer(part, node, i, workspace, own) : coded_offer(part, node, i, workspace, own);
}

Offer Rows::ordered_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Index feature = part.features[i];
  const auto entries = order(part, i);
  const double* w = weights(part, workspace);
  const bool all_known = entries.size() == part.count;
  Cell known = node.summary.cell;
  double known_weight = node.summary.weight, known_cost = node.summary.cost, missing_cost = 0.0;
  if (!all_known) {
    own.known.assign(target_.width(), 0.0);
    for (Entry entry : entries) target_.add(own.known, entry & row_mask, weight_at(w, entry & row_mask), numbers(workspace));
    known = own.known;
    known_weight = target_.weight_of(known);
    if (absolute()) {
      std::vector<std::pair<double, double>> have, lack;
      for (Row row : part.rows())
        (std::isnan(table_.column(feature).number(row)) ? lack : have).emplace_back(target_.numbers[row], weight_at(w, row));
      known_cost = median(have).distance;
      missing_cost = median(lack).distance;
    } else {
      std::vector<double> missing = node.summary.cell;
      for (std::size_t c = 0; c < missing.size(); ++c) missing[c] -= known[c];
      known_cost = cost_at(node, known, known_weight);
      missing_cost = cost_at(node, missing, node.summary.weight - known_weight);
    }
  }
  CutRules rules = cut_rules(node, known_weight);
  if (columns_[feature].smallest_gap <= settings_.min_gap) {
    rules.min_gap = settings_.min_gap;
    rules.column = &table_.column(feature);
  }
  const auto scan = [&](auto tally, const auto& impurity) {
    tally.start(known);
    return best_cut(entries, tally, impurity, rules);
  };
  const Entropy entropy = entropy_at(node);
  const bool two_counts = w == nullptr && target_.classes == 2;
  Cut cut;
  if (target_.counts_cases()) [[unlikely]] {
    cut = best_cut_by_cases(entries, target_, w, settings_.impurity, known, rules);
  } else {
    switch (settings_.impurity) {
      case ImpurityName::Gini:
        cut = two_counts && rules.min_gap == 0.0 ? best_gini_cut(entries, target_.labels.data(), static_cast<std::int64_t>(known[1]), rules)
                                                 : scan(ClassTally(target_, w), Gini{});
        break;
      case ImpurityName::Entropy:
        if (entropy.table == nullptr)
          cut = scan(EntropyTally(target_, w), entropy);
        else
          cut = two_counts ? scan(CountTally(target_), entropy) : scan(ClassTally(target_, w), entropy);
        break;
      case ImpurityName::SquaredError: cut = scan(MeanTally(numbers(workspace), w), SquaredError{}); break;
      case ImpurityName::LeafCost:
        cut = target_.classes > 2 && !target_.regret.empty() ? scan(AnswerTally(target_, w), LeafCost{target_.regret})
                                                             : scan(ClassTally(target_, w), LeafCost{target_.regret});
        break;
      case ImpurityName::SmoothedCost: cut = scan(ClassTally(target_, w), SmoothedCost{target_.regret}); break;
      case ImpurityName::GiniLoss: cut = scan(ClassTally(target_, w), GiniLoss{target_.regret}); break;
      case ImpurityName::AbsoluteError: {
        MedianTally tally(target_, w, workspace.ranked, workspace.rank);
        tally.start(entries);
        cut = best_cut(entries, tally, AbsoluteError{}, rules);
      }
    }
  }
  own.left.clear();
  if (asks_branch_cells(settings_) && cut.position > 0) {
    own.left.assign(target_.width(), 0.0);
    for (Entry entry : entries.first(cut.position)) target_.add(own.left, entry & row_mask, weight_at(w, entry & row_mask), numbers(workspace));
  }
  Offer offer = numeric_offer(node, feature, cut, known, known_cost, known_weight, missing_cost, own.left);
  offer.has_missing = !all_known;
  return offer;
}

std::span<const Counted> Rows::count_codes(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const auto n_codes = static_cast<std::uint32_t>(columns_[part.features[i]].codes) + 1;
  if (const Index lane = columns_.strips.lane_of(part.features[i]); lane >= 0) return own.code_counter.count(workspace.strip_sums, lane, n_codes);
  return pass_over_codes(part, i, own);
}

std::span<const Counted> Rows::pass_over_codes(const Part& part, std::size_t i, Workspace& own) const {
  const auto n_codes = static_cast<std::uint32_t>(columns_[part.features[i]].codes) + 1;
  const std::uint16_t* labels = part.block->labels.data() + part.first;
  const Codes at = codes(part, i);
  if (at.rows == nullptr) return own.code_counter.count([code = at.codes](std::uint32_t k) { return code[k]; }, labels, part.count, n_codes);
  return own.code_counter.count([at](std::uint32_t k) { return at.codes[at.rows[k]]; }, labels, part.count, n_codes);
}

Offer Rows::counted_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Index feature = part.features[i];
  return thriftwood::counted_offer(node, feature, columns_[feature], count_codes(part, i, workspace, own), part.count, own.left);
}

Offer Rows::coded_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Index feature = part.features[i];
  count(part, i, workspace, own);
  return thriftwood::coded_offer(node, feature, columns_[feature], own.categories, own.known, own.left);
}

Offer Rows::category_offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  count(part, i, workspace, own);
  count_cases(part, i, workspace, own.categories);
  return nominal_offer(node, part.features[i], own.categories);
}

std::vector<Offer> Rows::value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const {
  count(part, i, workspace, workspace);
  count_cases(part, i, workspace, workspace.categories);
  return thriftwood::value_offers(node, part.features[i], workspace.categories);
}

void Rows::count(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const double* w = weights(part, workspace);
  const PreparedColumn& column = columns_[part.features[i]];
  const std::size_t width = target_.width();
  CategoryCells& cells = own.categories;
  cells.clear(static_cast<std::size_t>(column.codes), width);
  if (column.form == Form::Coded && !target_.regression && width == 2 && w == nullptr) {
    for (const Counted& value : pass_over_codes(part, i, own)) {
      const std::span<double> cell = cells.cell(value.code);
      cell[0] = value.cases - value.ones;
      cell[1] = value.ones;
    }
    return;
  }
  if (exact(part)) return count_numbers(part, i, workspace, own);
  const auto rows = part.rows();
  if (column.form == Form::Coded) {
    const Codes code = codes(part, i);
    const std::uint16_t* label = part.block->labels.data() + part.first;
    for (std::uint32_t k = 0; k < part.count; ++k) {
      if (!target_.regression) {
        cells.sums[code[k] * width + label[k]] += weight_at(w, rows[k]);
      } else {
        target_.add(cells.cell(code[k]), rows[k], weight_at(w, rows[k]), numbers(workspace));
      }
    }
    return;
  }
  for (Row row : rows) target_.add(cells.cell(static_cast<std::size_t>(code_at(part, i, row))), row, weight_at(w, row), numbers(workspace));
}

void Rows::count_numbers(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own) const {
  CategoryCells& cells = own.categories;
  own.number_sums.resize(std::max(own.number_sums.size(), cells.categories() + 1));  // zero but for what is written below
  NumberSums* sums = own.number_sums.data();
  const auto move_to_cell = [&](std::size_t code) {
    if (sums[code].weight > 0) write_cell(target_.grid, std::exchange(sums[code], {}), cells.cell(code));
  };
  const auto add_up = [&](const auto& code_of) {
    add_numbers(part, workspace, [&](std::uint32_t k) -> NumberSums& { return sums[code_of(k)]; });
    if (part.count <= cells.categories())  // few of the codes occur
      for (std::uint32_t k = 0; k < part.count; ++k) move_to_cell(code_of(k));
    else
      for (std::size_t code = 0; code <= cells.categories(); ++code) move_to_cell(code);
  };
  if (columns_[part.features[i]].form == Form::Coded) {
    const Codes code = codes(part, i);
    if (code.rows == nullptr)
      add_up([codes = code.codes](std::uint32_t k) { return codes[k]; });
    else
      add_up([code](std::uint32_t k) { return code[k]; });
  } else {
    add_up([&, rows = part.rows()](std::uint32_t k) { return static_cast<std::size_t>(code_at(part, i, rows[k])); });
  }
}

// Where there are many categories: how many cases each of them has.
void Rows::count_cases(const Part& part, std::size_t i, const Workspace& workspace, CategoryCells& cells) const {
  const int many = settings_.many_categories;
  if (many <= 0 || cells.categories() <= static_cast<std::size_t>(many)) return;
  const double* w = weights(part, workspace);
  const auto rows = part.rows();
  cells.cases.assign(cells.categories() + 1, 0);
  if (w == nullptr) {  // each case weighs 1: no need to pass over the rows again
    for (std::size_t c = 0; c < cells.categories(); ++c) cells.cases[c] = static_cast<std::uint32_t>(target_.weight_of(cells.cell(c)));
    return;
  }
  const bool coded = columns_[part.features[i]].form == Form::Coded;
  const Codes code = coded ? codes(part, i) : Codes{};
  for (std::uint32_t k = 0; k < part.count; ++k)
    if (weight_at(w, rows[k]) > 0.0) ++cells.cases[coded ? code[k] : static_cast<std::size_t>(code_at(part, i, rows[k]))];
}

// Wide columns only: the category of a row, the last one + 1 if it has none.
Index Rows::code_at(const Part& part, std::size_t i, Row row) const {
  const Column& column = table_.column(part.features[i]);
  const Index code = column.code(row);
  return code < 0 ? column.values : code;
}

}  // namespace thriftwood
