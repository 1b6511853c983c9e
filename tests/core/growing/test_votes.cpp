// Rows that are votes of cases for several answers: a node where one answer is the best for every case is a leaf.
#include "check.hpp"
#include "ensembles/forest.hpp"
#include "growing/grow.hpp"

using namespace thriftwood;

namespace {

// Case i has the number i. Below 20 its best answer is 0, then 1; everybody votes for two answers, by amounts that differ.
struct Voters {
  std::vector<double> x;
  std::vector<Index> labels;
  std::vector<double> weights;
  std::vector<Row> case_of;
  Table table;

  explicit Voters(Row cases, Row missing_from) {
    for (Row i = 0; i < cases; ++i)
      for (Index answer : {0, 1}) {
        const bool best = answer == (i < 20 ? 0 : 1);
        x.push_back(i >= missing_from ? std::nan("") : static_cast<double>(i));
        labels.push_back(answer);
        weights.push_back((best ? 1.0 : 0.1 + 0.02 * (i % 7)) * (1.0 + i % 3));
        case_of.push_back(i);
      }
    table.rows = x.size();
    table.columns.push_back({Storage::Float64, x.data(), 1, 0, nullptr, 0});
  }
  Target target() const {
    Target target = class_target(labels, 3, weights);
    count_votes(target, case_of);
    return target;
  }
};

}  // namespace

TEST_CASE("growth ends where one answer is the best for every case") {
  const Voters voters(40, 40);
  for (ImpurityName impurity : {ImpurityName::Gini, ImpurityName::Entropy, ImpurityName::LeafCost}) {
    Settings settings;
    settings.impurity = impurity;
    settings.gain_floor = -1e-9;
    settings.min_split_weight = settings.min_branch_weight = 0.0;
    Target target = voters.target();
    const Tree tree = grow(voters.table, target, settings);
    CHECK(tree.leaves() == 2);
    CHECK(tree.node(0).threshold == 19.5);
    Target rows = class_target(voters.labels, 3, voters.weights);
    CHECK(grow(voters.table, rows, settings).leaves() > 2);  // as cases of their own they are mixed
  }
}

TEST_CASE("cases in fractions are settled by fractions of their votes") {
  const Voters voters(20, 15);  // answer 0 is the best for all, and five have no value
  Settings settings;
  settings.gain_floor = -1e-9;
  Target target = voters.target();
  CHECK(grow(voters.table, target, settings).leaves() == 1);
  const Voters both(40, 38);  // two of the second answer go down both branches, so the left one is not settled
  target = both.target();
  settings.max_depth = 1;
  const Tree tree = grow(both.table, target, settings);
  CHECK(tree.leaves() == 2);
  CHECK(tree.value(1)[1] > 0.0);
}

TEST_CASE("a bag counts votes as often as their cases") {
  const Voters voters(40, 40);
  Settings settings;
  settings.gain_floor = -1e-9;
  settings.min_split_weight = settings.min_branch_weight = 0.0;
  Target target = voters.target();
  for (const Tree& tree : grow_forest(voters.table, target, settings, {5, 40, true, 3, voters.case_of, 40})) CHECK(tree.leaves() == 2);
}

TEST_CASE("the leaf cost of votes is what the answers cost beyond the best of each case") {
  const Voters voters(40, 40);
  Settings settings;
  settings.impurity = ImpurityName::LeafCost;
  settings.min_split_weight = settings.min_branch_weight = 0.0;
  for (double share : {0.999, 1.0}) {  // one cut saves all that can be saved
    settings.min_relative_gain = share * (1.0 - 1e-9);
    Target target = voters.target();
    CHECK(grow(voters.table, target, settings).leaves() == 2);
  }
}

TEST_CASE("votes that do not fit are refused") {
  const Voters voters(3, 3);
  Target target = voters.target(), numbers = number_target(voters.weights, {});
  CHECK_THROWS_AS(InputError, count_votes(target, std::span(voters.case_of).first(2)));
  CHECK_THROWS_AS(InputError, count_votes(numbers, voters.case_of));
}
