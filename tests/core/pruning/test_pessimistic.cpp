#include <cmath>
#include <random>

#include "check.hpp"
#include "planting.hpp"
#include "pruning/collapse.hpp"
#include "pruning/impossible_values.hpp"
#include "pruning/pessimistic.hpp"

using namespace thriftwood;
using namespace thriftwood::planting;

namespace {

PessimisticResult prune_golf(const Tree& tree, double cf = 0.25, bool missing = false) {
  const Bed bed = golf(missing);
  const std::vector<Index> labels = golf_labels();
  return prune_pessimistic(tree, {bed.table, labels}, {cf, true, ZRule::Table});
}

double percent(const PessimisticResult& result) {
  return 100 * result.estimated_errors / result.tree.node(0).weight;
}

double errors(const Tree& tree) {
  double sum = 0.0;
  for (const Node& node : tree.nodes)
    if (node.leaf()) sum += node.risk;
  return sum;
}

}  // namespace

TEST_CASE("the golf tree stays: 5.39 expected errors against 6.79 as a leaf") {
  const PessimisticResult result = prune_golf(golf_tree());
  CHECK(result.tree.size() == 8);
  CHECK_NEAR(result.estimated_errors, 5.39, 5e-3);
  CHECK_NEAR(5 + extra_errors(14, 5), 6.79, 5.1e-3);
  CHECK_NEAR(percent(result), 38.5, 0.05);
  CHECK(errors(result.tree) == 0.0);
}

TEST_CASE("the sunny branch: 2.11 as a tree, 3.24 as a leaf") {
  const Tree sunny = plant(cut(2, 75, leaf({2, 0}), leaf({0, 3})), golf_features());
  Bed bed;
  bed.nominal({0, 0, 0, 0, 0}, 3);
  bed.numeric({85, 80, 72, 69, 75});
  bed.numeric({85, 90, 95, 70, 70});
  bed.nominal({1, 0, 1, 1, 0}, 2);
  const std::vector<Index> labels{1, 1, 1, 0, 0};
  const PessimisticResult result = prune_pessimistic(sunny, {bed.table, labels});
  CHECK(result.tree.size() == 3);
  CHECK_NEAR(result.estimated_errors, 2.11, 5e-3);
  CHECK_NEAR(2 + extra_errors(5, 2), 3.24, 5e-3);
}

TEST_CASE("golf at confidence 10 % keeps its 8 nodes, estimate 55.0 %") {
  const PessimisticResult result = prune_golf(golf_tree(), 0.10);
  CHECK(result.tree.size() == 8);
  CHECK_NEAR(percent(result), 55.0, 0.05);
}

TEST_CASE("golf with at least 5 cases a branch becomes a leaf with 5 errors, estimate 48.5 %") {
  const PessimisticResult result =
      prune_golf(plant(multiway(0, {leaf({2, 3}), leaf({4, 0}), leaf({3, 2})}), golf_features()));
  CHECK(result.tree.size() == 1);
  CHECK(errors(result.tree) == 5.0);
  CHECK_NEAR(percent(result), 48.5, 0.05);
}

TEST_CASE(
    "golf with grouped values: the branch of the impossible value goes, 8 nodes become 7, estimate 46.6 %") {
  // outlook in {sunny, rain} | {overcast}; windy; not windy asks outlook again, with overcast in its empty
  // rest branch.
  const Sprout again = nominal(0, {0, 2, 1}, {leaf({1, 2}), leaf({3, 0}), leaf({0, 0})});
  const Tree grown =
      plant(nominal(0, {0, 1, 0}, {multiway(3, {leaf({1, 3}), again}), leaf({4, 0})}), golf_features());
  CHECK(grown.size() == 8);
  const PessimisticResult result = prune_golf(grown);
  const Tree cleaned = drop_impossible_values(result.tree);
  validate(cleaned);
  CHECK(result.tree.size() == 8);
  CHECK(cleaned.size() == 7);
  CHECK(errors(cleaned) == 2.0);
  CHECK_NEAR(percent(result), 46.6, 0.05);
}

TEST_CASE("a multiway test keeps a branch that no case reaches") {
  const Tree grown = plant(multiway(0, {leaf({2, 3}), leaf({4, 0}), leaf({0, 0})}), golf_features());
  CHECK(drop_impossible_values(grown).size() == 4);
}

TEST_CASE("golf with a missing outlook: the case is spread by the known weights, estimate 43.8 %") {
  const PessimisticResult result = prune_golf(golf_tree(), 0.25, true);
  const Tree& tree = result.tree;
  CHECK(tree.size() == 8);
  CHECK_NEAR(percent(result), 43.8, 0.05);
  std::vector<double> weights, wrong;
  for (const Node& node : tree.nodes)
    if (node.leaf()) {
      weights.push_back(node.weight);
      wrong.push_back(node.risk);
    }
  std::sort(weights.begin(), weights.end());
  CHECK(weights.size() == 5);
  const double wanted[] = {2.0, 2.38, 3.0, 3.23, 3.38};
  for (std::size_t i = 0; i < 5; ++i) CHECK_NEAR(weights[i], wanted[i], 5e-3);
  CHECK_NEAR(errors(tree), 0.77, 5e-3);
  CHECK_NEAR(tree.node(0).weight, 14.0, 1e-12);

  const PessimisticResult strict = prune_golf(golf_tree(), 0.10, true);
  CHECK(strict.tree.size() == 1);
  CHECK_NEAR(percent(strict), 56.3, 0.05);
}

TEST_CASE("a branch that explains nearly everything is raised and gets all the cases") {
  // The first test separates 2 of 22 cases badly; the second, below it, separates all 22 well.
  Bed bed;
  std::vector<double> noise, signal;
  std::vector<Index> labels;
  for (int i = 0; i < 22; ++i) {
    noise.push_back(i < 2 ? 1.0 : 0.0);
    signal.push_back(i % 2);
    labels.push_back(i % 2);
  }
  bed.numeric(noise);
  bed.numeric(signal);
  const Tree grown = plant(cut(0, 0.5, cut(1, 0.5, leaf({10, 0}), leaf({0, 10})), leaf({1, 1})), {0, 0});
  const PessimisticResult raised = prune_pessimistic(grown, {bed.table, labels});
  CHECK(raised.tree.size() == 3);
  CHECK(raised.tree.node(0).feature == 1);
  CHECK(raised.tree.node(0).weight == 22.0);
  CHECK(raised.tree.value(1)[0] == 11.0);
  CHECK(raised.tree.value(2)[1] == 11.0);
  CHECK_NEAR(raised.estimated_errors, 2 * extra_errors(11, 0), 1e-12);
  const PessimisticResult kept = prune_pessimistic(grown, {bed.table, labels}, {0.25, false, ZRule::Table});
  CHECK(kept.tree.size() == 5);
}

TEST_CASE("an answer changes only to a class with strictly more weight, and an empty leaf keeps its own") {
  Bed bed;
  bed.nominal({0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3);
  const std::vector<Index> labels{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  Sprout tie = leaf({1, 1});
  tie.label = 1;
  Sprout empty = leaf({0, 0});
  empty.label = 1;
  const Tree grown = plant(multiway(0, {tie, leaf({10, 0}), empty}), {3});
  const PessimisticResult result = prune_pessimistic(grown, {bed.table, labels}, {1.0, false, ZRule::Table});
  CHECK(result.tree.size() == 1);  // one error either way
  CHECK(result.tree.node(0).label == 0);
  Tree single = plant(tie, {3});
  Bed two;
  two.nominal({0, 0}, 3);
  const std::vector<Index> both{0, 1};
  CHECK(prune_pessimistic(single, {two.table, both}).tree.node(0).label == 1);
}

TEST_CASE("collapse removes a split that saves no training error") {
  CHECK(collapse(golf_tree()).size() == 8);
  const Tree useless = plant(multiway(0, {leaf({2, 1}), leaf({4, 0}), leaf({3, 1})}), golf_features());
  CHECK(collapse(useless).size() == 1);
  const Tree partly = plant(
      multiway(0, {leaf({2, 3}), multiway(3, {leaf({4, 1}), leaf({3, 1})}), leaf({1, 0})}), golf_features());
  CHECK(collapse(partly).size() == 4);
}

TEST_CASE("cases that do not fit the tree are refused") {
  const Bed bed = golf();
  const std::vector<Index> labels = golf_labels(), few{0, 1}, foreign(14, 7);
  const std::vector<double> negative(14, -1.0);
  CHECK_THROWS_AS(InputError, prune_pessimistic(golf_tree(), {bed.table, few}));
  CHECK_THROWS_AS(InputError, prune_pessimistic(golf_tree(), {bed.table, foreign}));
  CHECK_THROWS_AS(InputError, prune_pessimistic(golf_tree(), {bed.table, labels, negative}));
  Table swapped = bed.table;
  std::swap(swapped.columns[0], swapped.columns[2]);
  CHECK_THROWS_AS(InputError, prune_pessimistic(golf_tree(), {swapped, labels}));
  Tree numbers = golf_tree();
  numbers.regression = true;
  CHECK_THROWS_AS(InputError, prune_pessimistic(numbers, {bed.table, labels}));
}

TEST_CASE("a case that stops at an inner node is a leaf of its own") {
  Tree tree = plant(cut(0, 0, leaf({6, 0}), leaf({0, 6})), {0});
  tree.node(0).missing_route = route_stop;
  Bed bed;
  bed.numeric({-1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, std::nan("")});
  const std::vector<Index> labels{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0};
  const PessimisticResult result = prune_pessimistic(tree, {bed.table, labels});
  CHECK(result.tree.size() == 3);
  CHECK(result.tree.node(0).weight == 13.0);
  CHECK(result.tree.node(1).weight + result.tree.node(2).weight == 12.0);
  CHECK_NEAR(result.estimated_errors, 2 * extra_errors(6, 0) + extra_errors(1, 0), 1e-12);
}

TEST_CASE(
    "a missing value sent to one branch goes there whole, and without known values the tree's weights share "
    "it out") {
  Tree tree = plant(cut(0, 0, leaf({30, 0}), leaf({0, 10})), {0});
  Bed bed;
  bed.numeric(std::vector<double>(40, std::nan("")));
  std::vector<Index> labels(40, 0);
  for (std::size_t r = 0; r < 10; ++r) labels[r] = 1;
  const PessimisticResult spread = prune_pessimistic(tree, {bed.table, labels}, {0.25, false, ZRule::Table});
  CHECK(spread.tree.size() == 1);
  CHECK(spread.tree.node(0).weight == 40.0);
  CHECK(spread.tree.node(0).risk == 10.0);
  Bed half;
  std::vector<double> numbers(40, std::nan(""));
  for (std::size_t r = 10; r < 40; ++r) numbers[r] = -1.0;
  half.numeric(numbers);
  tree.node(0).missing_route = 1;
  const PessimisticResult whole = prune_pessimistic(tree, {half.table, labels});
  CHECK(whole.tree.size() == 3);
  CHECK(whole.tree.node(2).weight == 10.0);
  CHECK(whole.tree.node(2).label == 1);
}

TEST_CASE("weights count like copies, and a row of weight 0 is not there") {
  Bed once, copied;
  once.numeric({-1, -1, 1, 1, 1});
  copied.numeric({-1, -1, -1, 1, 1, 1});
  const std::vector<Index> labels{0, 0, 1, 1, 0}, all{0, 0, 0, 1, 1, 1};
  const std::vector<double> weights{2, 1, 1, 2, 0};
  const Tree tree = plant(cut(0, 0, leaf({3, 0}), leaf({0, 3})), {0});
  const PessimisticResult a = prune_pessimistic(tree, {once.table, labels, weights}),
                          b = prune_pessimistic(tree, {copied.table, all});
  CHECK(a.estimated_errors == b.estimated_errors);
  CHECK(a.tree.values == b.tree.values);
}

// ---- the rule written down plainly, to compare with on random trees
// ---------------------------------------------------------

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
    const double branch =
        total > 0.0 && settings.subtree_raising ? estimate(branch_node, parts, false) : infinity;
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
Sprout random_sprout(std::mt19937& chance, const Bed& bed, const std::vector<Index>& labels,
                     const std::vector<std::size_t>& rows, int depth) {
  std::vector<double> values(3, 0.0);
  for (std::size_t r : rows) values[static_cast<std::size_t>(labels[r])] += 1.0;
  if (depth == 0 || rows.size() < 4 || chance() % 8 == 0) return leaf(values);
  const std::size_t feature = chance() % bed.numbers.size();
  const double threshold = static_cast<double>(chance() % 9) + 0.5;
  std::vector<std::size_t> low, high;
  for (std::size_t r : rows) (bed.numbers[feature][r] <= threshold ? low : high).push_back(r);
  Sprout split =
      cut(static_cast<Index>(feature), threshold, random_sprout(chance, bed, labels, low, depth - 1),
          random_sprout(chance, bed, labels, high, depth - 1));
  split.values = values;
  return split;
}

// The same table in float32.
struct HalfWidth {
  std::vector<std::vector<float>> columns;
  Table table;

  explicit HalfWidth(const Bed& bed) {
    table.rows = bed.table.rows;
    for (const auto& wide : bed.numbers) {
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
  std::mt19937 chance(7);
  for (int round = 0; round < 150; ++round) {
    Bed bed;
    std::vector<Index> labels;
    for (int f = 0; f < 4; ++f) {
      std::vector<double> column;
      for (int r = 0; r < 80; ++r)
        column.push_back(static_cast<double>(chance() % 1000) < 1000 * missing_share
                             ? std::nan("")
                             : static_cast<double>(chance() % 10));
      bed.numeric(column);
    }
    for (int r = 0; r < 80; ++r)
      labels.push_back(bed.numbers[0][static_cast<std::size_t>(r)] > 5 ? 0
                                                                       : static_cast<Index>(chance() % 3));
    std::vector<std::size_t> rows(80);
    for (std::size_t r = 0; r < 80; ++r) rows[r] = r;
    const Tree grown = plant(random_sprout(chance, bed, labels, rows, 7), {0, 0, 0, 0});
    const PessimisticSettings settings{round % 3 == 0 ? 0.5 : 0.25, round % 5 != 0, ZRule::Table};

    Plain plain{grown, bed.table, labels, settings};
    std::vector<Plain::Part> parts;
    for (std::size_t r = 0; r < 80; ++r) parts.push_back({r, 1.0});
    const double wanted = plain.estimate(0, parts, true);
    const Tree wanted_tree = compact(plain.tree);

    const PessimisticResult got = prune_pessimistic(grown, {bed.table, labels}, settings);
    validate(got.tree);
    CHECK_NEAR(got.estimated_errors, wanted, 1e-8);
    const HalfWidth narrow(bed);
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

TEST_CASE("random trees without missing values are pruned as the plain rule says") {
  compare_on_random_trees(0.0);
}
TEST_CASE("random trees with missing values are pruned as the plain rule says") {
  compare_on_random_trees(0.1);
}
