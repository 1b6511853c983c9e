// Pessimistic pruning against the rule written down plainly, on random trees.
#include <cmath>
#include <random>

#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/pessimistic.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

struct Plain {
  struct Part {
    std::size_t row;
    double weight;
  };
  Tree tree;
  const Table& table;
  const std::vector<Index>& labels;
  PessimisticSettings settings;

  double bound(double n, double e) const { return e + extra_errors(n, e, settings.cf, settings.z); }

  double estimate(Index i, const std::vector<Part>& parts, bool update) {
    std::vector<double> weights(static_cast<std::size_t>(tree.width), 0.0);
    double n = 0.0;
    for (const Part& p : parts) {
      weights[static_cast<std::size_t>(labels[p.row])] += p.weight;
      n += p.weight;
    }
    Node& node = tree.node(i);
    Index label = node.label;
    for (Index c = 0; c < tree.width; ++c)
      if (weights[static_cast<std::size_t>(c)] > weights[static_cast<std::size_t>(label)]) label = c;
    const double leaf = bound(n, n - weights[static_cast<std::size_t>(label)]);
    if (update) {
      node.label = label;
      node.weight = n;
      node.risk = n - weights[static_cast<std::size_t>(label)];
      std::copy(weights.begin(), weights.end(), tree.value(i).begin());
    }
    if (node.leaf()) return leaf;
    std::vector<std::vector<Part>> down(static_cast<std::size_t>(node.n_children));
    std::vector<double> known(down.size(), 0.0);
    std::vector<Part> unknown;
    double total = 0.0;
    for (const Part& p : parts) {
      const double number = table.column(node.feature).number(static_cast<Row>(p.row));
      if (std::isnan(number)) {
        unknown.push_back(p);
        continue;
      }
      const std::size_t b = number <= node.threshold ? 0 : 1;
      down[b].push_back(p);
      known[b] += p.weight;
      total += p.weight;
    }
    double sum = 0.0;
    std::size_t heaviest = 0;
    for (std::size_t b = 0; b < down.size(); ++b) {
      if (known[b] >= known[heaviest]) heaviest = b;
      if (total > 0.0 && known[b] > 0.0)
        for (const Part& p : unknown) down[b].push_back({p.row, p.weight * known[b] / total});
      sum += estimate(node.first_child + static_cast<Index>(b), down[b], update);
    }
    if (!update) return sum;
    const Index branch_node = node.first_child + static_cast<Index>(heaviest);
    const double branch = total > 0.0 && settings.subtree_raising ? estimate(branch_node, parts, false) : infinity;
    if (leaf <= branch + 0.1 && leaf <= sum + 0.1) {
      make_leaf(node);
      return leaf;
    }
    if (branch <= sum + 0.1) {
      const double again = estimate(branch_node, parts, true);
      tree.node(i) = tree.node(branch_node);
      std::copy_n(tree.value(branch_node).begin(), tree.width, tree.value(i).begin());
      return again;
    }
    return sum;
  }
};

// A random tree of thresholds whose weights are those of the rows.
PlainNode random_node(std::mt19937& rng, const HandTable& made, const std::vector<Index>& labels, const std::vector<std::size_t>& rows, int depth) {
  std::vector<double> values(3, 0.0);
  for (std::size_t r : rows) values[static_cast<std::size_t>(labels[r])] += 1.0;
  if (depth == 0 || rows.size() < 4 || rng() % 8 == 0) return leaf(values);
  const std::size_t feature = rng() % made.numbers.size();
  const double threshold = static_cast<double>(rng() % 9) + 0.5;
  std::vector<std::size_t> low, high;
  for (std::size_t r : rows) (made.numbers[feature][r] <= threshold ? low : high).push_back(r);
  PlainNode split =
      cut(static_cast<Index>(feature), threshold, random_node(rng, made, labels, low, depth - 1), random_node(rng, made, labels, high, depth - 1));
  split.values = values;
  return split;
}

// The same table in float32.
struct HalfWidth {
  std::vector<std::vector<float>> columns;
  Table table;

  explicit HalfWidth(const HandTable& made) {
    table.rows = made.table.rows;
    for (const auto& wide : made.numbers) {
      std::vector<float> column;
      for (double number : wide) column.push_back(static_cast<float>(number));
      columns.push_back(std::move(column));
      Column c;
      c.storage = Storage::Float32;
      c.data = columns.back().data();
      table.columns.push_back(c);
    }
  }
};

void compare_on_random_trees(double missing_share) {
  std::mt19937 rng(7);
  for (int round = 0; round < 150; ++round) {
    HandTable made;
    std::vector<Index> labels;
    for (int f = 0; f < 4; ++f) {
      std::vector<double> column;
      for (int r = 0; r < 80; ++r)
        column.push_back(static_cast<double>(rng() % 1000) < 1000 * missing_share ? std::nan("") : static_cast<double>(rng() % 10));
      made.numeric(column);
    }
    for (int r = 0; r < 80; ++r) labels.push_back(made.numbers[0][static_cast<std::size_t>(r)] > 5 ? 0 : static_cast<Index>(rng() % 3));
    std::vector<std::size_t> rows(80);
    for (std::size_t r = 0; r < 80; ++r) rows[r] = r;
    const Tree grown = tree_of(random_node(rng, made, labels, rows, 7), {0, 0, 0, 0});
    const PessimisticSettings settings{round % 3 == 0 ? 0.5 : 0.25, round % 5 != 0, ZRule::Table};

    Plain plain{grown, made.table, labels, settings};
    std::vector<Plain::Part> parts;
    for (std::size_t r = 0; r < 80; ++r) parts.push_back({r, 1.0});
    const double wanted = plain.estimate(0, parts, true);
    const Tree wanted_tree = compact(plain.tree);

    const PessimisticResult got = prune_pessimistic(grown, {made.table, labels}, settings);
    validate(got.tree);
    CHECK_NEAR(got.estimated_errors, wanted, 1e-8);
    const HalfWidth narrow(made);
    const PessimisticResult same = prune_pessimistic(grown, {narrow.table, labels}, settings);
    CHECK(same.estimated_errors == got.estimated_errors);
    CHECK(same.tree.values == got.tree.values);
    CHECK(got.tree.size() == wanted_tree.size());
    if (got.tree.size() != wanted_tree.size()) continue;
    for (Index i = 0; i < got.tree.size(); ++i) {
      CHECK(got.tree.node(i).feature == wanted_tree.node(i).feature);
      CHECK(got.tree.node(i).threshold == wanted_tree.node(i).threshold);
      CHECK(got.tree.node(i).label == wanted_tree.node(i).label);
      CHECK_NEAR(got.tree.node(i).weight, wanted_tree.node(i).weight, 1e-9);
      CHECK_NEAR(got.tree.node(i).risk, wanted_tree.node(i).risk, 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("random trees without missing values are pruned as the plain rule says") { compare_on_random_trees(0.0); }
TEST_CASE("random trees with missing values are pruned as the plain rule says") { compare_on_random_trees(0.1); }
