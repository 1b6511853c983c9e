#include "ensembles/lazy_options.hpp"

#include <cmath>

#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

// A number that tells the two classes apart at 5, and a category that says nothing; a value of each is missing.
struct Sample {
  std::vector<double> number;
  std::vector<Index> category, labels;
  Table table;

  explicit Sample(std::size_t n) : number(n), category(n), labels(n) {
    for (std::size_t i = 0; i < n; ++i) {
      number[i] = static_cast<double>(i % 10);
      category[i] = static_cast<Index>(i / 10 % 3);
      labels[i] = number[i] >= 5.0;
    }
    number[0] = std::nan("");
    category[1] = missing_code;
    table.rows = n;
    table.columns = {{Storage::Float64, number.data(), 1, 0, nullptr, 0}, {Storage::Codes, category.data(), 1, 3, nullptr, 0}};
  }
};

LazyAnswers answers(const Sample& sample, const LazySettings& settings, int threads = 1) {
  const std::vector<std::uint32_t> bags(2 * sample.table.rows, 1);
  return answer_lazily(sample.table, sample.labels, 2, bags, sample.table, settings, threads);
}

}  // namespace

TEST_CASE("a case gets the answer of the rows on its own side") {
  const Sample sample(60);
  const LazyAnswers found = answers(sample, {});
  for (std::size_t i = 1; i < 60; ++i) {
    CHECK((found.shares[2 * i + 1] > 0.5) == (sample.labels[i] == 1));
    CHECK_NEAR(found.shares[2 * i] + found.shares[2 * i + 1], 1.0, 1e-12);
    CHECK(found.asked[2 * i] == 1);
  }
  // Row 0 has no number, so there is no test of it.
  CHECK(found.asked[0] == 0);
}

TEST_CASE("pure rows by Laplace: of 30 rows that agree all but one have the class") {
  Sample sample(60);
  LazySettings settings;
  settings.options = 1;
  settings.depth = 1;
  const LazyAnswers found = answers(sample, settings);
  // 29 rows below 5 have a number, all of class 0; any cut from the case's value up to 4.5 leaves them pure, the widest comes first.
  CHECK_NEAR(found.shares[2 * 4], 30.0 / 31.0, 1e-12);
  CHECK_NEAR(found.shares[2 * 9 + 1], 31.0 / 32.0, 1e-12);
}

TEST_CASE("threads, caps and depths change nothing but what they say") {
  Random random(5);
  Sample sample(80);
  for (Index& label : sample.labels) label = static_cast<Index>(below(random, 2));
  LazySettings settings;
  const LazyAnswers one = answers(sample, settings), many = answers(sample, settings, 3);
  CHECK(one.shares == many.shares);
  CHECK(one.asked == many.asked);
  settings.max_nodes = 1;
  const LazyAnswers root = answers(sample, settings);
  settings = {};
  settings.depth = 0;
  const LazyAnswers flat = answers(sample, settings);
  CHECK(root.shares == flat.shares);
  for (std::size_t i = 2; i < root.shares.size(); ++i) CHECK(root.shares[i] == root.shares[i % 2]);
}

TEST_CASE("answers can be interrupted") {
  const Sample sample(600);
  const Listener listener([] { return true; });
  CHECK_THROWS_AS(Interrupted, answers(sample, {}));
}

TEST_CASE("what does not fit together is refused") {
  const Sample sample(60);
  const std::vector<std::uint32_t> bags(60, 1), short_bags(59, 1), none;
  const std::vector<Index> few(59), wrong(60, 2);
  const auto run = [&](std::span<const Index> labels, std::span<const std::uint32_t> counts, LazySettings settings = {}) {
    return answer_lazily(sample.table, labels, 2, counts, sample.table, settings, 1);
  };
  CHECK_THROWS_AS(InputError, run(few, bags));
  CHECK_THROWS_AS(InputError, run(wrong, bags));
  CHECK_THROWS_AS(InputError, run(sample.labels, short_bags));
  CHECK_THROWS_AS(InputError, run(sample.labels, none));
  LazySettings settings;
  settings.cuts = 255;
  CHECK_THROWS_AS(InputError, run(sample.labels, bags, settings));
}
