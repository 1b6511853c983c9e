#include "streams/hoeffding.hpp"

#include <random>

#include "check.hpp"

using namespace thriftwood;

namespace {

// Two numbers and a category; the class is whether the first number is above 0.5, wrong in one case of twenty.
struct Cases {
  std::vector<double> numbers, others;
  std::vector<Index> codes, labels;
  Table table;

  Cases(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(0.0, 1.0);
    for (std::size_t i = 0; i < rows; ++i) {
      numbers.push_back(number(random));
      others.push_back(number(random));
      codes.push_back(static_cast<Index>(random() % 3));
      labels.push_back((numbers.back() > 0.5) != (number(random) < 0.05) ? 1 : 0);
    }
    table.rows = rows;
    table.columns.resize(3);
    table.columns[0].data = numbers.data();
    table.columns[1].data = others.data();
    table.columns[2].storage = Storage::Codes;
    table.columns[2].data = codes.data();
    table.columns[2].values = 3;
  }
};

Settings by_entropy() {
  Settings growth;
  growth.impurity = ImpurityName::Entropy;
  growth.min_branch_weight = 5.0;
  return growth;
}

HoeffdingTree learnt(const Cases& cases, const HoeffdingSettings& settings) {
  HoeffdingTree tree(cases.table, 2, by_entropy(), nullptr, settings);
  tree.learn(cases.table, cases.labels);
  return tree;
}

}  // namespace

TEST_CASE("a Hoeffding tree finds the test, row by row as in batches") {
  const Cases cases(20000, 1);
  const HoeffdingTree whole = learnt(cases, {});
  const Tree tree = whole.tree();
  CHECK(tree.node(0).feature == 0);
  CHECK_NEAR(tree.node(0).threshold, 0.5, 0.03);
  HoeffdingTree single(cases.table, 2, by_entropy(), nullptr, {});
  for (std::size_t i = 0; i < cases.table.rows; ++i)
    single.learn_row(std::vector{cases.numbers[i], cases.others[i], static_cast<double>(cases.codes[i])}, cases.labels[i]);
  CHECK(single.state() == whole.state());
}

TEST_CASE("what is stored and restored goes on as it would have, whatever answers at the leaves") {
  const Cases first(8000, 2), second(8000, 3);
  for (const LeafAnswer leaves : {LeafAnswer::Counts, LeafAnswer::Bayes, LeafAnswer::Adaptive})
    for (const bool revise : {false, true}) {
      HoeffdingSettings settings;
      settings.leaves = leaves;
      settings.revise = revise;
      settings.drift = revise ? 0.0 : 0.01;
      HoeffdingTree tree = learnt(first, settings);
      HoeffdingTree again(second.table, 2, by_entropy(), nullptr, settings);
      again.restore(tree.state());
      tree.learn(second.table, second.labels);
      again.learn(second.table, second.labels);
      CHECK(again.state() == tree.state());
      CHECK(again.leaves() == tree.leaves());
    }
}

TEST_CASE("a state that was cut off or changed is refused") {
  const Cases cases(3000, 4);
  HoeffdingSettings settings;
  settings.leaves = LeafAnswer::Adaptive;
  HoeffdingTree tree = learnt(cases, settings);
  const std::vector<double> state = tree.state();
  for (std::size_t size = 0; size < state.size(); size += 97) CHECK_THROWS_AS(InputError, tree.restore(std::span(state).first(size)));
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {  // refused, or taken and still usable
    std::vector<double> other = state;
    other[random() % other.size()] = static_cast<double>(random() % 1000) - 500.0;
    try {
      tree.restore(other);
    } catch (const InputError&) {
    }
    tree.learn(cases.table, cases.labels);
    CHECK(tree.tree().size() >= 1);
    tree.restore(state);
  }
}

TEST_CASE("the densities of leaves stand where the finished tree has these leaves") {
  const Cases cases(40000, 6);
  HoeffdingSettings settings;
  settings.leaves = LeafAnswer::Bayes;
  settings.tau = 0.2;  // many tests
  const HoeffdingTree tree = learnt(cases, settings);
  const Tree finished = tree.tree();
  const LeafDensities found = tree.leaf_densities();
  CHECK(found.group.size() == static_cast<std::size_t>(finished.size()));
  CHECK(finished.size() > 3);
  for (Index node = 0; node < finished.size(); ++node) {
    const Index group = found.group[static_cast<std::size_t>(node)];
    CHECK((group >= 0) == finished.node(node).leaf());
    if (group < 0) continue;
    const auto& own = found.bayes.groups()[static_cast<std::size_t>(group)].classes;
    CHECK(std::equal(own.begin(), own.end(), finished.value(node).begin()));
  }
}

TEST_CASE("more classes leave what was learnt, and can be learnt") {
  const Cases cases(4000, 7);
  HoeffdingSettings settings;
  settings.leaves = LeafAnswer::Adaptive;
  HoeffdingTree tree = learnt(cases, settings);
  tree.widen(3, std::vector<Index>{0, 2}, {});
  tree.learn_row(std::vector{0.9, 0.1, 0.0}, 1);
  CHECK(tree.classes() == 3);
  CHECK(tree.tree().width == 3);
  CHECK_THROWS_AS(InputError, tree.widen(2, std::vector<Index>{0, 1, 1}, {}));
  CHECK_THROWS_AS(InputError, tree.learn_row(std::vector{0.9, 0.1, 0.0}, 3));
  CHECK_THROWS_AS(InputError, tree.learn_row(std::vector{0.9}, 0));
}

TEST_CASE("there are never more leaves than allowed") {
  const Cases cases(30000, 8);
  HoeffdingSettings settings;
  settings.max_leaves = 3;
  settings.tau = 0.5;
  CHECK(learnt(cases, settings).leaves() <= 3);
}
