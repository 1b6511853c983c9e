#include <cmath>
#include <random>

#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/mdl.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

double complexity(std::vector<double> weights) { return stochastic_complexity(weights); }

Tree outlook() { return tree_of(multiway(0, {leaf({2, 3}), leaf({4, 0}), leaf({3, 2})}), {3, 3, 2, 2}); }

}  // namespace

TEST_CASE("stochastic complexity of the play table's leaves") {
  CHECK_NEAR(complexity({9, 5}), 16.219177, 5e-7);
  CHECK_NEAR(complexity({2, 3}), 7.167213, 5e-7);
  CHECK_NEAR(complexity({3, 2}), 7.167213, 5e-7);
  CHECK_NEAR(complexity({4, 0}), 2.151496, 5e-7);
  CHECK(complexity({0, 0}) == 0.0);
  CHECK(complexity({0.001, 0}) == 0.0);
}

TEST_CASE("Mehta: 22.485922 bits with Outlook, 17.219177 without, so it is pruned") {
  CHECK_NEAR(description_length(outlook()), 22.485922, 5e-7);
  const Tree pruned = prune_mdl(outlook());
  CHECK(pruned.size() == 1);
  CHECK_NEAR(description_length(pruned), 17.219177, 5e-7);
}

TEST_CASE("Quinlan and Rivest: 20.398744 bits with Outlook, 15.967226 without") {
  CHECK_NEAR(exception_bits(14, 5, 2), 13.967226, 5e-7);
  CHECK_NEAR(exception_bits(5, 2, 2), 4.906891, 5e-7);
  CHECK_NEAR(exception_bits(4, 0, 2), 1.584963, 5e-7);
  CHECK(exception_bits(0, 0, 2) == 0.0);
  CHECK_NEAR(description_length(outlook(), MdlCode::QuinlanRivest), 20.398744, 1e-6);
  const Tree pruned = prune_mdl(outlook(), {MdlCode::QuinlanRivest, MdlEncoding::Full, TestBits::Choices});
  CHECK(pruned.size() == 1);
  CHECK_NEAR(description_length(pruned, MdlCode::QuinlanRivest), 15.967226, 5e-7);
}

TEST_CASE("a split that separates many cases stays, in every encoding") {
  const Tree useful = tree_of(cut(0, 1.5, leaf({40, 1}), leaf({2, 50})), {0, 0});
  for (const MdlEncoding encoding : {MdlEncoding::Full, MdlEncoding::Partial, MdlEncoding::Hybrid})
    CHECK(prune_mdl(useful, {MdlCode::Mehta, encoding, TestBits::Choices}).size() == 3);
  CHECK(prune_mdl(useful, {MdlCode::QuinlanRivest, MdlEncoding::Full, TestBits::Choices}).size() == 3);
}

TEST_CASE("a nominal feature that was tested on the path is no longer among the choices of Quinlan and Rivest") {
  const Tree deep = tree_of(multiway(0, {multiway(1, {leaf({8, 0}), leaf({0, 8})}), leaf({0, 8})}), {2, 2, 2});
  // 5 nodes, 3 then 2 features, three leaves with their classes and log2(4 + 1) each.
  CHECK_NEAR(description_length(deep, MdlCode::QuinlanRivest), 5 + std::log2(3) + std::log2(2) + 3 + 3 * std::log2(5), 1e-9);
}

TEST_CASE("how a test is told: cuts, groups of values, and SLIQ's prices") {
  const double features = std::log2(2), leaves = complexity({9, 0}) + complexity({0, 8});
  const Tree numeric = tree_of(cut(0, 1, leaf({9, 0}), leaf({0, 8})), {0, 4});
  CHECK_NEAR(description_length(numeric), 3 + features + std::log2(16) + leaves, 1e-9);
  CHECK_NEAR(description_length(numeric, MdlCode::Mehta, TestBits::Sliq), 3 + features + 1 + leaves, 1e-9);
  const Tree subset = tree_of(nominal(1, {0, 1, 1, 0}, {leaf({9, 0}), leaf({0, 8})}), {0, 4});
  CHECK_NEAR(description_length(subset), 3 + features + std::log2(16 - 2) + leaves, 1e-9);
  CHECK_NEAR(description_length(subset, MdlCode::Mehta, TestBits::Sliq), 3 + features + leaves, 1e-9);
}

TEST_CASE("partial encoding drops rare branches, which then answer like their parent; full encoding keeps them") {
  // Two large branches and twenty of 3 cases: each rare one saves about 3 bits if told by the parent's
  // shares, which cost 6 once.
  std::vector<PlainNode> branches{leaf({600, 0}), leaf({0, 300})};
  for (int rare = 0; rare < 20; ++rare) branches.push_back(leaf({1, 2}));
  const Tree tree = tree_of(multiway(0, branches), {22});
  const Tree full = prune_mdl(tree);
  const Tree hybrid = prune_mdl(tree, {MdlCode::Mehta, MdlEncoding::Hybrid, TestBits::Choices});
  const Tree partial = prune_mdl(tree, {MdlCode::Mehta, MdlEncoding::Partial, TestBits::Choices});
  validate(partial);
  CHECK(full.size() == 23);
  CHECK(hybrid.size() == 23);
  CHECK(partial.size() == 23);
  CHECK(partial.node(1).label == 0);
  CHECK(partial.node(2).label == 1);
  CHECK(partial.value(2)[1] == 300.0);
  for (Index i = 3; i < 23; ++i) {
    CHECK(full.node(i).label == 1);
    CHECK(partial.node(i).label == 0);
    CHECK(hybrid.node(i).label == 0);
    CHECK(partial.node(i).weight == 3.0);
    CHECK(partial.node(i).risk == 2.0);
    CHECK_NEAR(partial.value(i)[0], 3 * 620.0 / 960, 1e-12);
  }
  // One rare branch alone does not pay for sending the parent's shares.
  const Tree one = tree_of(multiway(0, {leaf({600, 0}), leaf({0, 300}), leaf({1, 2})}), {3});
  CHECK(prune_mdl(one, {MdlCode::Mehta, MdlEncoding::Partial, TestBits::Choices}).node(3).label == 1);
}

TEST_CASE("full MDL pruning gives the shortest description of all subtrees") {
  std::mt19937 rng(5);
  const auto count = [&] { return static_cast<double>(rng() % 12); };
  for (int round = 0; round < 100; ++round) {
    const Tree tree = tree_of(
        cut(0, 1, cut(1, 1, leaf({count(), count()}), leaf({count(), count()})), cut(1, 2, leaf({count(), count()}), leaf({count(), count()}))),
        {0, 0});
    double shortest = infinity;
    for (int cuts = 0; cuts < 5; ++cuts) {
      Tree candidate = tree;
      if (cuts == 4) make_leaf(candidate.node(0));
      if (cuts & 1) make_leaf(candidate.node(1));
      if (cuts & 2) make_leaf(candidate.node(2));
      shortest = std::min(shortest, description_length(compact(candidate)));
    }
    CHECK_NEAR(description_length(prune_mdl(tree)), shortest, 1e-9);
  }
}

TEST_CASE("numbers and mixtures of codes are refused") {
  Tree numbers = tree_of(cut(0, 1, leaf({1}), leaf({2})), {0});
  numbers.regression = true;
  CHECK_THROWS_AS(InputError, prune_mdl(numbers));
  CHECK_THROWS_AS(InputError, prune_mdl(outlook(), {MdlCode::QuinlanRivest, MdlEncoding::Partial, TestBits::Choices}));
}
