#include "boost.hpp"

#include <algorithm>
#include <string>

#include "../tree/walk.hpp"
#include "stage.hpp"

namespace thriftwood {

namespace {

void require_size(std::size_t got, std::size_t wanted, const char* what) {
  if (got == wanted) return;
  throw InputError(std::string(what) + " has " + std::to_string(got) + " entries, wanted " + std::to_string(wanted) + ".");
}

void check(const BoostInput& input) {
  const std::size_t rows = input.table.rows;
  require_size(input.labels.size(), rows, "labels");
  if (!input.weights.empty()) require_size(input.weights.size(), rows, "weights");
  if (!input.held_out.empty()) require_size(input.held_out.size(), rows, "held_out");
  if (input.prices != nullptr) require_size(static_cast<std::size_t>(input.prices->tests()), input.table.columns.size(), "The price list");
  for (const Index label : input.labels)
    if (label < 0 || static_cast<std::size_t>(label) >= input.classes) throw InputError("There is no class " + std::to_string(label) + ".");
}

class Boosting {
 public:
  Boosting(const BoostInput& input, const BoostSettings& settings)
      : input_(input),
        settings_(settings),
        pool_(settings.threads),
        coded_(input.table, pool_, settings.bins),
        prices_(input.prices, input.table),
        classes_(input.classes),
        width_(2 * input.classes + 1),
        terms_(input.table.rows * width_),
        sure_(input.table.rows, 0) {
    for (std::size_t row = 0; row < input.table.rows; ++row) {
      if (weight(row) <= 0.0) continue;
      (held_out(row) ? held_out_rows_ : training_rows_).push_back(static_cast<Row>(row));
    }
    start();
  }

  Boosted run() {
    try {
      add_stages();
    } catch (const Interrupted&) {
      if (result_.booster.stages.empty()) throw;
      result_.interrupted = true;
    }
    if (settings_.patience > 0 && !held_out_rows_.empty()) result_.booster.stages.resize(best_);
    return std::move(result_);
  }

 private:
  bool held_out(std::size_t row) const { return !input_.held_out.empty() && input_.held_out[row] != 0; }
  double weight(std::size_t row) const { return input_.weights.empty() ? 1.0 : input_.weights[row]; }

  void add_stages() {
    bool grown = true;  // since the scores were last looked at; a round without a stage says nothing about the ones to come
    for (int round = 0;; ++round) {
      if (grown) differentiate();
      if ((grown && !still_improves()) || round == settings_.rounds) break;
      grown = add_stage(round);
      if (!grown && !settings_.draws() && settings_.cheap_first == 1.0) break;  // every further round would be the same
    }
  }

  // Scores that give every class its share of the training weight.
  void start() {
    constexpr double least = 1e-9;  // of a class that only held-out cases have
    std::vector<double>& scores = result_.booster.start;
    scores.assign(classes_, 0.0);
    for (const Row row : training_rows_) {
      scores[static_cast<std::size_t>(input_.labels[row])] += weight(row);
      all_weight_ += weight(row);
    }
    for (double& score : scores) score = std::log(std::max(score / all_weight_, least));
    for (std::size_t row = 0; row < input_.table.rows; ++row) scores_.insert(scores_.end(), scores.begin(), scores.end());
  }

  void differentiate() {
    std::vector<double> share(classes_);
    for (std::size_t row = 0; row < input_.table.rows; ++row) {
      const double* scores = scores_.data() + row * classes_;
      const double top = *std::max_element(scores, scores + classes_);
      double sum = 0.0;
      for (std::size_t k = 0; k < classes_; ++k) sum += share[k] = std::exp(scores[k] - top);
      sure_[row] = 1.0 / sum >= settings_.stop && !prices_.upfront() ? 1 : 0;
      double* term = terms_.data() + row * width_;
      term[0] = weight(row);
      for (std::size_t k = 0; k < classes_; ++k) {
        const double p = share[k] / sum;
        term[1 + k] = weight(row) * (p - (static_cast<Index>(k) == input_.labels[row] ? 1.0 : 0.0));
        term[1 + classes_ + k] = weight(row) * p * (1.0 - p);
      }
    }
  }

  double held_out_loss() const {
    constexpr double least = 1e-300;
    double loss = 0.0, all = 0.0;
    for (const Row row : held_out_rows_) {
      const double gradient = terms_[row * width_ + 1 + static_cast<std::size_t>(input_.labels[row])];
      loss -= weight(row) * std::log(std::max(1.0 + gradient / weight(row), least));
      all += weight(row);
    }
    return loss / all;
  }

  // Whether the loss of the held-out cases was least not long ago.
  bool still_improves() {
    if (held_out_rows_.empty()) return true;
    const double loss = held_out_loss();
    result_.held_out_loss.push_back(loss);
    ++since_;
    if (loss < least_) {
      least_ = loss;
      best_ = result_.booster.stages.size();
      since_ = 0;
    }
    return settings_.patience == 0 || since_ < settings_.patience;
  }

  // Whether there was a cut worth its price.
  bool add_stage(int round) {
    const Key key = key_below(settings_.seed, static_cast<std::uint64_t>(round));
    std::vector<Row> rows = training_rows_;
    if (settings_.row_share < 1.0) std::erase_if(rows, [&](Row row) { return unit_draw(key_below(key, row)) >= settings_.row_share; });
    const std::vector<Index> features = drawn_features(key_below(key, input_.table.rows));
    const StageInput input{coded_, classes_, terms_, features, sure_, all_weight_, settings_.cost_weight_in(round)};
    Tree stage = grow_stage(input, rows, prices_, settings_, pool_);
    if (stage.size() == 1) return false;
    poll(input_.table.rows);
    for (std::size_t row = 0; row < input_.table.rows; ++row) follow(stage, static_cast<Row>(row));
    result_.booster.stages.push_back(std::move(stage));
    return true;
  }

  std::vector<Index> drawn_features(Key key) const {
    std::vector<Index> features;
    for (Index f = 0; f < input_.table.features(); ++f)
      if (settings_.feature_share >= 1.0 || unit_draw(key_below(key, static_cast<std::uint64_t>(f))) < settings_.feature_share) features.push_back(f);
    return features;
  }

  // A case that was not drawn is asked all the same, and pays.
  void follow(const Tree& stage, Row row) {
    const TableRow view{input_.table, row};
    Index at = 0;
    while (!stage.node(at).leaf()) {
      const Node& node = stage.node(at);
      if (sure_[row] == 0) prices_.buy(row, node.feature);
      at = node.first_child + branch(stage, node, view);
    }
    const auto steps = stage.value(at);
    for (std::size_t k = 0; k < classes_; ++k) scores_[row * classes_ + k] += steps[k];
  }

  const BoostInput& input_;
  const BoostSettings& settings_;
  ThreadPool pool_;
  CodedTable coded_;
  CasePrices prices_;
  std::size_t classes_, width_;
  double all_weight_ = 0.0;
  std::vector<Row> training_rows_, held_out_rows_;
  std::vector<double> terms_, scores_;
  std::vector<std::uint8_t> sure_;
  double least_ = infinity;  // loss of the held-out cases ...
  std::size_t best_ = 0;     // ... the stages there were then ...
  int since_ = 0;            // ... and those since
  Boosted result_;
};

}  // namespace

Boosted boost(const BoostInput& input, const BoostSettings& settings) {
  check(input);
  return Boosting(input, settings).run();
}

}  // namespace thriftwood
