#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "small_trees.hpp"
#include "tree/packed.hpp"
#include "tree/predict.hpp"
#include "tree/walk.hpp"

using namespace thriftwood;

namespace {

// A full tree of thresholds over `features` features.
Tree full_tree(int depth, Index features, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<Node> nodes;
  const Index inner = (1 << depth) - 1;
  for (Index i = 0; i < 2 * inner + 1; ++i) {
    const double weight = 1.0 + static_cast<double>(random() % 5);
    const Index feature = static_cast<Index>(random() % static_cast<unsigned>(features));
    nodes.push_back(i < inner ? threshold_test(feature, number(random), 2 * i + 1, weight) : leaf(static_cast<Index>(random() % 2), weight));
  }
  return classes_tree(nodes, std::vector<Index>(static_cast<std::size_t>(features), 0));
}

template <class Float>
Table row_table(const std::vector<Float>& cells, std::size_t features) {
  Table table;
  table.rows = cells.size() / features;
  for (std::size_t f = 0; f < features; ++f) {
    Column column;
    column.storage = sizeof(Float) == 4 ? Storage::Float32 : Storage::Float64;
    column.data = cells.data() + f;
    column.stride = static_cast<std::ptrdiff_t>(features);
    table.columns.push_back(column);
  }
  return table;
}

template <class Float>
std::vector<Float> random_cells(std::size_t count, double missing, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<Float> cells(count);
  for (Float& cell : cells)
    cell = number(random) < 2.0 * missing - 1.0 ? std::numeric_limits<Float>::quiet_NaN() : static_cast<Float>(number(random));
  return cells;
}

// The packed walk must end where the general walk ends.
template <class Float>
void compare(double missing) {
  std::mt19937 random(7);
  const std::size_t features = 5;
  const std::size_t rows = 5003;  // more than a block, not a multiple of the lanes
  const Tree tree = full_tree(6, 5, random);
  const auto cells = random_cells<Float>(rows * features, missing, random);
  const Table table = row_table(cells, features);
  const Predictor predictor(tree);
  std::vector<Index> one(rows), three(rows);
  predictor.apply(table, 1, one);
  predictor.apply(table, 3, three);
  CHECK(one == three);
  bool agree = true;
  for (Row row = 0; row < rows; ++row) {
    Index best = -1;
    double largest = 0.0;
    walk(tree, TableRow{table, row}, [&](Index node, double share) {
      if (share > largest || (share == largest && node < best)) {
        best = node;
        largest = share;
      }
    });
    agree = agree && one[row] == best;
  }
  CHECK(agree);
}

}  // namespace

TEST_CASE("rounding a threshold down keeps every comparison") {
  const double values[] = {0.1, -0.1, 1.0, 0.0, 1e300, -1e300, 1e-300, -1e-300, 3.4028234663852886e38, 1e39, -1e39, 16777217.0};
  for (const double threshold : values) {
    const float rounded = floor_to<float>(threshold);
    const auto most = std::numeric_limits<float>::infinity();
    for (const float x : {rounded, std::nextafter(rounded, most), std::nextafter(rounded, -most), 0.0f, most, -most})
      CHECK((x <= rounded) == (static_cast<double>(x) <= threshold));
    CHECK(floor_to<double>(threshold) == threshold);
  }
}

TEST_CASE("the packed walk ends where the general walk ends") {
  compare<float>(0.0);
  compare<double>(0.0);
  compare<float>(0.02);
  compare<double>(0.02);
}

TEST_CASE("a tree that is one leaf answers") {
  const Predictor predictor(classes_tree({leaf(1, 2)}, {0}));
  const std::vector<float> cells{1.0f, std::nanf("")};
  std::vector<Index> labels(2);
  predictor.labels(row_table(cells, 1), 1, labels);
  CHECK((labels == std::vector<Index>{1, 1}));
}

TEST_CASE("shares of classes are those of the nodes reached") {
  const Predictor predictor(two_thresholds());
  const double gone = std::nan("");
  const std::vector<double> cells{0, 0, 9, -9, gone, gone};
  const Table table = row_table(cells, 2);
  std::vector<double> shares(6);
  predictor.class_shares(table, 1, shares);
  CHECK((std::vector<double>(shares.begin(), shares.begin() + 4) == std::vector<double>{1, 0, 0, 1}));
  CHECK_NEAR(shares[4], 0.5, 1e-15);  // 3/8 + 1/8
  CHECK_NEAR(shares[5], 0.5, 1e-15);
  std::vector<Index> nodes(3);
  predictor.apply(table, 1, nodes);
  CHECK((nodes == std::vector<Index>{1, 3, 3}));  // 3/8 to node 1, 4/8 to node 3, 1/8 to node 4
}

TEST_CASE("equal shares end in the lower node") {
  Tree tree = two_thresholds();
  tree.node(2) = leaf(0, 3);
  const Predictor predictor(compact(tree));
  const std::vector<double> cells{std::nan(""), 0};
  std::vector<Index> nodes(1);
  predictor.apply(row_table(cells, 2), 1, nodes);
  CHECK(nodes[0] == 1);
}

TEST_CASE("a node without weight gives all to its label") {
  const Predictor predictor(classes_tree({leaf(1, 0)}, {0}));
  const std::vector<double> cells{0.0};
  std::vector<double> shares(2);
  predictor.class_shares(row_table(cells, 1), 1, shares);
  CHECK((shares == std::vector<double>{0, 1}));
}

TEST_CASE("numbers are means weighted by share") {
  Tree tree = two_thresholds();
  tree.regression = true;
  tree.width = 1;
  tree.values = {0, 10, 0, 20, 30};
  validate(tree);
  const Predictor predictor(tree);
  const double gone = std::nan("");
  const std::vector<double> cells{1, 0, gone, 0};
  std::vector<double> numbers(2);
  predictor.numbers(row_table(cells, 2), 1, numbers);
  CHECK(numbers[0] == 10.0);
  CHECK_NEAR(numbers[1], 10 * 3.0 / 8 + 30 * 5.0 / 8, 1e-12);
  CHECK(predictor.number_of(ArrayRow<double>{cells.data(), 1}) == 10.0);
  std::vector<Index> labels(2);
  CHECK_THROWS_AS(InputError, predictor.labels(row_table(cells, 2), 1, labels));
}

TEST_CASE("paths hold every node visited, in order") {
  const Predictor predictor(two_thresholds());
  const double gone = std::nan("");
  const std::vector<double> cells{9, 9, 0, 0, gone, 0};
  const Paths paths = predictor.paths(row_table(cells, 2), 2);
  CHECK((paths.starts == std::vector<std::int64_t>{0, 3, 5, 9}));
  CHECK((paths.nodes == std::vector<Index>{0, 2, 4, 0, 1, 0, 1, 2, 4}));
}

TEST_CASE("one row may carry codes as numbers") {
  const Predictor predictor(colours());
  auto label = [&](std::vector<float> row) { return predictor.label_of(ArrayRow<float>{row.data(), 1}); };
  CHECK(label({0, 0}) == 0);
  CHECK(label({1, 0}) == 1);
  CHECK(label({1e30f, 0}) == 1);          // unseen: spread 1/4, 3/4
  CHECK(label({std::nanf(""), 0}) == 1);  // missing: the same
  CHECK_THROWS_AS(InputError, label({0.5f, 0}));
}

TEST_CASE("a table of other features is refused") {
  const std::vector<double> cells{0, 0, 0};
  std::vector<Index> out(3);
  CHECK_THROWS_AS(InputError, Predictor(two_thresholds()).apply(row_table(cells, 1), 1, out));
  CHECK_THROWS_AS(InputError, Predictor(two_thresholds()).apply(row_table(cells, 3), 1, out));
  CHECK_THROWS_AS(InputError, Predictor(colours()).apply(row_table(std::vector<double>{0, 0}, 2), 1, out));
}
