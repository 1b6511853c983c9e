// Whole trees: sound in every field for any settings, and the same for any number of threads. Here rather than in Python so that the
// sanitizers watch.
#include "growing/grow.hpp"

#include <optional>

#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

constexpr Index categories[] = {3, 300};

struct Cases {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<Index>> codes;
  std::vector<Index> labels;
  std::vector<double> values, weights;
  Table table;

  Cases(Random& random, std::size_t n, Index classes, double missing) : labels(n), values(n), weights(n) {
    for (int f = 0; f < 3; ++f) {
      std::vector<double>& column = numbers.emplace_back(n);
      for (double& x : column) x = unit(random) < missing ? std::nan("") : (f == 0 ? unit(random) : static_cast<double>(below(random, 9)));
    }
    for (Index declared : categories) {
      std::vector<Index>& column = codes.emplace_back(n);
      for (Index& code : column) code = unit(random) < missing ? missing_code : static_cast<Index>(below(random, static_cast<std::size_t>(declared)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double signal = (std::isnan(numbers[0][i]) ? 0.5 : numbers[0][i]) + (codes[0][i] == 1 ? 0.5 : 0.0) + 0.5 * unit(random);
      labels[i] = std::min<Index>(classes - 1, static_cast<Index>(signal * classes / 2.0));
      values[i] = signal;
      weights[i] = 0.5 * static_cast<double>(below(random, 5));
    }
    set_up();
  }

  // Some rows of another table.
  Cases(const Cases& other, std::span<const Row> rows) {
    const auto take = [&](const auto& from) {
      std::decay_t<decltype(from)> taken;
      for (Row row : rows) taken.push_back(from[row]);
      return taken;
    };
    for (const auto& column : other.numbers) numbers.push_back(take(column));
    for (const auto& column : other.codes) codes.push_back(take(column));
    labels = take(other.labels);
    values = take(other.values);
    weights = take(other.weights);
    set_up();
  }

  void set_up() {
    table.rows = labels.size();
    for (const auto& column : numbers) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
    for (std::size_t f = 0; f < codes.size(); ++f) table.columns.push_back({Storage::Codes, codes[f].data(), 1, categories[f], nullptr, 0});
  }

  Tree grown(const Settings& settings, Index classes, bool weighted, std::span<const Row> rows = {}) const {
    const bool regression = settings.impurity == ImpurityName::SquaredError || settings.impurity == ImpurityName::AbsoluteError;
    const std::span<const double> w = weighted ? std::span<const double>(weights) : std::span<const double>{};
    Target target = regression ? number_target(values, w) : class_target(labels, classes, w);
    return grow(table, target, settings, rows);
  }
};

bool same(const Tree& a, const Tree& b) {
  if (a.values != b.values || a.branch_map != b.branch_map || a.nodes.size() != b.nodes.size() || a.surrogates.size() != b.surrogates.size())
    return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    if (x.kind != y.kind || x.feature != y.feature || x.threshold != y.threshold || x.first_child != y.first_child || x.gain != y.gain ||
        x.weight != y.weight || x.risk != y.risk || x.impurity != y.impurity || x.label != y.label || x.missing_route != y.missing_route)
      return false;
  }
  return true;
}

template <class T, std::size_t n>
T one_of(Random& random, const T (&choices)[n]) {
  return choices[below(random, n)];
}

Settings random_settings(Random& random) {
  Settings s;
  s.impurity = one_of(random, {ImpurityName::Gini, ImpurityName::Entropy, ImpurityName::SquaredError, ImpurityName::AbsoluteError,
                               ImpurityName::LeafCost, ImpurityName::SmoothedCost});
  const bool regression = s.impurity == ImpurityName::SquaredError || s.impurity == ImpurityName::AbsoluteError;
  if (s.impurity == ImpurityName::Entropy && below(random, 2)) {
    s.asks_split_info = true;
    s.asks_saving = below(random, 2);
    if (s.asks_saving)
      s.merit = Pm{};
    else
      s.merit = GainRatio{};
  }
  if (s.impurity == ImpurityName::LeafCost || s.impurity == ImpurityName::SmoothedCost) s.merit = TotalCost{};
  s.nominal = one_of(random, {NominalTests::Multiway, NominalTests::Grouped, NominalTests::Binary});
  s.missing = one_of(random, {Missing::Fractional, Missing::Surrogate, Missing::Branch, Missing::Stay, Missing::Majority});
  s.order = one_of(random, {Order::Depth, Order::Breadth, Order::Best});
  s.cut_at = one_of(random, {CutAt::Midpoint, CutAt::Observed});
  s.after_surrogates = one_of(random, {AfterSurrogates::Majority, AfterSurrogates::Stop});
  s.max_depth = one_of(random, {0, 3, 6});
  s.max_leaves = one_of(random, {0, 0, 9});
  s.two_branches = below(random, 2);
  s.share_rule = !regression && below(random, 2);
  s.cut_penalty = !regression && below(random, 2);
  s.average_gain = below(random, 2);
  s.min_gap = one_of(random, {0.0, 1e-5});
  s.gain_floor = one_of(random, {0.0, -0.001});
  s.reuse_nominal = below(random, 2);
  s.confidence = regression ? 0.0 : one_of(random, {0.0, 0.9});
  s.max_exhaustive = 6;
  s.bins = one_of(random, {0, 0, 8});
  return s;
}

}  // namespace

TEST_CASE("trees of any settings are sound and share out their cases") {
  Random random(9);
  for (int round = 0; round < 250; ++round) {
    const Index classes = static_cast<Index>(2 + below(random, 3));
    const Cases cases(random, 2 + below(random, 150), classes, one_of(random, {0.0, 0.1, 0.6}));
    const Settings settings = random_settings(random);
    const bool weighted = below(random, 2) && std::any_of(cases.weights.begin(), cases.weights.end(), [](double w) { return w > 0.0; });
    const Tree tree = cases.grown(settings, classes, weighted);
    validate(tree);  // throws
    for (const Node& node : tree.nodes) {
      if (node.leaf()) continue;
      double below_it = 0.0;
      for (Index b = 0; b < node.n_children; ++b) below_it += tree.node(node.first_child + b).weight;
      CHECK(below_it <= node.weight * (1.0 + 1e-9));
      if (node.missing_route != route_stop) CHECK_NEAR(below_it, node.weight, 1e-9 * node.weight);
      CHECK(node.gain > settings.gain_floor);
    }
    CHECK(settings.max_depth == 0 || tree.depth() <= settings.max_depth);
    CHECK(settings.max_leaves == 0 || tree.leaves() <= settings.max_leaves);
  }
}

TEST_CASE("a target that another impurity prepared gives the same tree") {
  Random random(11);
  const Cases cases(random, 300, 2, 0.0);
  Table few = cases.table;  // columns of few values, which two classes are counted in
  few.columns = {cases.table.columns[1], cases.table.columns[2]};
  std::vector<Index> labels;
  for (std::size_t i = 0; i < 300; ++i) labels.push_back((cases.numbers[1][i] >= 4.0) != (cases.numbers[2][i] >= 7.0));
  for (ImpurityName impurity : {ImpurityName::LeafCost, ImpurityName::SmoothedCost, ImpurityName::Gini}) {
    Settings entropy, settings;
    entropy.impurity = ImpurityName::Entropy;
    settings.impurity = impurity;
    Target target = class_target(labels, 2, {}), fresh = target;
    grow(few, target, entropy, {});
    const Tree tree = grow(few, target, settings, {});
    CHECK(same(tree, grow(few, fresh, settings, {})));
    CHECK(tree.size() > 1);
  }
}

TEST_CASE("one thread and several grow the same tree") {
  Random random(10);
  for (int round = 0; round < 6; ++round) {
    const Cases cases(random, 18000, 3, round % 2 ? 0.05 : 0.0);
    Settings settings;
    settings.impurity = one_of(random, {ImpurityName::Gini, ImpurityName::Entropy, ImpurityName::SquaredError});
    settings.missing = round < 2 ? Missing::Fractional : (round < 4 ? Missing::Surrogate : Missing::Branch);
    settings.nominal = NominalTests::Binary;
    settings.max_exhaustive = 4;
    settings.max_depth = 5;
    settings.bins = round == 4 ? 32 : 0;
    const Tree alone = cases.grown(settings, 3, round % 3 == 1);
    CHECK(alone.size() > 5);
    for (int threads : {2, 4}) {
      settings.threads = threads;
      CHECK(same(alone, cases.grown(settings, 3, round % 3 == 1)));
    }
  }
}

TEST_CASE("many trees in one call are the trees of many calls") {
  Random random(11);
  const Cases cases(random, 400, 3, 0.1);
  std::vector<std::vector<Row>> lists(9);
  for (auto& rows : lists)
    for (Row row = 0; row < 400; ++row)
      if (below(random, 3) == 0) rows.push_back(row);
  Settings settings;
  settings.threads = 3;
  Target target = class_target(cases.labels, 3, {});
  const std::vector<Tree> together = grow_many(cases.table, target, settings, lists);
  settings.threads = 1;
  for (std::size_t i = 0; i < lists.size(); ++i) CHECK(same(together[i], cases.grown(settings, 3, false, lists[i])));
}

// In a large table codes move with the cases, in a small one they stay where they are; strips are for small ones only.
TEST_CASE("some rows of a large table grow the tree of a small table of those rows") {
  for (Index classes : {2, 3})
    for (double missing : {0.0, 0.1}) {
      Random random(13);
      const Cases large(random, 5000, classes, missing);
      std::vector<Row> rows;
      for (Row row = 0; row < 5000; ++row)
        if (below(random, 6) == 0) rows.push_back(row);
      const Cases small(large, rows);
      for (ImpurityName impurity : {ImpurityName::Gini, ImpurityName::Entropy, ImpurityName::SquaredError, ImpurityName::AbsoluteError})
        for (Missing treatment : {Missing::Fractional, Missing::Surrogate, Missing::Branch, Missing::Majority})
          for (CutAt cut_at : {CutAt::Midpoint, CutAt::Observed}) {
            Settings settings;
            settings.impurity = impurity;
            settings.missing = treatment;
            settings.cut_at = cut_at;
            settings.nominal = NominalTests::Binary;
            settings.max_depth = 6;
            CHECK(same(large.grown(settings, classes, false, rows), small.grown(settings, classes, false)));
          }
    }
}

TEST_CASE("what cannot be grown is refused") {
  Random random(12);
  const Cases cases(random, 20, 2, 0.0);
  Settings settings;
  const std::vector<Row> backwards{3, 1}, outside{5, 20};
  CHECK_THROWS_AS(InputError, cases.grown(settings, 2, false, backwards));
  CHECK_THROWS_AS(InputError, cases.grown(settings, 2, false, outside));
  Target numbers = number_target(cases.values, {});
  CHECK_THROWS_AS(InputError, grow(cases.table, numbers, settings));
  const std::vector<double> nothing(20, 0.0), negative(20, -1.0);
  Target empty = class_target(cases.labels, 2, nothing);
  CHECK_THROWS_AS(InputError, grow(cases.table, empty, settings));
  CHECK_THROWS_AS(InputError, class_target(cases.labels, 2, negative));
  CHECK_THROWS_AS(InputError, class_target(cases.labels, 1, {}));
}
