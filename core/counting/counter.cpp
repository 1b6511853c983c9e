#include "counter.hpp"

#include <atomic>

namespace thriftwood {

std::vector<double> ShardCounter::count(const Routes& routes) {
  const std::size_t size = routes.goals * routes.cells(coding_);
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(pool_.size()));
  std::atomic<std::size_t> done{0};
  pool_.run(shards_.size(), [&](std::size_t i, int worker) {
    std::vector<double>& own = sums[static_cast<std::size_t>(worker)];
    own.resize(size, 0.0);
    thriftwood::count(shards_[i], coding_, routes, own);
    const std::size_t rows = done.fetch_add(shards_[i].rows) + shards_[i].rows;
    if (worker == 0 && told_) told_(rows);
  });
  std::vector<double> total(size, 0.0);
  for (const std::vector<double>& one : sums)
    for (std::size_t i = 0; i < one.size(); ++i) total[i] += one[i];
  return total;
}

std::vector<CodedRows> ShardCounter::gather(const Routes& routes) {
  std::vector<CodedRows> goals(routes.goals, CodedRows(coding_.columns.size()));
  std::size_t done = 0;
  for (const Shard& shard : shards_) {
    thriftwood::gather(shard, coding_, routes, goals);
    done += shard.rows;
    if (told_) told_(done);
  }
  return goals;
}

}  // namespace thriftwood
