// Components: the best pair of planned tests against all pairs, and whole trees that look ahead, watched by the sanitizers.
#include "growing/components.hpp"

#include <algorithm>

#include "check.hpp"
#include "growing/grow.hpp"
#include "plain_prices.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

using Sides = std::array<std::vector<Option>, 2>;

// All pairs, the simplest kinds first; what comes later must be clearly better.
Component by_trying_all(Option root, const Sides& sides) {
  Component best;
  for (int kind = 0; kind < 4; ++kind)
    for (int left = 0; left < (kind & 1 ? static_cast<int>(sides[0].size()) : 1); ++left)
      for (int right = 0; right < (kind & 2 ? static_cast<int>(sides[1].size()) : 1); ++right) {
        Option total = root;
        Component one;
        one.planned = {kind & 1 ? left : -1, kind & 2 ? right : -1};
        for (std::size_t side = 0; side < 2; ++side) {
          if (one.planned[side] < 0) continue;
          total.gain += sides[side][static_cast<std::size_t>(one.planned[side])].gain;
          total.expense += sides[side][static_cast<std::size_t>(one.planned[side])].expense;
        }
        one.gain = total.gain;
        one.merit = per_expense(total.gain, total.expense);
        if (one.merit.tier >= 0 && better(one.merit, best.merit)) best = one;
      }
  return best;
}

struct Cases {
  std::vector<std::vector<double>> numbers;
  std::vector<Index> codes, labels;
  std::vector<double> weights;
  Table table;

  Cases(Random& random, std::size_t n, Index classes, double missing) : codes(n), labels(n), weights(n) {
    table.rows = n;
    for (int f = 0; f < 4; ++f) {
      std::vector<double>& column = numbers.emplace_back(n);
      for (double& x : column) x = unit(random) < missing ? std::nan("") : (f % 2 ? unit(random) : static_cast<double>(below(random, 7)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = unit(random) < missing ? missing_code : static_cast<Index>(below(random, 4));
      const bool first = numbers[0][i] > 3.0, second = numbers[1][i] > 0.5;
      labels[i] = std::min<Index>(classes - 1, (first != second) + (codes[i] == 2) + (unit(random) < 0.1));
      weights[i] = 0.25 * static_cast<double>(1 + below(random, 6));
    }
    for (const auto& column : numbers) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
    table.columns.push_back({Storage::Codes, codes.data(), 1, 4, nullptr, 0});
  }

  Tree grown(const Settings& settings, Index classes, bool weighted) const {
    Target target = class_target(labels, classes, weighted ? std::span<const double>(weights) : std::span<const double>{});
    return grow(table, target, settings);
  }
};

Settings looking_ahead(const Prices& prices) {
  Settings settings;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = Lasc{};
  settings.nominal = NominalTests::Value;
  settings.reuse_nominal = true;
  settings.min_split_weight = 4.0;
  settings.prices = &prices;
  return settings;
}

Prices prices_of(Random& random, bool upfront) {
  PriceList list = plain({0, 0, 0, 0, 0});
  for (double& price : list.price) price = static_cast<double>(below(random, 5)) / 2.0;
  list.upfront = upfront;
  return Prices(std::move(list));
}

}  // namespace

TEST_CASE("the component of exclusive or has three tests") {
  const Sides sides{std::vector<Option>{{0.0, 0.5}, {0.5, 0.5}}, std::vector<Option>{{0.0, 0.5}, {0.5, 0.5}}};
  const Component best = best_component({0.0, 1.0}, sides);
  CHECK(best.kind() == 3);
  CHECK_NEAR(best.merit.value, 0.5, 1e-15);
  CHECK_NEAR(best_component({0.0, 1.0}, {sides[0], {}}).merit.value, 1.0 / 3.0, 1e-15);
  CHECK(best_component({0.0, 1.0}, {}).merit.tier < 0);
}

TEST_CASE("no pair of planned tests is better, and of equals the simplest is taken") {
  Random random(31);
  for (int round = 0; round < 3000; ++round) {
    const auto some = [&](double most) { return static_cast<double>(below(random, 5)) / 4.0 * most; };  // few values, so many ties
    Sides sides;
    for (auto& side : sides)
      for (std::size_t i = below(random, 5); i > 0; --i) side.push_back({some(0.5), some(0.5)});
    const Option root{some(1.0), some(1.0)};
    const Component found = best_component(root, sides), wanted = by_trying_all(root, sides);
    CHECK(found.merit.tier == wanted.merit.tier);
    if (wanted.merit.tier < 0) continue;
    CHECK_NEAR(found.merit.value, wanted.merit.value, 1e-12);
    CHECK(found.kind() == wanted.kind());
    CHECK(found.planned == wanted.planned);
  }
}

TEST_CASE("what gains something for nothing comes before all that costs something") {
  const Sides sides{std::vector<Option>{{0.4, 0.1}, {0.1, 0.0}, {0.2, 0.0}}, {}};
  const Component best = best_component({0.0, 0.0}, sides);
  CHECK(best.merit.tier == 1);
  CHECK(best.planned == (std::array<int, 2>{2, -1}));
  CHECK(best_component({0.0, 0.0}, {std::vector<Option>{{0.4, 0.1}, {0.3, 0.01}}, {}}).planned[0] == 1);
}

TEST_CASE("trees that look ahead are sound, whatever the settings") {
  Random random(32);
  for (int round = 0; round < 150; ++round) {
    const Index classes = static_cast<Index>(2 + below(random, 3));
    const Cases cases(random, 5 + below(random, 120), classes, round % 3 * 0.15);
    const Prices prices = prices_of(random, round % 2 == 1);
    Settings settings = looking_ahead(prices);
    settings.missing = static_cast<Missing>(below(random, 4));
    settings.order = static_cast<Order>(below(random, 3));
    Lasc& lasc = std::get<Lasc>(settings.merit);
    lasc.norm = static_cast<PriceNorm>(below(random, 4));
    settings.nominal = below(random, 2) ? NominalTests::Value : NominalTests::Binary;
    lasc.alpha = 0.25 * static_cast<double>(1 + below(random, 12));
    settings.max_depth = below(random, 3) == 0 ? 3 : 0;
    settings.max_leaves = below(random, 3) == 0 ? 5 : 0;
    const Tree tree = cases.grown(settings, classes, below(random, 2));
    validate(tree);  // throws
    for (const Node& node : tree.nodes) CHECK(node.leaf() || (node.gain >= 0.0 && node.weight >= 4.0 - 1e-9));
    CHECK(settings.max_depth == 0 || tree.depth() <= settings.max_depth);
    CHECK(settings.max_leaves == 0 || tree.leaves() <= settings.max_leaves);
  }
}

TEST_CASE("looking ahead, one thread and several grow the same tree") {
  Random random(33);
  for (int round = 0; round < 4; ++round) {
    const Cases cases(random, 3000, 3, round % 2 ? 0.02 : 0.0);
    const Prices prices = prices_of(random, round >= 2);
    Settings settings = looking_ahead(prices);
    settings.min_split_weight = 100.0;
    const Tree alone = cases.grown(settings, 3, false);
    CHECK(alone.size() > 5);
    for (int threads : {2, 4}) {
      settings.threads = threads;
      const Tree together = cases.grown(settings, 3, false);
      CHECK(together.values == alone.values);
      CHECK(together.branch_map == alone.branch_map);
      CHECK(std::equal(alone.nodes.begin(), alone.nodes.end(), together.nodes.begin(), together.nodes.end(), [](const Node& a, const Node& b) {
        return a.feature == b.feature && a.threshold == b.threshold && a.first_child == b.first_child && a.gain == b.gain && a.weight == b.weight;
      }));
    }
  }
}
