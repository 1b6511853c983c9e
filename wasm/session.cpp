#include "session.hpp"

#include <numeric>

#include "dealing.hpp"
#include "pruning/expected_cost.hpp"
#include "pruning/impossible_values.hpp"
#include "tree/leaf_finder.hpp"

namespace thriftwood::face {

namespace {

// Whether neither prices nor costs of mistakes have a say before the tree is answered: then it is learnt once. What else growing asks of
// prices, a budget, look-ahead by cost, the page does not set.
bool reads_no_amount(const Learning& learning) { return !learning.asks_prices && !learning.settings.counts_mistakes(); }

}  // namespace

Session::Session(std::size_t rows, Index features, Index classes)
    : classes_(classes), numbers_(static_cast<std::size_t>(features)), codes_(static_cast<std::size_t>(features)), labels_(rows) {
  if (rows == 0 || features <= 0 || classes <= 0) throw InputError("A table has cases, columns and classes.");
  table_.rows = rows;
  table_.columns.resize(static_cast<std::size_t>(features));
}

double* Session::numbers(Index feature) {
  auto& own = numbers_.at(static_cast<std::size_t>(feature));
  own.resize(table_.rows);
  table_.columns[static_cast<std::size_t>(feature)] = {Storage::Float64, own.data(), 1, 0, nullptr, 0};
  return own.data();
}

Index* Session::codes(Index feature, Index values) {
  auto& own = codes_.at(static_cast<std::size_t>(feature));
  own.resize(table_.rows);
  table_.columns[static_cast<std::size_t>(feature)] = {Storage::Codes, own.data(), 1, values, nullptr, 0};
  return own.data();
}

std::vector<double> Session::error_matrix() const {
  if (!loss_.empty()) return loss_;
  const auto n = static_cast<std::size_t>(classes_);
  std::vector<double> mistakes(n * n, 1.0);
  for (std::size_t i = 0; i < n; ++i) mistakes[i * n + i] = 0.0;
  return mistakes;
}

// Columns are sorted once for all trees of a table; once more where mistakes that are counted while growing cost something else.
const PreparedLearner& Session::prepared(const Settings& settings) {
  std::string key = std::to_string(settings.bins) + (settings.min_gap > 0.0 ? "g" : "") + (settings.count_cases ? "c" : "");
  if (settings.counts_mistakes())
    for (double cost : loss_) key += "/" + std::to_string(cost);
  if (settings.impurity == ImpurityName::Entropy) key += "e";
  const auto found = prepared_.find(key);
  if (found != prepared_.end()) return *found->second.learner;
  if (prepared_.size() >= 4) prepared_.clear();
  Prepared& made = prepared_[key];
  made.target = class_target(labels_, classes_, {});
  const Settings* only = &settings;
  ThreadPool alone(1);
  try {
    made.learner = std::make_unique<PreparedLearner>(table_, made.target, std::span(&only, 1), alone);
  } catch (...) {
    prepared_.erase(key);
    throw;
  }
  return *made.learner;
}

const std::vector<std::vector<Row>>& Session::parts() {
  if (parts_.empty()) parts_ = judging_parts(labels_, table_.columns.size(), 0);
  return parts_;
}

std::vector<Row> Session::without(std::size_t part) {
  std::vector<bool> own(table_.rows);
  for (Row row : parts().at(part)) own[row] = true;
  std::vector<Row> others;
  for (std::size_t row = 0; row < table_.rows; ++row)
    if (!own[row]) others.push_back(static_cast<Row>(row));
  return others;
}

Tree Session::grow(Learning learning, std::optional<std::size_t> part) {
  learning.settings.threads = 1;
  learning.settings.prices = prices();
  if (learning.settings.counts_mistakes()) learning.settings.loss = loss_;
  Tree tree = reads_no_amount(learning) ? kept(learning, part) : cut(learning, part ? without(*part) : std::vector<Row>{});
  if (!loss_.empty() || learning.smoothing.any()) relabel(tree, loss_, {}, learning.smoothing);
  if (learning.pruned == Pruned::ExpectedCost) {
    tree = prune_expected_cost(tree, prices(), loss_, learning.cut.pruning.cf);
    if (learning.cut.drop_impossible) tree = drop_impossible_values(tree);
  }
  return tree;
}

// Grown, and cut back by what its cases say.
Tree Session::cut(const Learning& learning, std::span<const Row> rows) {
  Tree tree = prepared(learning.settings).grow(learning.settings, rows);
  if (learning.pruned == Pruned::Pessimistic) tree = cut_back(std::move(tree), Cases{table_, labels_, {}, rows}, learning.cut);
  return tree;
}

// C4.5's tree stays what it is when a price is changed: of 10,000 cases it is learnt in 38 ms and answered in less than one.
const Tree& Session::kept(const Learning& learning, std::optional<std::size_t> part) {
  const bool upfront = prices_ && prices_->upfront();  // decides which node comes next
  const std::string key = learning.lines + (upfront ? "upfront " : "") + (part ? std::to_string(*part) : "");
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  if (kept_.size() >= 64) kept_.clear();
  return kept_.emplace(key, cut(learning, part ? without(*part) : std::vector<Row>{})).first->second;
}

Billed Session::bill(const Tree& tree, std::span<const Row> rows) const {
  std::vector<Row> all;
  if (rows.empty()) {
    all.resize(table_.rows);
    std::iota(all.begin(), all.end(), Row{0});
    rows = all;
  }
  Billed billed;
  const auto tests = static_cast<std::size_t>(table_.features());
  billed.bought.resize(tests);
  billed.paid.resize(tests);
  const Predictor predictor(tree);
  std::optional<TreeBiller> biller;
  if (prices_) biller.emplace(tree, *prices_);
  std::vector<double> shares(static_cast<std::size_t>(tree.width));
  std::vector<Index> leaves(rows.size());
  LeafFinder(tree, table_, rows.size()).find(rows, leaves.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TableRow one{table_, rows[i]};
    const bool found = leaves[i] != unwalked;
    billed.answers.push_back(found ? tree.nodes[static_cast<std::size_t>(leaves[i])].label : predictor.label_of(one, shares));
    if (!biller) {
      billed.test_cost.push_back(0.0);
      continue;
    }
    const RowBill own = biller->bill(one, leaves[i]);
    billed.test_cost.push_back(own.cost);
    for (const Bought& entry : own.entries) {
      billed.bought[static_cast<std::size_t>(entry.test)] += entry.share;
      billed.paid[static_cast<std::size_t>(entry.test)] += entry.cost;
    }
  }
  return billed;
}

}  // namespace thriftwood::face
