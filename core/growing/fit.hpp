// What all nodes of one tree share while it grows: the table and what to predict, the settings, a workspace for every thread; and the rules
// of growth that look at nothing else.
#pragma once

#include <vector>

#include "../basics/thread_pool.hpp"
#include "../rows/engine.hpp"

namespace thriftwood {

// Cells (cases times features) a node needs before it is worth waking other threads (about 10 microseconds of work each).
inline constexpr std::size_t worth_sharing = 1u << 15;

struct Fit {
  Fit(const Table& table, const Target& target, const Settings& settings, const Engine& rows, ThreadPool& pool);

  // Whether a node of these cases may be split at all.
  bool may_split(const Summary& summary, int depth) const;
  // Weight times impurity. The leaf cost of votes: without what would be lost if every case got its own best answer, as in regrets.
  double avoidable_cost(const Summary& summary) const {
    return settings.impurity == ImpurityName::LeafCost ? summary.cost - summary.unavoidable : summary.cost;
  }
  // Whether a test gains what the settings ask for, whatever its merit. (Here because it is asked for every offer.)
  bool gains_enough(const Offer& offer, const Summary& summary) const {
    const double decrease = (offer.gain + offer.penalty) * summary.weight / whole_weight;
    if (settings.min_relative_gain > 0.0 && !((offer.gain + offer.penalty) * summary.weight >= settings.min_relative_gain * avoidable_cost(summary)))
      return false;
    return offer.gain > settings.gain_floor && decrease >= settings.min_decrease * (1.0 - tie_tolerance);
  }
  // The node as its features see it when they make their offers.
  NodeView view(const Part& part, const Summary& summary) const { return {target, settings, summary, rows.whole_weights(part), training_rows}; }
  bool paid_upfront() const { return settings.prices != nullptr && settings.prices->upfront(); }
  // Whether growth is to end early.
  bool stopped() const { return settings.stop != nullptr && settings.stop->reached(); }
  // The pool, if there are other threads in it and the work (in cells) is worth waking them; else null.
  static ThreadPool* worth_waking(ThreadPool* pool, std::size_t work) {
    return pool != nullptr && pool->size() > 1 && work >= worth_sharing ? pool : nullptr;
  }
  // One for each thread of the pool.
  std::vector<Workspace> make_workspaces() const;

  const Table& table;
  const Target& target;
  const Settings& settings;
  const Engine& rows;
  ThreadPool& pool;
  std::vector<Workspace> workspaces;  // by worker
  std::size_t training_rows = 0;
  double whole_weight = 0.0;          // of all cases the tree is grown on
  double price_unit = 1.0;            // see MeritRules

 private:
  // Whether one answer is right, or the best, for every case.
  bool pure(const Summary& summary) const;
};

}  // namespace thriftwood
