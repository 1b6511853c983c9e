// Sampled look-ahead, here rather than in Python so that the sanitizers watch.
#include "growing/look_ahead_chooser.hpp"

#include "check.hpp"
#include "growing/grow.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

// Numbers and categories with values missing; the class is whether two of the numbers are on the same side, mostly.
struct Cases {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<Index>> codes;
  std::vector<Index> labels;
  Table table;

  Cases(Random& random, std::size_t n, double missing) : labels(n) {
    table.rows = n;
    for (int f = 0; f < 4; ++f) {
      std::vector<double>& column = numbers.emplace_back(n);
      for (double& x : column) x = unit(random) < missing ? std::nan("") : (f % 2 ? unit(random) : static_cast<double>(below(random, 5)));
    }
    for (int f = 0; f < 2; ++f) {
      std::vector<Index>& column = codes.emplace_back(n);
      for (Index& code : column) code = unit(random) < missing ? missing_code : static_cast<Index>(below(random, 3));
    }
    for (std::size_t i = 0; i < n; ++i) labels[i] = below(random, 10) == 0 ? 2 : (numbers[0][i] < 2.5) == (numbers[1][i] < 0.5);
    for (const auto& column : numbers) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
    for (const auto& column : codes) table.columns.push_back({Storage::Codes, column.data(), 1, 3, nullptr, 0});
  }

  Tree grown(const Settings& settings) const {
    Target target = class_target(labels, 3, {});
    return grow(table, target, settings);
  }
};

Settings sampled(const AnyMerit& merit, int samples) {
  Settings settings;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = merit;
  settings.choosing = samples > 0 ? Choosing::LookAhead : Choosing::Best;
  settings.samples = samples;
  settings.gain_floor = -1e-9;
  settings.seed = 12;
  return settings;
}

Prices prices(bool upfront) {
  PriceList list;
  list.price = {1, 2, 3, 4, 0.5, 0};
  list.needs_start = {0, 1, 2, 2, 2, 2, 2};
  list.needs = {0, 0};
  list.resource_price = {2};
  list.group = {-1, -1, 0, 0, -1, -1};
  list.after = {std::nan(""), std::nan(""), 1, 1, std::nan(""), std::nan("")};
  list.delayed.assign(6, 0);
  list.upfront = upfront;
  return Prices(std::move(list));
}

bool same(const Tree& a, const Tree& b) {
  if (a.values != b.values || a.branch_map != b.branch_map || a.nodes.size() != b.nodes.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    if (a.nodes[i].feature != b.nodes[i].feature || a.nodes[i].threshold != b.nodes[i].threshold || a.nodes[i].first_child != b.nodes[i].first_child)
      return false;
  return true;
}

}  // namespace

TEST_CASE("the total of a test: the least of each outcome's samples, and its own cost") {
  CHECK(total_of(0.0, {{4, 3}, {2, 6}}) == 5.0);
  CHECK_NEAR(total_of(0.4, {{4.7, 5.1}, {8.9, 4.9}}), 10.0, 1e-12);
}

TEST_CASE("ACT draws by EG2's criterion: the published shares of the fourteen days") {
  const double gains[] = {0.246750, 0.029223, 0.151836, 0.048127}, costs[] = {4, 1, 2, 0.5}, shares[] = {0.348182, 0.095487, 0.345268, 0.211063};
  std::vector<double> weights;
  double total = 0.0;
  for (int f = 0; f < 4; ++f) {
    Offer offer;
    offer.gain = gains[f];
    offer.price = costs[f];
    weights.push_back(Act{}.merit(offer, MeritRules{}).value);
    total += weights.back();
  }
  for (std::size_t f = 0; f < 4; ++f) CHECK_NEAR(weights[f] / total, shares[f], 2e-6);
}

TEST_CASE("without samples LSID3 chooses as ID3 does and ACT as EG2 does") {
  Random random(1);
  const Prices paid = prices(false);
  for (int round = 0; round < 20; ++round) {
    const Cases cases(random, 60, round % 2 ? 0.1 : 0.0);
    CHECK(same(cases.grown(sampled(Lsid3{}, 0)), cases.grown(sampled(Gain{}, 0))));
    Settings act = sampled(Act{}, 0), eg2 = sampled(Eg2{}, 0);
    act.prices = eg2.prices = &paid;
    CHECK(same(cases.grown(act), cases.grown(eg2)));
  }
}

TEST_CASE("trees grown by samples are sound and the same for any number of threads") {
  Random random(2);
  const Prices sequential = prices(false), upfront = prices(true);
  const Missing ways[] = {Missing::Fractional, Missing::Surrogate, Missing::Branch, Missing::Majority};
  for (int round = 0; round < 24; ++round) {
    const Cases cases(random, round % 6 == 0 ? 400 : 40, round % 2 ? 0.1 : 0.0);
    Settings settings = round % 3 ? sampled(Act{}, 3) : sampled(Lsid3{}, 3);
    settings.prices = round % 3 == 0 ? nullptr : (round % 3 == 1 ? &sequential : &upfront);
    settings.missing = ways[below(random, 4)];
    settings.nominal = below(random, 2) ? NominalTests::Binary : NominalTests::Multiway;
    settings.reuse_nominal = settings.nominal == NominalTests::Binary;
    settings.after_surrogates = AfterSurrogates::Stop;
    settings.order = round % 4 == 3 ? Order::Best : Order::Depth;
    settings.max_leaves = round % 5 == 4 ? 7 : 0;
    settings.max_depth = 6;
    const Tree alone = cases.grown(settings);
    validate(alone);
    CHECK(alone.size() > 1);
    CHECK(settings.max_leaves == 0 || alone.leaves() <= settings.max_leaves);
    settings.threads = 3;
    CHECK(same(alone, cases.grown(settings)));
  }
}

TEST_CASE("another seed draws other samples") {
  Random random(3);
  const Cases cases(random, 120, 0.0);
  Settings settings = sampled(Lsid3{}, 1);
  const Tree one = cases.grown(settings);
  CHECK(same(one, cases.grown(settings)));
  int others = 0;
  for (settings.seed = 0; settings.seed < 5; ++settings.seed) others += !same(one, cases.grown(settings));
  CHECK(others > 0);
}

TEST_CASE("once growth is to stop the rest is chosen by merit") {
  Random random(4);
  const Cases cases(random, 150, 0.1);
  Settings settings = sampled(Lsid3{}, 4);
  Stop at_once(1e-12);
  while (!at_once.reached()) {
  }
  settings.stop = &at_once;
  CHECK(same(cases.grown(settings), cases.grown(sampled(Lsid3{}, 0))));
  for (int limit : {1, 2}) {
    for (int threads : {1, 3}) {
      int questions = 0;
      Stop later(infinity, [&] { return ++questions >= limit; });
      settings.stop = &later;
      settings.threads = threads;
      settings.samples = 1 << 20;
      const Tree tree = cases.grown(settings);
      validate(tree);
      CHECK(later.why() == Stop::Why::Asked);
      CHECK(tree.leaves() > 5);
    }
  }
}

TEST_CASE("settings that make no sense are refused") {
  Random random(5);
  const Cases cases(random, 20, 0.0);
  Settings settings = sampled(Gain{}, 2);
  CHECK_THROWS_AS(InputError, cases.grown(settings));
  settings.merit = Lsid3{};
  settings.samples = 0;
  CHECK_THROWS_AS(InputError, cases.grown(settings));
  settings.samples = 1;
  settings.merit = Act{{}, 0.0};  // the confidence factor
  CHECK_THROWS_AS(InputError, cases.grown(settings));
  settings.merit = Act{};
  settings.loss = {0, 1, 1, 0};
  CHECK_THROWS_AS(InputError, cases.grown(settings));
}
