// The tree that costs the training cases least: what is searched, and what is found.
//
//   answer      what a leaf may say. Its cost for every case is given as a number, so error costs, weights, soft labels and costs by case
//               all come in by this one door; accuracy alone is 0 and 1
//   question    a test with its branches: a number against a cut, a category against the others, or a branch for every category. Several
//               questions may be about one column, which is bought once
//   outline     the tree found, in pre-order
//
// What a tree costs is what its cases pay for tests on their way, by the price list, and what the answers of its leaves cost them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../costs.hpp"
#include "../settings.hpp"
#include "../table.hpp"

namespace thriftwood {

struct OptimalInput {
  const Table& table;
  std::span<const double> weights;       // per row; empty: 1 each. Rows of weight 0 are left out
  std::span<const double> answer_costs;  // per row and answer, for a case of weight 1; any finite number
  Index answers = 0;
  const Prices* prices = nullptr;        // null: tests are free
};

struct OptimalSettings {
  int depth = 3;                                   // the most tests on a way
  NominalTests nominal = NominalTests::Multiway;   // or Value
  Missing missing = Missing::Branch;               // or Stay
  int bins = 0;                                    // numeric columns in at most so many bins; 0: every cut
  double budget = infinity;                        // no case pays more for tests
  double leaf_fee = 0.0;                           // what every leaf costs beside its answers
  // A leaf of weight W whose answers cost s_a costs W min_a (s_a + prior_weight * prior_cost_a) / (W + prior_weight).
  double prior_weight = 0.0;
  std::vector<double> prior_cost;                  // per answer, for a case of weight 1; empty where there is no prior weight
  std::size_t memory = std::size_t{1} << 30;       // bytes
};

// Numbers stand for values in their order: code < cut goes left. Of a category: code == cut goes left.
struct Question {
  static constexpr Index leaf = -1;

  Index column = leaf;  // of the search's columns
  std::uint32_t cut = 0;
};

struct OutlineNode {
  Index feature = -1;                  // -1: a leaf
  bool nominal = false;
  double threshold = 0.0;              // of a number: up to it goes to the first branch, above it to the second
  Index category = -1;                 // of a nominal feature: it goes to the first branch, others to the second; -1: every one has its own
  bool missing_branch = false;         // the last branch is that of missing values
  std::vector<Index> branches;         // their places in the outline; -1: no case takes it
};

}  // namespace thriftwood
