// One stage of a booster: a tree grown on the gradients of the loss, whose leaves hold a step for the score of every class.
//
// It grows best first: the leaf is cut next whose best cut gains most beyond cost_weight times what its cases pay for the test. That price
// is each case's own: a case that an earlier stage, or a node above, has asked the same test pays nothing, and one that has had another
// test of the same shared step pays the rest. Cases that are sure already pay nothing.
//
// A stage is one tree for all classes, with a step for each at its leaves: K trees per round would ask K times as much. It is a regression
// tree of several values (Tree::width), which Booster alone reads; every value has a branch, so a case has one path.
//
// Prices count `cheap_first` times as much in the first stage and less from stage to stage, so a case meets cheap tests first; that and
// stopping belong together. Cases that are sure still teach, but pay nothing: leaving them out of later stages was tried and is worse.
#pragma once

#include "../basics/thread_pool.hpp"
#include "../tree/tree.hpp"
#include "case_prices.hpp"
#include "cutting.hpp"
#include "settings.hpp"

namespace thriftwood {

struct StageInput {
  const CodedTable& coded;
  std::size_t classes;
  std::span<const double> terms;    // per row: weight, gradients, curvatures
  std::span<const Index> features;  // to choose among
  std::span<const std::uint8_t> sure;  // per row: whether its answer is so sure that nothing more will be asked of it
  double all_weight;                // of all training cases: with upfront payment all of them pay
  double cost_weight;
};

// Grown on `rows`, which are reordered; they buy what they are asked. A single leaf where no cut is worth its price.
Tree grow_stage(const StageInput& input, std::vector<Row>& rows, CasePrices& prices, const BoostSettings& settings, ThreadPool& pool);

}  // namespace thriftwood
