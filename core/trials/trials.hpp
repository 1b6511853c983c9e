// Trials: how well would a tree do, grown by these settings on these rows? The engine of cross-validations and of whole grids of
// settings, all in one call.
//
//   trial     grow one tree on some rows, cut it back, choose its answers, then judge it on other rows
//   outcome   the finished tree; what it answers to each row judged, and what the row's tests cost
//
// Trials are run in parallel, each by one thread, and a trial depends on nothing but itself: any number of threads gives the same
// outcomes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "../costs.hpp"
#include "../pruning/cut.hpp"
#include "../settings.hpp"
#include "../table.hpp"
#include "../tree/predict.hpp"
#include "../tree/relabel.hpp"

namespace thriftwood {

struct Trial {
  Settings settings;                // settings.prices guide growth
  CutRule cut;
  const Prices* bill = nullptr;     // what is charged, whether or not growth looked at it; null: nothing is
  std::span<const Row> grow_rows;   // ascending, each once
  std::span<const Row> judge_rows;  // any; may be none
  // Per class: how many times its weight a case counts while the tree grows, and while it is cut back; empty: once. Error costs reach
  // a tree this way (Ting's instance weights: both the same; altered priors: growth alone).
  std::span<const double> grow_weights = {}, cut_weights = {};
};

struct Outcome {
  Predictor tree;
  std::vector<Index> labels;          // per row judged
  std::vector<double> probabilities;  // per row judged, one number per class
  std::vector<double> test_cost;      // per row judged; empty without a bill
  double upfront_cost = 0.0;          // of all tests of the tree, bought once each in the order a reader meets them
};

// What all trials of a call share. Loss and smoothing are as in tree/relabel.hpp.
struct TrialTable {
  const Table& table;
  std::span<const Index> labels;
  Index classes = 0;
  std::span<const double> weights = {};
  std::span<const double> loss = {};
  Smoothing smoothing = {};
};

// One outcome per trial. `watch(done)` is called now and then on the calling thread with the number of trials done; once it says
// false, no further trial is begun, and those have no outcome; nor have those that are interrupted. n_threads <= 0: one per core.
std::vector<std::optional<Outcome>> run_trials(const TrialTable& shared, std::span<const Trial> trials, int n_threads,
                                               const std::function<bool(std::size_t)>& watch = nullptr);

}  // namespace thriftwood
