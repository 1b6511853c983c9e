#include "mdl.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases.hpp"

namespace thriftwood {

namespace {

// std::lgamma writes the sign to a global, which is a race between threads.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double total(std::span<const double> weights) {
  double sum = 0.0;
  for (double w : weights) sum += w;
  return sum;
}

// W log(W / W_c) summed: the classes told one by one, by their shares.
double told_by_own_shares(std::span<const double> weights, double sum) {
  double bits = 0.0;
  for (double w : weights)
    if (w > 0.0) bits += w * std::log2(sum / w);
  return bits;
}

// What it takes to send the shares themselves.
double bits_of_shares(double sum, std::size_t classes) {
  const double k = static_cast<double>(classes);
  return (k - 1) / 2 * std::log2(sum / 2) + k / 2 * std::log2(std::numbers::pi) - log_gamma(k / 2) / std::numbers::ln2;
}

double log2_choose(double n, double e) { return (log_gamma(n + 1) - log_gamma(e + 1) - log_gamma(n - e + 1)) / std::numbers::ln2; }

// Is the nominal node a multiway test: exactly one value for each branch, but for a branch of missing values?
bool one_value_per_branch(const Tree& tree, const Node& node) {
  std::vector<bool> taken(at(node.n_children), false);
  Index values = 0;
  for (Index code = 0; code < tree.feature_values[at(node.feature)]; ++code) {
    const Index branch = tree.branch_map[at(node.map_offset + code)];
    if (branch < 0) continue;
    if (taken[at(branch)]) return false;
    taken[at(branch)] = true;
    ++values;
  }
  const bool own_branch = node.missing_route >= 0 && !taken[at(node.missing_route)];
  return values + (own_branch ? 1 : 0) == node.n_children;
}

// Bits of everything in a tree that does not depend on what is pruned.
class Lengths {
 public:
  Lengths(const Tree& tree, MdlCode code, TestBits test_bits)
      : tree_(tree), code_(code), test_bits_(test_bits), usable_(tree.nodes.size()), used_(tree.feature_values.size(), 0) {
    usable_[0] = static_cast<double>(tree.feature_values.size());
    for (Index i = 0; i < tree.size(); ++i) {
      const Node& node = tree.node(i);
      if (node.leaf()) continue;
      ++used_[at(node.feature)];
      // A multiway nominal test leaves nothing to ask of its feature further down.
      const bool spent = node.kind == NodeKind::Nominal && one_value_per_branch(tree, node);
      for (Index b = 0; b < node.n_children; ++b) usable_[at(node.first_child + b)] = usable_[at(i)] - (spent ? 1.0 : 0.0);
    }
  }

  // A leaf's data and, for Quinlan and Rivest, its class.
  double answer(Index i) const {
    if (code_ == MdlCode::Mehta) return stochastic_complexity(tree_.value(i));
    const double n = total(tree_.value(i));
    return std::log2(static_cast<double>(tree_.width)) + exception_bits(n, n - tree_.value(i)[at(tree_.node(i).label)], tree_.width);
  }

  // Which feature is tested, and how.
  double test(Index i) const {
    const Node& node = tree_.node(i);
    const double features = code_ == MdlCode::Mehta ? static_cast<double>(tree_.feature_values.size()) : std::max(1.0, usable_[at(i)]);
    return std::log2(features) + (test_bits_ == TestBits::Sliq ? sliq_bits(node) : choice_bits(node));
  }

 private:
  double sliq_bits(const Node& node) const {
    return node.kind == NodeKind::Threshold ? 1.0 : std::log2(static_cast<double>(used_[at(node.feature)]));
  }

  double choice_bits(const Node& node) const {
    if (node.kind == NodeKind::Threshold) return std::log2(std::max(1.0, node.weight - 1.0));
    if (one_value_per_branch(tree_, node)) return 0.0;
    double values = 0.0;
    for (Index code = 0; code < tree_.feature_values[at(node.feature)]; ++code)
      if (tree_.branch_map[at(node.map_offset + code)] >= 0) ++values;
    const double branches = node.n_children;
    if (values < 2 || branches < 2) return 0.0;
    return values * std::log2(branches) + std::log2(1.0 - std::pow(branches, 1.0 - values));  // log(b^V - b)
  }

  const Tree& tree_;
  MdlCode code_;
  TestBits test_bits_;
  std::vector<double> usable_;  // features that can still be asked at a node
  std::vector<Index> used_;     // tests of each feature in the tree
};

Tree prune_full(const Tree& tree, const MdlSettings& settings) {
  const Lengths lengths(tree, settings.code, settings.test_bits);
  Tree fresh = tree;
  std::vector<double> bits(tree.nodes.size());
  for (Index i = tree.size() - 1; i >= 0; --i) {
    Node& node = fresh.node(i);
    const double leaf = 1.0 + lengths.answer(i);
    bits[at(i)] = leaf;
    if (node.leaf()) continue;
    double split = 1.0 + lengths.test(i);
    for (Index b = 0; b < node.n_children; ++b) split += bits[at(node.first_child + b)];
    if (!clearly_greater(leaf, split))
      make_leaf(node);
    else
      bits[at(i)] = split;
  }
  return compact(fresh);
}

class PartialPruner {
 public:
  PartialPruner(const Tree& tree, const MdlSettings& settings)
      : tree_(tree), fresh_(tree), lengths_(tree, settings.code, settings.test_bits), bits_(tree.nodes.size()) {}

  Tree run() {
    for (Index i = tree_.size() - 1; i >= 0; --i) settle(i);
    return compact(fresh_);
  }

 private:
  void settle(Index i) {
    const Node& node = tree_.node(i);
    const double leaf = 2.0 + lengths_.answer(i);
    bits_[at(i)] = leaf;
    if (node.leaf()) return;
    const double branches = node.n_children;
    const double test = std::log2(4.0 / 3.0) + branches + std::log2(1.0 - std::exp2(-branches)) + lengths_.test(i);
    double kept = test, thinned = test + std::max(0.0, bits_of_shares(node_weight(i), at(tree_.width)));
    for (Index b = 0; b < node.n_children; ++b) {
      const Index child = node.first_child + b;
      kept += bits_[at(child)];
      thinned += std::min(bits_[at(child)], told_by_parent(i, child));
    }
    const bool thin = !clearly_greater(thinned, kept);
    const double split = thin ? thinned : kept;
    if (!clearly_greater(leaf, split)) {
      make_leaf(fresh_.node(i));
      return;
    }
    bits_[at(i)] = split;
    if (!thin) return;
    for (Index b = 0; b < node.n_children; ++b)
      if (told_by_parent(i, node.first_child + b) <= bits_[at(node.first_child + b)]) drop(i, node.first_child + b);
  }

  double node_weight(Index i) const { return total(tree_.value(i)); }

  // The classes of a child's cases, told by the parent's class shares.
  double told_by_parent(Index i, Index child) const {
    const std::span<const double> shares = tree_.value(i), cases = tree_.value(child);
    const double sum = node_weight(i);
    double bits = 0.0;
    for (std::size_t c = 0; c < cases.size(); ++c)
      if (cases[c] > 0.0) bits += cases[c] * std::log2(sum / std::max(shares[c], cases[c]));
    return bits;
  }

  // The branch stays as a leaf that answers what its parent would.
  void drop(Index i, Index child) {
    Node& leaf = fresh_.node(child);
    make_leaf(leaf);
    leaf.label = tree_.node(i).label;
    leaf.risk = leaf.weight - tree_.value(child)[at(leaf.label)];
    const double sum = node_weight(i);
    const double share = sum > 0.0 ? node_weight(child) / sum : 0.0;
    for (std::size_t c = 0; c < at(tree_.width); ++c) fresh_.value(child)[c] = tree_.value(i)[c] * share;
  }

  const Tree& tree_;
  Tree fresh_;
  Lengths lengths_;
  std::vector<double> bits_;
};

}  // namespace

double stochastic_complexity(std::span<const double> class_weights) {
  const double sum = total(class_weights);
  if (sum <= 0.0) return 0.0;
  return std::max(0.0, told_by_own_shares(class_weights, sum) + bits_of_shares(sum, class_weights.size()));
}

double exception_bits(double n, double e, Index classes) {
  if (n <= 0.0) return 0.0;
  const double k = classes;
  const double bound = std::floor(n * (k - 1) / k);
  return std::log2(bound + 1) + log2_choose(n, e) + (k > 2 ? e * std::log2(k - 1) : 0.0);
}

double description_length(const Tree& tree, MdlCode code, TestBits test_bits) {
  require_class_answers(tree, "A description length of classes");
  const Lengths lengths(tree, code, test_bits);
  double bits = 0.0;
  for (Index i = 0; i < tree.size(); ++i) bits += 1.0 + (tree.node(i).leaf() ? lengths.answer(i) : lengths.test(i));
  return bits;
}

Tree prune_mdl(const Tree& tree, const MdlSettings& settings) {
  require_class_answers(tree, "Pruning by description length");
  if (settings.code == MdlCode::QuinlanRivest && settings.encoding != MdlEncoding::Full)
    throw InputError("Quinlan and Rivest's code knows the full encoding only; partial and hybrid belong to Mehta's.");
  if (settings.encoding == MdlEncoding::Full) return prune_full(tree, settings);
  if (settings.encoding == MdlEncoding::Partial) return PartialPruner(tree, settings).run();
  const Tree first = prune_full(tree, settings);
  return PartialPruner(first, settings).run();
}

}  // namespace thriftwood
