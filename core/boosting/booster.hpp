// A finished booster: the scores of the classes are a start and the steps of one stage after another.
//
//   stage    a tree of two-way tests whose leaves hold a step for every class; a missing value has a branch of its own choosing
//   share    of a class: exp(score), over the sum of all
//   leader   the class with the largest share
//
// Stages are asked in their order. Before a case is asked a test it has not had, it is looked at how sure the answer is: once the
// leader's share is `stop` or more, nothing further is asked, and the stages finished so far answer. Where nothing is left to pay
// (upfront payment) all stages are asked.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "../accounting/ledger.hpp"
#include "../costs.hpp"
#include "../table.hpp"
#include "../tree/walk.hpp"

namespace thriftwood {

struct Booster {
  std::vector<double> start;  // per class
  std::vector<Tree> stages;   // regression trees with a value per class

  std::size_t classes() const { return start.size(); }
};

// Throws InputError unless every stage is a valid tree of the same columns that can be walked along one path.
void validate(const Booster& booster);

// Throws InputError unless the table has the columns of the stages.
void check_fits(const Booster& booster, const Table& table);

// The tests that the booster may ask, in the order of the columns.
std::vector<Index> tests_of(const Booster& booster);

struct Asking {
  double stop = infinity;          // the leader's share that is enough
  const Prices* prices = nullptr;  // of the booster itself: they say which tests are delayed, and whether all is paid upfront
};

double leader_share(std::span<const double> scores);

// The tests that one case has had.
class Had {
 public:
  explicit Had(std::size_t tests) : has_(tests, 0) {}

  bool has(Index test) const { return has_[static_cast<std::size_t>(test)] != 0; }
  void add(Index test) {
    if (has(test)) return;
    has_[static_cast<std::size_t>(test)] = 1;
    all_.push_back(test);
  }
  void clear() {
    for (const Index test : all_) has_[static_cast<std::size_t>(test)] = 0;
    all_.clear();
  }

 private:
  std::vector<std::uint8_t> has_;
  std::vector<Index> all_;
};

// Whether a case orders everything below a node with its test: that is delayed, and not known to be unavailable (accounting/ledger.hpp).
template <class RowView>
bool orders_all(const Prices& prices, const Tree& stage, const Node& node, const RowView& row) {
  if (!prices.delayed(node.feature)) return false;
  if (prices.charge_missing()) return true;
  const bool nominal = stage.feature_values[static_cast<std::size_t>(node.feature)] > 0;
  return nominal ? row.code(node.feature) != missing_code : !std::isnan(row.number(node.feature));
}

// Asks one case; returns the number of stages that answered and leaves the scores in `scores`. `had` is empty before. reads(stage, node) is
// called before every value is read.
template <class RowView, class Reads>
std::size_t ask(const Booster& booster, const RowView& row, const Asking& how, Had& had, std::span<double> scores, Reads&& reads) {
  const bool may_stop = how.stop <= 1.0 && !(how.prices != nullptr && how.prices->upfront());
  std::copy(booster.start.begin(), booster.start.end(), scores.begin());
  for (std::size_t s = 0; s < booster.stages.size(); ++s) {
    const Tree& stage = booster.stages[s];
    Index at = 0;
    while (!stage.node(at).leaf()) {
      const Node& node = stage.node(at);
      if (may_stop && !had.has(node.feature)) {
        if (leader_share(scores) >= how.stop) return s;
        if (how.prices != nullptr && orders_all(*how.prices, stage, node, row))
          for (const Index test : tests_below(stage, at)) had.add(test);
        had.add(node.feature);
      }
      reads(s, at);
      at = node.first_child + branch(stage, node, row);
    }
    const auto steps = stage.value(at);
    for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += steps[k];
  }
  return booster.stages.size();
}

// Scores (rows x classes) and, per row, how many stages answered.
void score(const Booster& booster, const Table& table, const Asking& how, int n_threads, std::span<double> scores, std::span<Index> stages);

// What every row buys at the prices `charged`, by the rules of accounting/ledger.hpp: each test and each resource once, in the order
// in which the stages ask. A delayed test brings the tests below it in its stage.
Ledger keep_ledger(const Booster& booster, const Asking& how, const Prices& charged, const Table& table, int n_threads);

}  // namespace thriftwood
