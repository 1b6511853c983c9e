#include "panel.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../basics/thread_pool.hpp"
#include "../tree/tests_below.hpp"

namespace thriftwood {

namespace {

constexpr std::size_t block_rows = 256;
// Vote weights that differ by this share of all differ by rounding alone.
constexpr double rounding = 1e-9;

}  // namespace

Panel::Panel(std::vector<const Predictor*> members, Vote vote) : members_(std::move(members)), vote_(std::move(vote)) {
  check_members();
  if (vote_.weight.size() != members_.size())
    throw InputError("A panel of " + std::to_string(members_.size()) + " trees needs as many vote weights, got " +
                     std::to_string(vote_.weight.size()) + ".");
  for (const double weight : vote_.weight)
    if (!(weight > 0.0 && weight < infinity))
      throw InputError("The vote weight of a tree must be a finite number above 0, got " + std::to_string(weight) + ".");
  later_weight_.assign(members_.size() + 1, 0.0);
  for (std::size_t m = members_.size(); m > 0; --m) later_weight_[m - 1] = later_weight_[m] + vote_.weight[m - 1];
}

Panel::Panel(std::vector<const Predictor*> members, StackedTree stacked) : members_(std::move(members)), stacked_(std::move(stacked)) {
  check_members();
  const Tree& tree = stacked_.tree->tree();
  const std::size_t columns = tree.feature_values.size();
  if (tree.regression || static_cast<std::size_t>(tree.width) != width())
    throw InputError("The stacked tree of a panel must tell the classes of the members apart: " + std::to_string(width()) + " of them.");
  if (tree.answers() > tree.width) throw InputError("The stacked tree of a panel answers with classes, and this one has answers that are no class.");
  if (!tree.surrogates.empty()) throw InputError("The stacked tree of a panel has no surrogates: what members answer is never missing.");
  if (stacked_.member.size() != columns || stacked_.share_of.size() != columns)
    throw InputError("The stacked tree reads " + std::to_string(columns) + " columns; say for each of them who is asked, and for what.");
  for (std::size_t c = 0; c < columns; ++c) {
    const Index m = stacked_.member[c], of = stacked_.share_of[c];
    if (m < 0 || static_cast<std::size_t>(m) >= members_.size())
      throw InputError("Column " + std::to_string(c) + " of the stacked tree asks member " + std::to_string(m) + "; there are " +
                       std::to_string(members_.size()) + ".");
    if (of < -1 || of >= static_cast<Index>(width()))
      throw InputError("Column " + std::to_string(c) + " of the stacked tree asks for class " + std::to_string(of) + "; there are " +
                       std::to_string(width()) + ".");
    if (tree.feature_values[c] != (of < 0 ? static_cast<Index>(width()) : 0))
      throw InputError("Column " + std::to_string(c) + " of the stacked tree must " + (of < 0 ? "have a category for each class." : "be numeric."));
  }
}

void Panel::check_members() const {
  if (members_.empty()) throw InputError("A panel has at least one tree, and none was given.");
  const Tree& first = members_.front()->tree();
  for (const Predictor* member : members_) {
    const Tree& tree = member->tree();
    if (tree.regression) throw InputError("The trees of a panel answer with classes, and one is a regression tree.");
    if (tree.answers() > tree.width) throw InputError("The trees of a panel answer with classes, and one has answers that are no class.");
    if (tree.width != first.width || tree.feature_values != first.feature_values)
      throw InputError("The trees of a panel must have the same features and classes.");
  }
}

std::vector<Index> Panel::may_be_consulted() const {
  std::vector<Index> listed;
  if (!is_stacked()) {
    for (std::size_t m = 0; m < members_.size(); ++m) listed.push_back(static_cast<Index>(m));
    return listed;
  }
  std::vector<bool> seen(members_.size(), false);
  for (const Index column : tests_below(stacked_.tree->tree())) {
    const Index m = stacked_.member[static_cast<std::size_t>(column)];
    if (!seen[static_cast<std::size_t>(m)]) listed.push_back(m);
    seen[static_cast<std::size_t>(m)] = true;
  }
  return listed;
}

std::vector<Index> Panel::tests() const {
  std::vector<Index> listed;
  std::vector<bool> seen(members_.front()->tree().feature_values.size(), false);
  for (const Index m : may_be_consulted())
    for (const Index test : tests_below(member(m).tree())) {
      if (!seen[static_cast<std::size_t>(test)]) listed.push_back(test);
      seen[static_cast<std::size_t>(test)] = true;
    }
  std::sort(listed.begin(), listed.end());
  return listed;
}

bool Panel::decided(std::span<const double> cast, std::size_t done) const {
  const std::size_t leader = static_cast<std::size_t>(std::max_element(cast.begin(), cast.end()) - cast.begin());  // the first of equals
  const double left = later_weight_[done], slack = rounding * later_weight_.front();
  for (std::size_t c = 0; c < cast.size(); ++c) {
    if (c == leader) continue;
    const double ahead = cast[leader] - cast[c] - left;  // what is left of the lead if all others are for c
    if (ahead > slack) continue;
    // Where all weights are whole numbers the sums are exact, and so is drawing level.
    const bool level = vote_.tie_ends && leader < c && ahead >= 0.0;
    if (!level) return false;
  }
  return true;
}

Answers answer(const Panel& panel, const Table& table, int n_threads) {
  panel.member(0).check_fits(table);
  const std::size_t blocks = (table.rows + block_rows - 1) / block_rows;
  Answers found(table.rows, panel.width());
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  std::vector<PanelAnswer> answers(static_cast<std::size_t>(pool.size()));
  pool.run(blocks, [&](std::size_t block, int worker) {
    PanelAnswer& own = answers[static_cast<std::size_t>(worker)];
    const std::size_t end = std::min((block + 1) * block_rows, table.rows);
    for (std::size_t row = block * block_rows; row < end; ++row) {
      const TableRow view{table, static_cast<Row>(row)};
      consult_members(panel, PlainReader<TableRow>{view}, own);
      found.put(row, own);
    }
  });
  return found;
}

}  // namespace thriftwood
