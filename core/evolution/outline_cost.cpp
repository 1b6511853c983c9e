#include "outline_cost.hpp"

#include <utility>

#include "../tree/answer.hpp"

namespace thriftwood {

namespace {

double sum(std::span<const double> weights) {
  double total = 0.0;
  for (double weight : weights) total += weight;
  return total;
}

bool has_unanswered(const Judged& judged, const std::vector<Question>& questions, const std::vector<Row>& rows) {
  Index looked_at = -1;  // who has no answer to one question about a feature has none to the others
  for (const Question& question : questions) {
    if (std::exchange(looked_at, question.feature) == question.feature) continue;
    for (Row row : rows)
      if (question.outcome(judged.table, row) < 0) return true;
  }
  return false;
}

// The node after this one on a walk through what is not cut.
std::size_t next(const Outline& outline, std::size_t node) {
  return outline.nodes[node].question < 0 ? static_cast<std::size_t>(outline.nodes[node].end) : node + 1;
}

}  // namespace

OutlineCost::OutlineCost(const Ground& ground) : ground_(ground), slot_of_(ground.judged.table.rows, -1) {
  std::vector<Row> rows = ground.judged.weighed_rows();
  for (Row row : rows) weight_ += ground.judged.weight(row);
  const Prices* prices = ground.judged.prices;
  if (prices == nullptr) return;
  if (!prices->bought_alike() && has_unanswered(ground.judged, ground.questions, rows))
    rows_ = std::move(rows);
  else
    basket_.emplace(*prices);
}

double OutlineCost::of(const Outline& outline) {
  if (!rows_.empty()) return billed(outline);
  return (tests(outline) + mistakes(outline)) / weight_;
}

double OutlineCost::billed(const Outline& outline) const {
  Outline own = outline;
  return mean_bill(Predictor(to_tree(own, ground_)), ground_.judged, rows_);
}

double OutlineCost::tests(const Outline& outline) {
  if (!basket_) return 0.0;
  basket_->undo(0);
  const Prices& prices = *ground_.judged.prices;
  if (prices.upfront()) {
    order(outline, 0);
    return basket_->total() * weight_;
  }
  bought_.resize(outline.nodes.size());
  double cost = 0.0;
  for (std::size_t i = 0; i < outline.nodes.size(); i = next(outline, i)) {
    const Outline::Node& node = outline.nodes[i];
    basket_->undo(node.parent < 0 ? 0 : bought_[static_cast<std::size_t>(node.parent)]);
    if (node.question < 0) {
      cost += sum(outline.weights_of(i)) * basket_->total();
      continue;
    }
    const Index test = ground_.questions[static_cast<std::size_t>(node.question)].feature;
    if (!basket_->has(test)) {
      if (prices.delayed(test))
        order(outline, i);
      else
        basket_->buy(test);
    }
    bought_[i] = basket_->size();
  }
  return cost;
}

void OutlineCost::order(const Outline& outline, std::size_t node) {
  const auto end = static_cast<std::size_t>(outline.nodes[node].end);
  for (std::size_t i = node; i < end; i = next(outline, i))
    if (outline.nodes[i].question >= 0) basket_->buy(ground_.questions[static_cast<std::size_t>(outline.nodes[i].question)].feature);
}

double OutlineCost::mistakes(const Outline& outline) {
  const std::span<const double> loss = ground_.judged.loss;
  labels_.resize(outline.nodes.size());
  double cost = 0.0;
  for (std::size_t i = 0; i < outline.nodes.size(); i = next(outline, i)) {
    if (outline.nodes[i].question >= 0) continue;
    const auto weights = outline.weights_of(i);
    labels_[i] = cheapest_answer(weights, loss);
    cost += expected_loss(weights, loss, labels_[i]);
  }
  return outline.parts.empty() ? cost : cost + parted(outline);
}

double OutlineCost::parted(const Outline& outline) {
  const Judged& judged = ground_.judged;
  const std::size_t classes = outline.classes;
  leaf_of_.resize(outline.nodes.size());
  for (std::size_t i = 0; i < outline.nodes.size(); i = next(outline, i)) {
    if (outline.nodes[i].question >= 0) continue;
    for (auto j = static_cast<Index>(i); j < outline.nodes[i].end; ++j) leaf_of_[static_cast<std::size_t>(j)] = static_cast<Index>(i);
  }
  spread_rows_.clear();
  shares_.clear();
  double cost = 0.0;
  for (const Outline::Part& part : outline.parts) {
    const auto leaf = static_cast<std::size_t>(leaf_of_[static_cast<std::size_t>(part.node)]);
    cost -= part.share * judged.loss_of(judged.labels[part.row], labels_[leaf]);
    Index& slot = slot_of_[part.row];
    if (slot < 0) {
      slot = static_cast<Index>(spread_rows_.size());
      spread_rows_.push_back(part.row);
      shares_.resize(shares_.size() + classes, 0.0);
    }
    const auto weights = outline.weights_of(leaf);
    const double scale = part.share / (judged.weight(part.row) * sum(weights));
    for (std::size_t c = 0; c < classes; ++c) shares_[static_cast<std::size_t>(slot) * classes + c] += scale * weights[c];
  }
  for (std::size_t slot = 0; slot < spread_rows_.size(); ++slot) {
    const Row row = spread_rows_[slot];
    const Index answer = cheapest_answer(std::span(shares_).subspan(slot * classes, classes), judged.loss);
    cost += judged.weight(row) * judged.loss_of(judged.labels[row], answer);
    slot_of_[row] = -1;
  }
  return cost;
}

double OutlineCost::prune(Outline& outline) {
  double least = of(outline);
  outline.sum_up();  // `of` reads what ends at leaves, and any node may become one
  for (std::size_t i = outline.nodes.size(); i-- > 0;) {
    if (outline.nodes[i].question < 0) continue;
    const Index question = std::exchange(outline.nodes[i].question, -1);
    const double cost = of(outline);
    if (clearly_greater(cost, least))
      outline.nodes[i].question = question;
    else
      least = cost;
  }
  return least;
}

}  // namespace thriftwood
