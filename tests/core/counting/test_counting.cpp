// Trees grown from counts are those grown from cases, whatever the shards, the limits and the order of growth.
#include "counting/counted_rows.hpp"

#include <optional>

#include "basics/random.hpp"
#include "check.hpp"
#include "growing/grow.hpp"
#include "plain_prices.hpp"
#include "splitting/binning.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

constexpr Index few = 4, many = 300;

// A table in memory, and the same in codes.
struct Cases {
  std::vector<double> first, second, weights, numbers;
  std::vector<Index> few_codes, many_codes, labels;
  std::vector<std::uint8_t> bytes[3];
  std::vector<std::uint16_t> pairs, short_labels;
  Table table;
  Coding coding;

  Cases(Random& random, std::size_t n, Index classes, double missing, int bins, bool weighted) {
    for (std::size_t i = 0; i < n; ++i) {
      first.push_back(unit(random) < missing ? std::nan("") : unit(random));
      second.push_back(static_cast<double>(below(random, 7)));
      few_codes.push_back(unit(random) < missing ? missing_code : static_cast<Index>(below(random, few)));
      many_codes.push_back(static_cast<Index>(below(random, many)));
      weights.push_back(0.1 + unit(random));
      const double signal = (std::isnan(first.back()) ? 0.5 : first.back()) + (few_codes.back() == 1 ? 0.5 : 0.0) + 0.5 * unit(random);
      numbers.push_back(1e6 * (signal + unit(random)) - 3e5);
      labels.push_back(std::min<Index>(classes - 1, static_cast<Index>(signal * classes / 2.0)));
    }
    table.rows = n;
    for (const auto* column : {&first, &second}) table.columns.push_back({Storage::Float64, column->data(), 1, 0, nullptr, 0});
    table.columns.push_back({Storage::Codes, few_codes.data(), 1, few, nullptr, 0});
    table.columns.push_back({Storage::Codes, many_codes.data(), 1, many, nullptr, 0});
    ThreadPool alone(1);
    const Columns prepared = prepare(table, alone, bins, false, 0);
    for (Index f = 0; f < 3; ++f) bytes[f] = prepared[f].code_of;
    for (Index f = 0; f < 2; ++f) coding.columns.push_back(numeric_coding({prepared[f].high.begin(), prepared[f].high.end() - 1}));
    coding.columns.push_back(nominal_coding(few));
    coding.columns.push_back(nominal_coding(many));
    pairs.assign(many_codes.begin(), many_codes.end());
    short_labels.assign(labels.begin(), labels.end());
    coding.classes = classes;
    coding.weighted = weighted;
    if (weighted) coding.grid = exact_grid(n, *std::max_element(weights.begin(), weights.end()), common_step(weights));
  }

  // From now on numbers are predicted.
  void predict_numbers() {
    coding.regression = true;
    coding.classes = 0;
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    coding.numbers = number_grid(*lowest, *highest, numbers.size());
    if (coding.weighted)
      coding.numbers = number_grid(*lowest, *highest, numbers.size(), coding.grid, *std::max_element(weights.begin(), weights.end()));
  }

  // Shards of random sizes, some of them empty.
  std::vector<Shard> shards(Random& random) const {
    std::vector<Shard> made;
    for (std::size_t from = 0; from < table.rows;) {
      const std::size_t rows = std::min(below(random, 1 + table.rows / 3), table.rows - from);
      Shard shard;
      shard.rows = rows;
      for (const auto& column : bytes) shard.codes.push_back(column.data() + from);
      shard.codes.push_back(pairs.data() + from);
      shard.labels = short_labels.data() + from;
      shard.numbers = numbers.data() + from;
      if (coding.weighted) shard.weights = weights.data() + from;
      made.push_back(std::move(shard));
      from += rows;
    }
    return made;
  }

  Tree in_memory(const Settings& settings) const {
    const auto own = coding.weighted ? std::span<const double>(weights) : std::span<const double>{};
    Target target = coding.regression ? number_target(numbers, own) : class_target(labels, coding.classes, own);
    return grow(table, target, settings);
  }
  Tree counted(const Settings& settings, Random& random, const CountingLimits& limits) const {
    ThreadPool pool(settings.threads);
    ShardCounter counter(coding, shards(random), pool);
    return grow_counted(coding, table.rows, settings, counter, limits, pool);
  }
};

bool same(const Tree& a, const Tree& b) {
  if (a.values != b.values || a.branch_map != b.branch_map || a.nodes.size() != b.nodes.size() || a.cases != b.cases) return false;
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
  s.impurity = one_of(random, {ImpurityName::Gini, ImpurityName::Entropy, ImpurityName::LeafCost});
  if (s.impurity == ImpurityName::LeafCost) s.merit = TotalCost{};
  if (s.impurity == ImpurityName::Entropy && below(random, 2)) {
    s.asks_split_info = true;
    s.merit = GainRatio{};
  }
  s.nominal = one_of(random, {NominalTests::Multiway, NominalTests::Grouped, NominalTests::Binary, NominalTests::Value});
  s.missing = one_of(random, {Missing::Branch, Missing::Stay, Missing::Majority});
  s.order = one_of(random, {Order::Depth, Order::Depth, Order::Breadth, Order::Best});
  s.max_depth = one_of(random, {0, 3, 6});
  s.max_leaves = one_of(random, {0, 0, 9});
  s.min_branch_weight = one_of(random, {0.0, 3.0});
  s.share_rule = below(random, 2);
  s.cut_penalty = below(random, 2);
  s.confidence = one_of(random, {0.0, 0.9});
  s.reuse_nominal = below(random, 2);
  s.max_exhaustive = 6;
  s.bins = one_of(random, {2, 8, 255});
  s.threads = one_of(random, {1, 3});
  return s;
}

// Two rows that stand for many.
class ManyCases final : public Counter {
 public:
  ManyCases(const Coding& coding, double cases) : coding_(coding), cases_(cases) {}

  std::vector<double> count(const Routes& routes) override {
    const std::uint8_t codes[] = {0, 1};
    const std::uint16_t labels[] = {0, 1};
    Shard shard;
    shard.rows = 2;
    shard.codes = {codes};
    shard.labels = labels;
    std::vector<double> sums(routes.goals * routes.cells(coding_), 0.0);
    thriftwood::count(shard, coding_, routes, sums);
    for (double& sum : sums) sum *= cases_ / 2.0;
    return sums;
  }
  std::vector<CodedRows> gather(const Routes&) override { throw std::logic_error("nobody can hold so many"); }

 private:
  const Coding& coding_;
  double cases_;
};

}  // namespace

TEST_CASE("counting gives the tree of the same cases in memory") {
  Random random(19);
  for (int round = 0; round < 400; ++round) {
    const Settings settings = random_settings(random);
    const Cases cases(random, 5 + below(random, 400), static_cast<Index>(2 + below(random, 3)), one_of(random, {0.0, 0.2}), settings.bins,
                      below(random, 2) == 1);
    CountingLimits limits;
    limits.gathered_node = one_of<std::size_t>(random, {0, 20, 100, 1000});
    limits.gathered_rows = one_of<std::size_t>(random, {1, 150, 1000});
    limits.counted_cells = one_of<std::size_t>(random, {1, 5000, 1u << 25});
    CHECK(same(cases.counted(settings, random, limits), cases.in_memory(settings)));
  }
}

TEST_CASE("counting gives the regression tree of the same cases in memory") {
  Random random(23);
  for (int round = 0; round < 200; ++round) {
    Settings settings = random_settings(random);
    settings.impurity = ImpurityName::SquaredError;
    settings.merit = Gain{};
    settings.asks_split_info = false;
    settings.confidence = 0.0;
    settings.nominal = one_of(random, {NominalTests::Multiway, NominalTests::Binary, NominalTests::Value});
    Cases cases(random, 5 + below(random, 400), 2, one_of(random, {0.0, 0.2}), settings.bins, below(random, 2) == 1);
    cases.predict_numbers();
    CountingLimits limits;
    limits.gathered_node = one_of<std::size_t>(random, {0, 20, 1000});
    limits.gathered_rows = one_of<std::size_t>(random, {1, 150, 1000});
    limits.counted_cells = one_of<std::size_t>(random, {1, 5000, 1u << 25});
    CHECK(same(cases.counted(settings, random, limits), cases.in_memory(settings)));
  }
}

TEST_CASE("sums of numbers travel as digits, whatever their sign") {
  Random random(5);
  NumberSums all;
  std::vector<double> digits(number_digits, 0.0);
  for (int shard = 0; shard < 50; ++shard) {
    NumberSums sums;
    for (int i = 0; i < 20; ++i)
      sums.add(static_cast<std::int64_t>((unit(random) - 0.7) * 0x1p51), 1 + static_cast<std::int64_t>(below(random, 1u << 15)));
    all.add(sums);
    add_digits(sums, digits.data());
  }
  const NumberSums found = sums_of_digits(digits.data());
  CHECK(found.weight == all.weight && found.sum == all.sum && found.squares == all.squares);
}

TEST_CASE("prices paid upfront guide counted growth as they guide growth in memory") {
  Random random(7);
  PriceList list = plain({3.0, 1.0, 2.0, 5.0});
  list.upfront = true;
  const Prices prices(list);
  for (int round = 0; round < 60; ++round) {
    Settings settings = random_settings(random);
    settings.impurity = ImpurityName::Entropy;
    settings.asks_split_info = false;
    settings.merit = Eg2{};
    settings.prices = &prices;
    const Cases cases(random, 50 + below(random, 300), 2, 0.1, settings.bins, below(random, 2) == 1);
    CountingLimits limits;
    limits.gathered_node = one_of<std::size_t>(random, {0, 40, 1000});
    limits.gathered_rows = one_of<std::size_t>(random, {1, 200});
    CHECK(same(cases.counted(settings, random, limits), cases.in_memory(settings)));
  }
}

TEST_CASE("cases are counted beyond what 32 bits can number") {
  Coding coding;
  coding.columns.push_back(numeric_coding({0.5}));
  coding.classes = 2;
  const double cases = 3.0 * (1ull << 32);
  ManyCases counter(coding, cases);
  ThreadPool alone(1);
  Settings settings;
  settings.bins = 255;
  const Tree tree = grow_counted(coding, static_cast<std::uint64_t>(cases), settings, counter, {}, alone);
  CHECK(tree.nodes.size() == 3);
  CHECK(tree.node(0).weight == cases);
  CHECK(tree.node(1).weight == cases / 2 && tree.node(2).weight == cases / 2);
  CHECK(tree.node(0).threshold == 0.5);
}

TEST_CASE("sums of weights on the grid do not depend on their order") {
  Random random(3);
  std::vector<double> weights(1000);
  for (double& w : weights) w = unit(random) * 7.0;
  const double grid = exact_grid(weights.size(), 7.0);
  double forwards = 0.0, backwards = 0.0, plain_forwards = 0.0, plain_backwards = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    forwards += on_grid(weights[i], grid);
    backwards += on_grid(weights[weights.size() - 1 - i], grid);
    plain_forwards += weights[i];
    plain_backwards += weights[weights.size() - 1 - i];
    CHECK_NEAR(on_grid(weights[i], grid), weights[i], grid);
  }
  CHECK(forwards == backwards);
  CHECK(plain_forwards != plain_backwards);
  CHECK(on_grid(grid / 1000.0, grid) == grid);
  CHECK(on_grid(0.0, grid) == 0.0);
}

TEST_CASE("weights are multiples of the lowest bit that any of them has") {
  CHECK(common_step(std::vector{3.0, 5.0, 0.0}) == 1.0);
  CHECK(common_step(std::vector{12.0, 20.0}) == 4.0);
  CHECK(common_step(std::vector{20.0, 12.0, 0.375}) == 0.125);
  CHECK(common_step(std::vector{0.1}) == 0x1p-55);
  CHECK(common_step(std::vector{0x1p-1074, 1e300}) == 0x1p-1074);
  CHECK(common_step(std::vector{0.0}) == infinity);
  CHECK(exact_grid(1000, 5.0, 1.0) == 1.0);
  CHECK(exact_grid(1000, 0.1, 0x1p-55) == 0x1p-46);  // coarser than the weights: sums of them would not be exact
}

TEST_CASE("routes that would lead out of the table are refused") {
  Coding coding;
  coding.columns.push_back(numeric_coding({0.5}));
  coding.classes = 2;
  Routes routes;
  routes.start = 0;
  routes.goals = 1;
  routes.feature = {0};
  routes.first = {0};
  routes.next = {Routes::goal, Routes::nowhere, Routes::goal};
  check_routes(routes, coding);
  for (std::uint32_t wrong : {Routes::goal + 1, std::uint32_t{0}, std::uint32_t{1}}) {  // no such goal, in a circle, no such station
    Routes bad = routes;
    bad.next[1] = wrong;
    CHECK_THROWS_AS(InputError, check_routes(bad, coding));
  }
  routes.feature = {1};
  CHECK_THROWS_AS(InputError, check_routes(routes, coding));
}
