// The ways into growing: one tree, many trees of the same settings on subsets of a table, or trees of any settings one by one.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "../basics/thread_pool.hpp"
#include "../counting/counted_rows.hpp"
#include "../settings.hpp"
#include "../splitting/columns.hpp"
#include "../splitting/target.hpp"
#include "../table.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

// Grows a tree on all rows (or, if given, on an ascending list of them).
Tree grow(const Table& table, Target& target, const Settings& settings, std::span<const Row> rows = {});

// Grows a tree on a coded table that somebody else has and counts.
Tree grow_counted(const Coding& coding, std::uint64_t cases, const Settings& settings, Counter& counter, const CountingLimits& limits,
                  ThreadPool& pool);

// One tree per list of rows. The columns are sorted once; trees are grown in parallel, each by one thread. If that is interrupted, the first
// ones, of as many lists as were done.
std::vector<Tree> grow_many(const Table& table, Target& target, const Settings& settings, const std::vector<std::vector<Row>>& rows);

// A table and a target made ready for many trees, of different settings if need be: columns are sorted once, and once more for every
// other number of bins. The table and the target must outlive it.
class PreparedLearner {
 public:
  PreparedLearner(const Table& table, Target& target, std::span<const Settings* const> all_settings, ThreadPool& pool);

  // A tree of one of those settings on some rows (ascending, each once; none given: all), grown by the calling thread alone. Threads
  // may call it at the same time. `class_weights`: how many times its weight a case of each class counts; empty: once.
  Tree grow(const Settings& settings, std::span<const Row> rows, std::span<const double> class_weights = {}) const;
  // The same where cases weigh something else: `weights` has one number for every row of the table, above 0 for the rows given. None: as
  // above.
  Tree grow_weighted(const Settings& settings, std::span<const Row> rows, std::vector<double> weights) const;

 private:
  const Table& table_;
  const Target& target_;
  bool zero_weights_;
  std::map<int, Columns> columns_;  // by number of bins
};

}  // namespace thriftwood
