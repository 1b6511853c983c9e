#include "splitting/numeric.hpp"

#include "check.hpp"
#include "numbers.hpp"
#include "splitting/absolute.hpp"

using namespace thriftwood;

namespace {

const std::vector<double> degrees{85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71};
const std::vector<double> percent{85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80};
const std::vector<Index> play{1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};

Cut golf_cut(const std::vector<double>& numbers) {
  const Target target = class_target(play, 2, {});
  ClassTally tally(target, nullptr);
  const double known[] = {9.0, 5.0};
  tally.start(known);
  CutRules rules;
  rules.known = 14.0;
  rules.min_side = 2.0;
  return best_cut(std::span<const Entry>(plain_order(numbers)), tally, Entropy{}, rules);
}

double distances(std::vector<std::pair<double, double>> pairs) { return median(pairs).distance; }

}  // namespace

TEST_CASE("cuts of temperature and humidity that leave two days on each side") {
  CHECK(golf_cut(degrees).tried == 9);
  const Cut humidity = golf_cut(percent);
  CHECK(humidity.tried == 6);
  CHECK(humidity.position == 9);  // nine days up to 82.5
  CHECK_NEAR(0.940286 - humidity.cost / 14.0, 0.102244, 1e-6);
  CHECK_NEAR(std::log2(9.0) / 14.0, 0.226423, 5e-7);
  CHECK_NEAR(std::log2(6.0) / 14.0, 0.184640, 5e-7);
}

TEST_CASE("the cut between two numbers lies at or above the lower and below the upper") {
  constexpr double huge = 1.7976931348623157e308, tiny = 5e-324;
  const double values[] = {-infinity, -huge, -1.0, -tiny, 0.0, tiny, 2 * tiny, 1.0, std::nextafter(1.0, 2.0), huge, infinity};
  for (double low : values)
    for (double high : values) {
      if (!(low < high)) continue;
      const double cut = midpoint(low, high);
      CHECK(low <= cut);
      CHECK(cut < high);
    }
  CHECK(midpoint(1.0, 2.0) == 1.5);
}

TEST_CASE("counting two classes finds the cut that weighing them finds") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + below(random, 40);
    std::vector<double> numbers(n);
    std::vector<Index> labels(n);
    double known[] = {0.0, 0.0};
    for (std::size_t i = 0; i < n; ++i) {
      numbers[i] = static_cast<double>(below(random, 12));
      labels[i] = static_cast<Index>(below(random, 2));
      known[labels[i]] += 1.0;
    }
    const Target target = class_target(labels, 2, {});
    const std::vector<Entry> order = plain_order(numbers);
    CutRules rules;
    rules.known = static_cast<double>(n);
    rules.min_side = static_cast<double>(below(random, 4));
    rules.tolerance = 1e-12 * rules.known;
    CountTally counts(target);
    ClassTally weights(target, nullptr);
    counts.start(known);
    weights.start(known);
    const Cut a = best_cut(std::span<const Entry>(order), counts, Gini{}, rules);
    const Cut b = best_cut(std::span<const Entry>(order), weights, Gini{}, rules);
    CHECK(a.position == b.position);
    CHECK(a.tried == b.tried);
    CHECK(a.constant == b.constant);
    CHECK(a.position == 0 || std::abs(a.cost - b.cost) < 1e-9);
  }
}

TEST_CASE("the running median agrees with sorting at every cut") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 2 + below(random, 30);
    std::vector<double> numbers(n), columns(n), weights(n);
    for (std::size_t i = 0; i < n; ++i) {
      numbers[i] = round % 2 ? static_cast<double>(below(random, 6)) : unit(random) * 10.0;
      columns[i] = static_cast<double>(below(random, 10));
      weights[i] = 0.25 * static_cast<double>(1 + below(random, 8));
    }
    const bool weighted = round % 3 == 0;
    const Target target = number_target(numbers, weighted ? weights : std::vector<double>{});
    std::vector<double> ranked = target.numbers;
    std::sort(ranked.begin(), ranked.end());
    ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
    std::vector<std::uint32_t> rank(n);
    for (std::size_t i = 0; i < n; ++i)
      rank[i] = static_cast<std::uint32_t>(std::lower_bound(ranked.begin(), ranked.end(), target.numbers[i]) - ranked.begin());
    const std::vector<Entry> order = plain_order(columns);
    const double* w = weighted ? weights.data() : nullptr;

    double best = infinity;
    for (std::size_t cut = 1; cut < n; ++cut) {
      if (!(order[cut] & new_value)) continue;
      std::vector<std::pair<double, double>> sides[2];
      for (std::size_t i = 0; i < n; ++i) {
        const Row row = order[i] & row_mask;
        sides[i >= cut].emplace_back(numbers[row], weighted ? weights[row] : 1.0);
      }
      best = std::min(best, distances(sides[0]) + distances(sides[1]));
    }
    MedianTally tally(target, w, ranked, rank);
    tally.start(order);
    CutRules rules;
    for (std::size_t i = 0; i < n; ++i) rules.known += weighted ? weights[i] : 1.0;
    CHECK_NEAR(best_cut(std::span<const Entry>(order), tally, AbsoluteError{}, rules).cost, best, 1e-9);
  }
}

TEST_CASE("the median is the lower one") {
  std::vector<std::pair<double, double>> four{{4, 1}, {1, 1}, {3, 1}, {2, 1}};
  CHECK(median(four).at == 2.0);
  CHECK(median(four).distance == 4.0);
  std::vector<std::pair<double, double>> heavy{{1, 1}, {10, 3}}, none;
  CHECK(median(heavy).at == 10.0);
  CHECK(median(none).distance == 0.0);
  std::vector<std::pair<double, double>> halves{{1, 0.1}, {2, 0.7}, {3, 0.8}};  // 0.1 + 0.7 comes out a little below half of the sum
  CHECK(median(halves).at == 2.0);
}
