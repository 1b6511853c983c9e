// What the leaves of a Hoeffding tree answer: by their counts, or by naive Bayes over what was paid on the way to them.
#include <cmath>

#include "../basics/loss.hpp"
#include "../criteria/leaf_cost.hpp"
#include "hoeffding.hpp"

namespace thriftwood {

// Sets what a leaf begins with, given its path.
void HoeffdingTree::begin_leaf(Node& leaf) const {
  leaf.counts.assign(static_cast<std::size_t>(classes_), 0.0);
  leaf.cells.assign(codes_in_all_ * static_cast<std::size_t>(classes_), 0);
  if (settings_.leaves == LeafAnswer::Counts) return;
  leaf.densities.assign(densities_.size(), 0.0);
  for (Index feature = 0; !prices_ && feature < features(); ++feature) leaf.known.push_back(feature);
  if (!prices_) return;
  Basket basket(*prices_);
  for (const Index bought : leaf.path)
    if (!basket.has(bought)) {
      basket.buy(bought);
      leaf.known.push_back(bought);
    }
  for (const Index feature : basket.free()) leaf.known.push_back(feature);
}

// Forgets what a leaf has counted but for its answer: the shares of the classes stay, as those of one case.
void HoeffdingTree::begin_again(Node& leaf) const {
  std::vector<double> shares = std::move(leaf.counts);
  double weight = 0.0;
  for (const double count : shares) weight += count;
  leaf.known.clear();
  begin_leaf(leaf);
  for (std::size_t k = 0; weight > 0.0 && k < shares.size(); ++k) leaf.counts[k] = shares[k] / weight;
  leaf.seen = leaf.asked = leaf.counts_cost = leaf.bayes_cost = 0.0;
}

double HoeffdingTree::cost_of_answer(const Node& node, Index label) const {
  return by_bayes(node) ? cost_by_bayes(node, label) : cost_by(node.counts, label);
}

// What the cheapest answer by weights of the classes costs a case.
double HoeffdingTree::cost_by(std::span<const double> weights, Index label) const {
  const std::size_t answers = answers_of(growth_.loss, static_cast<std::size_t>(classes_));
  std::size_t best = 0;
  double least = infinity, weight = 0.0;
  for (const double w : weights) weight += w;
  for (std::size_t answer = 0; answer < answers; ++answer)
    if (const double cost = answer_cost(weights, weight, growth_.loss, answers, answer); cost < least) {
      least = cost;
      best = answer;
    }
  if (growth_.loss.empty()) return best == static_cast<std::size_t>(label) ? 0.0 : 1.0;
  return growth_.loss[static_cast<std::size_t>(label) * answers + best];
}

double HoeffdingTree::cost_by_bayes(const Node& node, Index label) const {
  std::vector<double> shares(node.counts.size());
  class_logs(node.counts, shares);
  for (const Index feature : node.known) densities_.score(node.densities, feature, values_[static_cast<std::size_t>(feature)], shares);
  as_shares(shares);
  return cost_by(shares, label);
}

bool HoeffdingTree::by_bayes(const Node& node) const {
  return !node.densities.empty() && (settings_.leaves == LeafAnswer::Bayes || node.bayes_cost <= node.counts_cost);
}

LeafDensities HoeffdingTree::leaf_densities() const {
  struct Place {
    Index node, number;
  };
  std::vector<NaiveBayes::Group> groups;
  std::vector<Index> group{-1};
  std::vector<Place> open{{0, 0}};
  while (!open.empty()) {  // in the order of a finished tree (compact)
    const Place at = open.back();
    open.pop_back();
    const Node& node = nodes_[static_cast<std::size_t>(at.node)];
    if (node.feature < 0) {
      if (!by_bayes(node)) continue;
      group[static_cast<std::size_t>(at.number)] = static_cast<Index>(groups.size());
      groups.push_back({node.counts, node.densities});
      continue;
    }
    const auto first = static_cast<Index>(group.size());
    group.insert(group.end(), node.children.size(), -1);
    for (std::size_t b = node.children.size(); b-- > 0;) open.push_back({node.children[b], first + static_cast<Index>(b)});
  }
  return {NaiveBayes(densities_, std::move(groups)), std::move(group)};
}

}  // namespace thriftwood
