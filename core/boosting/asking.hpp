// Asking a booster, until it is sure: before a case is asked a test that it has not had, it is looked at how sure the answer is. Once the
// leader's share is `stop` or more, nothing further is asked, and the stages finished so far answer. Where nothing is left to pay (upfront
// payment) all stages are asked.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "../accounting/till.hpp"
#include "../tree/walk.hpp"
#include "booster.hpp"

namespace thriftwood {

struct Asking {
  double stop = infinity;          // the leader's share that is enough
  const Prices* prices = nullptr;  // of the booster itself: they say which tests are delayed, and whether all is paid upfront

  bool may_stop() const { return stop <= 1.0 && !(prices != nullptr && prices->upfront()); }
};

// Throws InputError unless there is a price for every column of the table; no prices are in order.
void require_prices(const Prices* prices, const Table& table);

inline constexpr Index sure = -1;

// Walks a case through a stage and returns its leaf, or `sure` if it was so before a test that it has not had. `had` knows which it has
// had: has(test); ask(row, node) when the case is asked for the test of a node. reads(node) is called before every value is read.
template <class RowView, class Had, class Reads>
Index ask_stage(const Tree& stage, const RowView& row, const Asking& how, Had&& had, std::span<const double> scores, Reads&& reads) {
  Index at = 0;
  while (!stage.node(at).leaf()) {
    const Node& node = stage.node(at);
    if (how.may_stop() && !had.has(node.feature)) {
      if (leader_share(scores) >= how.stop) return sure;
      had.ask(row, at);
    }
    reads(at);
    at = node.first_child + branch(stage, node, row);
  }
  return at;
}

// The tests that are had once a case is asked for the test of a node: those that the till says; without prices nothing is delayed.
template <class RowView>
std::span<const Index> had_by_asking(const Prices* prices, const RowView& row, TestsBelow& below, Index node) {
  const Index& test = below.tree().node(node).feature;
  return prices == nullptr ? std::span(&test, 1) : brought_along(*prices, row, below, node, test);
}

inline void add_steps(const Tree& stage, Index leaf, std::span<double> scores) {
  const auto steps = stage.value(leaf);
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += steps[k];
}

// Asks one case; returns the number of stages that answered and leaves the scores in `scores`.
template <class RowView>
std::size_t ask(const Booster& booster, const RowView& row, const Asking& how, std::span<double> scores) {
  struct Had {
    const Asking& how;
    std::vector<bool> tests;
    TestsBelow below;  // of the stage at hand

    bool has(Index test) const { return tests[static_cast<std::size_t>(test)]; }
    void ask(const RowView& view, Index node) {
      for (const Index test : had_by_asking(how.prices, view, below, node)) tests[static_cast<std::size_t>(test)] = true;
    }
  };
  std::copy(booster.start.begin(), booster.start.end(), scores.begin());
  if (booster.stages.empty()) return 0;
  Had had{how, std::vector<bool>(booster.stages.front().feature_values.size(), false), TestsBelow(booster.stages.front())};
  for (std::size_t s = 0; s < booster.stages.size(); ++s) {
    had.below = TestsBelow(booster.stages[s]);
    const Index leaf = ask_stage(booster.stages[s], row, how, had, scores, [](Index) {});
    if (leaf == sure) return s;
    add_steps(booster.stages[s], leaf, scores);
  }
  return booster.stages.size();
}

// Scores (rows x classes) of the rows of a table and, per row, how many stages answered.
struct Scores {
  std::span<double> of;
  std::span<Index> stages;
};

// n_threads <= 0: one per core; the result is the same for any number.
void score(const Booster& booster, const Table& table, const Asking& how, int n_threads, const Scores& scores);

}  // namespace thriftwood
