#include <limits>
#include <random>

#include "check.hpp"
#include "small_trees.hpp"
#include "tree/leaf_finder.hpp"
#include "tree/predict.hpp"
#include "tree/walk.hpp"

using namespace thriftwood;

namespace {

constexpr std::size_t n_rows = 5003;  // not a multiple of the lanes
constexpr Index n_codes = 4;

// Columns of both kinds, with gaps: 0 and 1 codes, 2 float64, 3 float32.
struct Mixed {
  std::vector<Index> codes;
  std::vector<double> numbers;
  std::vector<float> singles;
  Table table;

  Mixed(std::mt19937& random, double missing) : codes(2 * n_rows), numbers(n_rows), singles(n_rows) {
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (Index& code : codes)
      code = share(random) < missing ? missing_code - static_cast<Index>(random() % 2) : static_cast<Index>(random() % n_codes);
    for (double& number : numbers) number = share(random) < missing ? std::numeric_limits<double>::quiet_NaN() : share(random);
    for (float& number : singles) number = share(random) < missing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(share(random));
    table.rows = n_rows;
    for (std::size_t f = 0; f < 2; ++f) {
      Column column;
      column.storage = Storage::Codes;
      column.data = codes.data() + f * n_rows;
      column.values = n_codes;
      table.columns.push_back(column);
    }
    table.columns.emplace_back().data = numbers.data();
    Column single;
    single.storage = Storage::Float32;
    single.data = singles.data();
    table.columns.push_back(single);
  }
};

// A full tree over the first `features` columns; some codes have no branch.
Tree full_tree(int depth, unsigned features, std::mt19937& random) {
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::vector<Node> nodes;
  std::vector<Index> branch_map;
  const Index inner = (1 << depth) - 1;
  for (Index i = 0; i < 2 * inner + 1; ++i) {
    const auto feature = static_cast<Index>(random() % features);
    if (i >= inner) {
      nodes.push_back(leaf(static_cast<Index>(random() % 2), 1.0));
    } else if (feature >= 2) {
      nodes.push_back(threshold_test(feature, share(random), 2 * i + 1, 1.0));
    } else {
      nodes.push_back(nominal_test(feature, static_cast<Index>(branch_map.size()), 2 * i + 1, 2, 1.0));
      for (Index code = 0; code < n_codes; ++code) branch_map.push_back(static_cast<Index>(random() % 10 == 0 ? -1 : random() % 2));
    }
  }
  Tree tree = classes_tree(nodes, {n_codes, n_codes, 0, 0});
  tree.branch_map = branch_map;
  return tree;
}

void check_leaves(unsigned features, double missing) {
  std::mt19937 random(features);
  const Mixed mixed(random, missing);
  for (int depth = 0; depth < 7; ++depth) {
    const Tree tree = full_tree(depth, features, random);
    const LeafFinder finder(tree, mixed.table, n_rows);
    std::vector<Index> reached(n_rows);
    finder.find(0, n_rows, reached.data());
    std::vector<Row> listed;
    for (std::size_t r = 0; r < n_rows; r += 3) listed.push_back(static_cast<Row>(r));
    std::vector<Index> again(listed.size());
    finder.find(listed, again.data());
    std::size_t walked = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      if (r % 3 == 0) CHECK(again[r / 3] == reached[r]);
      if (reached[r] == unwalked) continue;
      ++walked;
      std::vector<Ending> endings;
      walk(tree, TableRow{mixed.table, static_cast<Row>(r)}, [&](Index node, double share) { endings.push_back({node, share}); });
      CHECK(endings.size() == 1);
      CHECK(endings.front().node == reached[r]);
    }
    if (missing == 0.0 && features > 2 && depth == 0) CHECK(walked == n_rows);
    CHECK(walked > n_rows / 4);
  }
}

}  // namespace

TEST_CASE("codes and numbers are walked side by side to the leaves of the general walk") {
  for (const double missing : {0.0, 0.05}) {
    check_leaves(2, missing);  // codes alone
    check_leaves(4, missing);
  }
}

TEST_CASE("sparse columns and few rows take the general walk") {
  std::mt19937 random(1);
  Mixed mixed(random, 0.0);
  const Tree tree = full_tree(6, 4, random);
  std::vector<Index> reached(n_rows, 7);
  LeafFinder(tree, mixed.table, 1).find(0, 1, reached.data());
  CHECK(reached[0] == unwalked);
  mixed.table.columns[2].storage = Storage::SparseFloat64;
  mixed.table.columns[2].stored = 0;
  LeafFinder(tree, mixed.table, n_rows).find(0, n_rows, reached.data());
  CHECK(reached[1] == unwalked);
}
