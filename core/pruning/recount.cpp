#include "recount.hpp"

#include <cmath>
#include <string>

#include "../basics/loss.hpp"
#include "shares.hpp"

namespace thriftwood {

namespace {

void check(const Tree& tree, const Cases& cases, std::span<const double> answer_costs, std::span<const double> loss) {
  require_classes(tree, "Counting cases");
  check_cases(tree, cases);
  const auto width = static_cast<std::size_t>(tree.width);
  if (loss.empty()) throw InputError("Counting cases needs a loss matrix, and it is empty.");
  check_loss(loss, width);
  const std::size_t answers = answers_of(loss, width);
  if (answer_costs.size() != cases.table.rows * answers)
    throw InputError("There are " + std::to_string(answer_costs.size()) + " answer costs; " + std::to_string(cases.table.rows) + " rows and " +
                     std::to_string(answers) + " answers need " + std::to_string(cases.table.rows * answers) + ".");
  for (std::span<const double> costs : {answer_costs, loss})
    for (double cost : costs)
      if (!std::isfinite(cost)) throw InputError("Costs must be finite; one is " + std::to_string(cost) + ".");
}

// A tree that was grown on votes may have one class more than the cases, the last: votes for no answer.
void leave_out_abstentions(Tree& tree, const Cases& cases, std::span<const double> answer_costs, std::span<const double> loss) {
  if (tree.width < 2) return;
  const auto width = static_cast<std::size_t>(tree.width) - 1;
  if (loss.size() != width * width || answer_costs.size() != cases.table.rows * width) return;
  tree.width -= 1;
  tree.values.assign(tree.nodes.size() * width, 0.0);
  tree.smoothing.clear();
  tree.loss.clear();
}

Index cheapest(std::span<const double> costs) {
  std::size_t best = 0;
  for (std::size_t answer = 1; answer < costs.size(); ++answer)
    if (clearly_greater(costs[best], costs[answer])) best = answer;
  return static_cast<Index>(best);
}

// Gives a node the answer that costs its cases least; `total` is their weight. A node without any answers as its parent does, which comes
// before it.
void answer(Tree& tree, Index i, double total, std::span<const double> costs, std::span<const double> loss, std::vector<double>& smoothed) {
  const std::size_t answers = costs.size();
  Node& node = tree.node(i);
  const double scale = total > 0.0 ? node.weight / total : 0.0;
  node.gain *= scale;
  node.impurity *= scale;
  node.weight = total;
  node.risk = 0.0;
  if (total > 0.0) {
    smoothed.assign(costs.begin(), costs.end());
    for (std::size_t c = 0; c < tree.smoothing.size(); ++c)
      for (std::size_t a = 0; a < answers; ++a) smoothed[a] += tree.smoothing[c] * loss[c * answers + a];
    node.label = cheapest(smoothed);
    node.risk = costs[static_cast<std::size_t>(node.label)];
  } else if (static_cast<std::size_t>(node.label) >= answers) {
    node.label = 0;  // it was an answer that there is no more
  }
  for (Index b = 0; b < node.n_children; ++b) tree.node(node.first_child + b).label = node.label;
}

}  // namespace

void recount(Tree& tree, const Cases& cases, std::span<const double> answer_costs, std::span<const double> loss, const Smoothing& smoothing) {
  leave_out_abstentions(tree, cases, answer_costs, loss);
  check(tree, cases, answer_costs, loss);
  const auto width = static_cast<std::size_t>(tree.width);
  SharesOfNodes shares(tree, cases);
  std::vector<Index> order;
  shares.distribute(0, order);
  const std::size_t answers = answers_of(loss, width);
  std::vector<double> costs(answers), smoothed(answers);
  for (Index i : order) {
    const std::span<double> weights = tree.value(i);
    std::fill(weights.begin(), weights.end(), 0.0);
    std::fill(costs.begin(), costs.end(), 0.0);
    double total = 0.0;
    for (const Share& share : shares.at(i)) {
      weights[static_cast<std::size_t>(share.label)] += share.weight;
      total += share.weight;
      for (std::size_t answer = 0; answer < answers; ++answer) costs[answer] += share.weight * answer_costs[share.row * answers + answer];
    }
    if (i == 0) tree.smoothing = smoothing.added(weights);
    answer(tree, i, total, costs, loss, smoothed);
  }
  tree.loss.assign(loss.begin(), loss.end());
  if (cases.weights.empty()) {
    tree.cases = 0;
    return;
  }
  std::size_t counted = 0;
  double weight = 0.0;
  each_row(cases, [&](Row row) {
    counted += cases.weight(row) > 0.0;
    weight += cases.weight(row);
  });
  tree.cases = weighted_cases(counted, weight);
}

void recount_ended(Tree& tree, std::span<const double> ended, std::span<const double> loss, const Smoothing& smoothing) {
  require_classes(tree, "Counting cases");
  const auto width = static_cast<std::size_t>(tree.width);
  if (loss.empty()) throw InputError("Counting cases needs a loss matrix, and it is empty.");
  check_loss(loss, width);
  if (ended.size() != tree.nodes.size() * width) throw InputError("There must be a number for every class at every node of the tree.");
  for (double weight : ended)
    if (!(weight >= 0.0) || !std::isfinite(weight)) throw InputError("What cases weigh must be finite and not negative.");
  tree.values.assign(ended.begin(), ended.end());
  for (Index i = tree.size(); i-- > 0;) {  // children come after their parents
    const Node& node = tree.node(i);
    for (Index b = 0; b < node.n_children; ++b)
      for (std::size_t c = 0; c < width; ++c) tree.value(i)[c] += tree.value(node.first_child + b)[c];
  }
  tree.smoothing = smoothing.added(tree.value(0));
  const std::size_t answers = answers_of(loss, width);
  std::vector<double> costs(answers), smoothed;
  for (Index i = 0; i < tree.size(); ++i) {
    std::fill(costs.begin(), costs.end(), 0.0);
    double total = 0.0;
    for (std::size_t c = 0; c < width; ++c) {
      total += tree.value(i)[c];
      for (std::size_t a = 0; a < answers; ++a) costs[a] += tree.value(i)[c] * loss[c * answers + a];
    }
    answer(tree, i, total, costs, loss, smoothed);
  }
  tree.loss.assign(loss.begin(), loss.end());
}

}  // namespace thriftwood
