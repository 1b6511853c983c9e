// Tests chosen by the cheapest trees below them, here rather than in Python so that the sanitizers watch.
#include "check.hpp"
#include "growing/grow.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

// Two columns of numbers that tell the class together, two of noise, and a nominal one.
struct Cases {
  std::vector<std::vector<double>> numbers;
  std::vector<Index> codes, labels;
  Table table;

  Cases(Random& random, std::size_t n, double missing) : codes(n), labels(n) {
    table.rows = n;
    for (int f = 0; f < 4; ++f) {
      std::vector<double>& column = numbers.emplace_back(n);
      for (double& x : column) x = unit(random) < missing ? std::nan("") : (f % 2 ? unit(random) : static_cast<double>(below(random, 9)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = unit(random) < missing ? missing_code : static_cast<Index>(below(random, 3));
      labels[i] = (numbers[0][i] < 4.5) == (numbers[1][i] < 0.5);
    }
    for (const auto& column : numbers) table.columns.push_back({Storage::Float64, column.data(), 1, 0, nullptr, 0});
    table.columns.push_back({Storage::Codes, codes.data(), 1, 3, nullptr, 0});
  }

  Tree grown(const Settings& settings) const {
    Target target = class_target(labels, 2, {});
    return grow(table, target, settings);
  }
};

Settings searching(int lookahead, bool rollouts) {
  Settings settings;
  settings.impurity = ImpurityName::LeafCost;
  settings.merit = TotalCost{};
  settings.nominal = NominalTests::Value;
  settings.missing = Missing::Branch;
  settings.loss = {0, 10, 10, 0};
  settings.max_depth = 4;
  settings.lookahead = lookahead;
  settings.rollouts = rollouts;
  return settings;
}

bool same(const Tree& a, const Tree& b) {
  if (a.values != b.values || a.nodes.size() != b.nodes.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    if (a.nodes[i].feature != b.nodes[i].feature || a.nodes[i].threshold != b.nodes[i].threshold) return false;
  return true;
}

}  // namespace

TEST_CASE("two levels find columns that tell the class only together, at the exact cut") {
  Random random(7);
  const Cases cases(random, 500, 0.0);
  for (const bool rollouts : {false, true}) {
    const Tree tree = cases.grown(searching(2, rollouts));
    CHECK(tree.size() == 7);
    CHECK(tree.node(0).feature <= 1);
    double risk = 0.0;
    for (Index i = 0; i < tree.size(); ++i)
      if (tree.node(i).first_child < 0) risk += tree.node(i).risk;
    CHECK(risk == 0.0);
  }
}

TEST_CASE("searched trees are the same for any number of threads, whatever becomes of missing values") {
  Random random(8);
  const Cases cases(random, 300, 0.1);
  for (const Missing missing : {Missing::Branch, Missing::Stay, Missing::Fractional, Missing::Majority})
    for (const int bins : {0, 16})
      for (const bool rollouts : {false, true}) {
        Settings settings = searching(rollouts ? 3 : 2, rollouts);
        settings.missing = missing;
        settings.bins = bins;
        const Tree one = cases.grown(settings);
        settings.threads = 3;
        CHECK(same(one, cases.grown(settings)));
        CHECK(one.size() > 3);
      }
}
