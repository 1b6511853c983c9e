// ICET's strings and trials.
#include "evolution/icet.hpp"

#include "check.hpp"
#include "evolution/evolve.hpp"
#include "evolution/sample.hpp"
#include "growing/grow.hpp"

using namespace thriftwood;

namespace {

Settings eg2() {
  Settings settings;
  settings.impurity = ImpurityName::Entropy;
  settings.merit = Eg2{};
  settings.min_split_weight = 4.0;
  settings.min_branch_weight = 2.0;
  settings.two_branches = true;
  return settings;
}

}  // namespace

TEST_CASE("genes are Gray codes, spread over their range with both ends") {
  for (std::uint32_t code = 0; code < 5000; ++code) CHECK(from_gray(gray(code)) == code);
  for (std::uint32_t code = 1; code < 5000; ++code) CHECK(std::popcount(gray(code) ^ gray(code - 1)) == 1);
  const IcetSettings settings;
  const auto value = [](const Gene& gene, const char* text) { return gene.value(from_gray(Bits::read(text).field(0, gene.bits))); };
  CHECK_NEAR(value(settings.bias, "100000000000"), 10000.0, 1e-9);
  CHECK_NEAR(value(settings.bias, "000000000000"), 1.0, 1e-9);
  CHECK_NEAR(value(settings.bias, "000000000001"), 3.441758, 1e-6);
  CHECK_NEAR(value(settings.bias, "011000000000"), 2501.360440, 1e-6);
  CHECK_NEAR(value(settings.w, "10000000"), 1.0, 1e-12);
  CHECK_NEAR(value(settings.cf, "01000000"), 50.305882, 1e-6);
  for (const Gene& gene : {settings.bias, settings.w, settings.cf})
    for (std::uint32_t code = 0; code < (1u << gene.bits); ++code) CHECK(gene.nearest(gene.value(code)) == code);
}

TEST_CASE("six tests take 88 bits; strings come back from their biases") {
  std::vector<double> column{1, 2, 3, 4};
  const std::vector<Index> labels{0, 0, 1, 1};
  Table table;
  table.rows = 4;
  table.columns.assign(6, {Storage::Float64, column.data(), 1, 0, nullptr, 0});
  const Icet icet({table, labels, 2}, eg2(), {}, {});
  CHECK(icet.bits() == 88);
  for (std::size_t place = 0; place < 50; ++place) {
    Bits string(88);
    icet.begin(string, place, Draws(place));
    const Biases biases = icet.decode(string);
    CHECK(biases.price.size() == 6);
    CHECK(biases.w >= 0.0 && biases.w <= 1.0 && biases.cf >= 0.01 && biases.cf <= 1.0);
    CHECK(icet.encode(biases) == string);
  }
  CHECK_THROWS_AS(InputError, icet.decode(Bits(87)));
}

TEST_CASE("crossing exchanges bits at one place of the ring, and mutation changes few") {
  Random random(4);
  const EvolvedSample sample(random, 30, 2, false);
  IcetSettings settings;
  settings.mutation = 0.05;
  settings.flip = true;
  const Icet icet({sample.table, sample.labels, 2}, eg2(), {}, settings);
  std::size_t flipped = 0;
  for (Key key = 0; key < 400; ++key) {
    Bits none(icet.bits()), all(icet.bits());
    for (std::size_t i = 0; i < all.size(); ++i) all.put(i, 1, 1);
    icet.cross(none, all, Draws(key));
    std::size_t borders = 0, ones = 0;
    for (std::size_t i = 0; i < none.size(); ++i) {
      ones += none.field(i, 1);
      borders += none.field(i, 1) != none.field((i + 1) % none.size(), 1);
      CHECK(none.field(i, 1) + all.field(i, 1) == 1);
    }
    CHECK(borders == 2);
    CHECK(ones > 0);
    Bits string(icet.bits());
    icet.mutate(string, Draws(key));
    for (std::size_t i = 0; i < string.size(); ++i) flipped += string.field(i, 1);
  }
  const double expected = 0.05 * 400 * static_cast<double>(icet.bits());
  CHECK_NEAR(static_cast<double>(flipped), expected, 4 * std::sqrt(expected));
}

TEST_CASE("halves are halves of the cases that count, other ones for every trial") {
  Random random(5);
  const EvolvedSample sample(random, 41, 2, false);
  std::vector<double> weights(41, 1.0);
  weights[7] = weights[20] = 0.0;
  const Icet icet({sample.table, sample.labels, 2, weights}, eg2(), {}, {});
  std::vector<int> grown(41, 0);
  for (Key key = 0; key < 2000; ++key) {
    const Icet::Halves halves = icet.halves(key);
    CHECK(halves.grow.size() == 20);
    CHECK(halves.judge.size() == 19);
    std::vector<Row> both = halves.grow;
    both.insert(both.end(), halves.judge.begin(), halves.judge.end());
    std::sort(both.begin(), both.end());
    CHECK(std::unique(both.begin(), both.end()) == both.end());
    CHECK(std::is_sorted(halves.grow.begin(), halves.grow.end()));
    for (Row row : halves.grow) ++grown[row];
  }
  for (std::size_t row = 0; row < 41; ++row) CHECK_NEAR(grown[row], weights[row] * 2000 * 20 / 39, 120);
}

TEST_CASE("a trial grows EG2 by the biases on one half and bills the other half") {
  Random random(6);
  const EvolvedSample sample(random, 120, 3, true);
  const std::vector<double> loss{0, 1, 9, 4, 0, 4, 9, 1, 0};
  std::vector<double> weights(120);
  for (double& weight : weights) weight = static_cast<double>(below(random, 3));
  for (int kind = 0; kind < 4; ++kind) {
    const Prices prices = prices_of_kind(kind);
    const Judged judged{sample.table, sample.labels, 3, weights, loss, &prices};
    const Icet icet(judged, eg2(), {}, {});
    for (Key key = 0; key < 20; ++key) {
      Bits string(icet.bits());
      icet.begin(string, 0, Draws(key));
      const Biases biases = icet.decode(string);
      const Icet::Halves halves = icet.halves(key + 100);
      PriceList list = plain(biases.price);
      list.upfront = kind == 2;
      const Prices told(list);
      Settings settings = eg2();
      settings.prices = &told;
      settings.merit = Eg2{biases.w};
      Target target = class_target(sample.labels, 3, weights);
      PessimisticCut cut;
      cut.pruning.cf = std::min(0.999, biases.cf);
      const Tree tree = cut_back(grow(sample.table, target, settings, halves.grow), {sample.table, sample.labels, weights, halves.grow}, cut);
      CHECK_NEAR(icet.judge()->cost(string, key + 100), mean_bill(Predictor(tree), judged, halves.judge), 1e-12);
    }
  }
}

TEST_CASE("true prices can be a string of the first generation") {
  Random random(7);
  const EvolvedSample sample(random, 20, 2, false);
  const Prices prices = prices_of_kind(1);
  IcetSettings settings;
  settings.true_prices_first = true;
  const Icet icet({sample.table, sample.labels, 2, {}, {}, &prices}, eg2(), {}, settings);
  Bits string(icet.bits());
  icet.begin(string, 0, Draws(1));
  const Biases biases = icet.decode(string);
  CHECK_NEAR(biases.price[1], 5.0, 1.3);  // its own price and the resource, to the nearest of the codes 2.44 apart
  CHECK_NEAR(biases.w, 1.0, 1e-12);
  CHECK_NEAR(biases.cf, 0.25, 0.002);
}

TEST_CASE("one class in a half makes a tree of one leaf, and a single case is refused") {
  std::vector<double> column{1, 2, 3};
  const std::vector<Index> labels{0, 0, 1};
  Table table;
  table.rows = 3;
  table.columns = {{Storage::Float64, column.data(), 1, 0, nullptr, 0}};
  const Icet icet({table, labels, 2}, eg2(), {}, {});
  for (Key key = 0; key < 20; ++key) {
    const bool both_right = icet.halves(key).judge.front() < 2;
    CHECK(icet.judge()->cost(Bits(icet.bits()), key) == (both_right ? 0.0 : 1.0));
  }
  const std::vector<double> one{0, 1, 0};
  CHECK_THROWS_AS(InputError, Icet({table, labels, 2, one}, eg2(), {}, {}));
}
