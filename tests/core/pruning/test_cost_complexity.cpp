#include <cmath>
#include <random>

#include "check.hpp"
#include "hand_made.hpp"
#include "pruning/cost_complexity.hpp"

using namespace thriftwood;
using namespace thriftwood::hand_made;

namespace {

// A node of weight 1 in a tree whose root has weight 1: only the risks matter here.
PlainNode risky(double risk, std::vector<PlainNode> branches = {}) {
  PlainNode plain = leaf({1.0, 0.0});
  plain.risk = risk;
  if (!branches.empty()) {
    plain.feature = 0;
    plain.branches = std::move(branches);
    if (plain.branches.size() != 2)
      for (std::size_t v = 0; v < plain.branches.size(); ++v) plain.map.push_back(static_cast<Index>(v));
  }
  return plain;
}

Tree example() {
  return tree_of(risky(0.40, {risky(0.15, {risky(0.05), risky(0.055)}), risky(0.20, {risky(0.02), risky(0.12, {risky(0.05), risky(0.03)})})}), {0});
}

double leaf_risk(const Tree& tree) {
  double sum = 0.0;
  for (const Node& node : tree.nodes)
    if (node.leaf()) sum += node.risk / tree.node(0).weight;
  return sum;
}

}  // namespace

TEST_CASE("the weakest links go at .04, .045 and .055") {
  const std::vector<CcpStep> path = ccp_path(example());
  CHECK(path.size() == 4);
  const CcpStep wanted[] = {{0.0, 5, 0.205}, {0.04, 4, 0.245}, {0.045, 3, 0.29}, {0.055, 1, 0.40}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_NEAR(path[i].alpha, wanted[i].alpha, 1e-12);
    CHECK(path[i].leaves == wanted[i].leaves);
    CHECK_NEAR(path[i].risk, wanted[i].risk, 1e-12);
    CHECK(prune_ccp(example(), wanted[i].alpha).leaves() == wanted[i].leaves);
  }
  CHECK(prune_ccp(example(), 0.0399).leaves() == 5);
  CHECK(prune_ccp(example(), infinity).size() == 1);
}

TEST_CASE("the betas lie between the alphas") {
  const std::vector<double> betas = ccp_betas(ccp_path(example()));
  CHECK(betas.size() == 4);
  CHECK(betas[0] == 0.0);
  CHECK_NEAR(betas[1], 0.042426, 5e-7);
  CHECK_NEAR(betas[2], 0.049749, 5e-7);
  CHECK(betas[3] == infinity);
}

TEST_CASE("branches that gain nothing are gone at alpha 0, and equal links go together") {
  const Tree idle = tree_of(risky(0.3, {risky(0.1), risky(0.1, {risky(0.04), risky(0.06)})}), {0});
  CHECK(ccp_path(idle).front().leaves == 2);
  CHECK(prune_ccp(idle, 0.0).leaves() == 2);
  const Tree twins = tree_of(risky(1.0, {risky(0.3, {risky(0.1), risky(0.1)}), risky(0.3, {risky(0.1), risky(0.1)})}), {0});
  const std::vector<CcpStep> path = ccp_path(twins);
  CHECK(path.size() == 3);
  CHECK(path[1].leaves == 2);
}

TEST_CASE("risks are shares of the root's weight, and impurity is a risk too") {
  const Tree tree = golf_tree();
  const std::vector<CcpStep> path = ccp_path(tree);
  CHECK_NEAR(path.back().risk, 5.0 / 14, 1e-12);
  // sunny and rain each save 2 errors for one leaf; then the root saves 1 for two leaves.
  CHECK_NEAR(path[0].risk, 0.0, 1e-12);
  Tree impure = tree;
  for (Index i = 0; i < impure.size(); ++i) {
    const auto v = impure.value(i);
    const double p = v[0] / impure.node(i).weight;
    impure.node(i).impurity = 2 * p * (1 - p);
  }
  CHECK_NEAR(ccp_path(impure, RiskMeasure::Impurity).back().risk, 0.459184, 5e-7);
}

TEST_CASE("one standard error allows 3 leaves instead of 4") {
  const std::vector<SizeEstimate> sizes{{5, 0.150, 0.025}, {4, 0.145, 0.025}, {3, 0.165, 0.026}, {2, 0.21, 0.029}};
  CHECK(sizes[choose_one_se(sizes)].leaves == 3);
  CHECK(sizes[choose_one_se(sizes, 0.0)].leaves == 4);
  CHECK(sizes[choose_one_se(sizes, 100.0)].leaves == 2);
  const std::vector<SizeEstimate> equal{{5, 0.1, 0.0}, {3, 0.1, 0.0}};
  CHECK(choose_one_se(equal) == 1);
  CHECK_THROWS_AS(InputError, choose_one_se({}));
}

TEST_CASE("the standard error of 0/1 losses is that of a share") {
  const std::vector<double> losses{1, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  CHECK_NEAR(standard_error(losses), std::sqrt(0.2 * 0.8 / 10), 1e-12);
}

TEST_CASE("a negative alpha is refused") {
  CHECK_THROWS_AS(InputError, prune_ccp(example(), -0.1));
  CHECK_THROWS_AS(InputError, prune_ccp(example(), std::nan("")));
}

TEST_CASE("a chain of 200,000 nodes takes no time and no stack") {
  Tree chain;
  chain.width = 1;
  chain.feature_values = {0};
  chain.nodes.resize(200001);
  chain.values.assign(200001, 1.0);
  for (Index i = 0; i + 2 < chain.size(); i += 2) {
    Node& node = chain.node(i);
    node.kind = NodeKind::Threshold;
    node.feature = 0;
    node.first_child = i + 1;
    node.n_children = 2;
    // the deeper child is the right one: node i + 2
    node.risk = 1.0 - static_cast<double>(i) / 200001.0;
    node.weight = 1.0;
  }
  validate(chain);
  const std::vector<CcpStep> path = ccp_path(chain);
  CHECK(path.back().leaves == 1);
  CHECK(prune_ccp(chain, path[path.size() / 2].alpha).leaves() == path[path.size() / 2].leaves);
}

// ---- every subtree of small random trees
// --------------------------------------------------------------------------------

namespace {

struct Option {
  Index leaves;
  double risk;
};

std::vector<Option> all_subtrees(const PlainNode& plain) {
  std::vector<Option> options{{1, plain.risk}};
  if (plain.branches.empty()) return options;
  std::vector<Option> sums{{0, 0.0}};
  for (const PlainNode& branch : plain.branches) {
    std::vector<Option> next;
    for (const Option& a : sums)
      for (const Option& b : all_subtrees(branch)) next.push_back({a.leaves + b.leaves, a.risk + b.risk});
    sums = std::move(next);
  }
  options.insert(options.end(), sums.begin(), sums.end());
  return options;
}

// Risks on a coarse grid, so that ties and useless branches are common.
PlainNode random_tree(std::mt19937& rng, double risk, int depth) {
  if (depth == 0 || rng() % 4 == 0) return risky(risk);
  std::vector<PlainNode> branches;
  const std::size_t count = 2 + rng() % 2;
  for (std::size_t b = 0; b < count; ++b) {
    const double part = std::floor(risk / static_cast<double>(count) * 64) / 64;
    branches.push_back(random_tree(rng, part * static_cast<double>(rng() % 5) / 4, depth - 1));
  }
  // Two branches make a threshold test, three a nominal one; both kinds may not share feature 0.
  PlainNode split = risky(risk, std::move(branches));
  split.feature = split.map.empty() ? 0 : 1;
  return split;
}

}  // namespace

TEST_CASE("no subtree beats the pruned tree, and none as good is smaller") {
  std::mt19937 rng(11);
  for (int round = 0; round < 200; ++round) {
    const PlainNode plain = random_tree(rng, 1.0, 3);
    const Tree tree = tree_of(plain, {0, 3});
    const std::vector<Option> options = all_subtrees(plain);
    std::vector<double> alphas{0.0, 0.01, 0.05, 0.1, 0.3, 1.0};
    const std::vector<CcpStep> path = ccp_path(tree);
    for (const CcpStep& step : path) alphas.push_back(step.alpha);
    for (double alpha : alphas) {
      const Tree pruned = prune_ccp(tree, alpha);
      validate(pruned);
      double best = infinity;
      for (const Option& o : options) best = std::min(best, o.risk + alpha * o.leaves);
      Index smallest = tree.leaves();
      for (const Option& o : options)
        if (o.risk + alpha * o.leaves <= best + 1e-10) smallest = std::min(smallest, o.leaves);
      CHECK_NEAR(leaf_risk(pruned) + alpha * pruned.leaves(), best, 1e-10);
      CHECK(pruned.leaves() == smallest);
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Tree pruned = prune_ccp(tree, path[i].alpha);
      CHECK(pruned.leaves() == path[i].leaves);
      CHECK_NEAR(leaf_risk(pruned), path[i].risk, 1e-12);
      if (i > 0) CHECK(path[i].alpha > path[i - 1].alpha);
    }
    CHECK(path.back().leaves == 1);
  }
}
