// Whoever has the shards: counts them and gathers from them, in one pass for many nodes.
#pragma once

#include <functional>

#include "../basics/thread_pool.hpp"
#include "routes.hpp"

namespace thriftwood {

class Counter {
 public:
  virtual ~Counter() = default;

  // The sum over all shards of what `count` (routes.hpp) adds.
  virtual std::vector<double> count(const Routes& routes) = 0;
  // The rows of every goal, in the order of the table.
  virtual std::vector<CodedRows> gather(const Routes& routes) = 0;
};

// Shards that this process can read: in memory, or files that are mapped into it.
class ShardCounter final : public Counter {
 public:
  // `told` hears how many rows of the pass at hand are done, on the calling thread.
  ShardCounter(const Coding& coding, std::vector<Shard> shards, ThreadPool& pool, std::function<void(std::size_t)> told = {})
      : coding_(coding), shards_(std::move(shards)), pool_(pool), told_(std::move(told)) {}

  std::vector<double> count(const Routes& routes) override;
  std::vector<CodedRows> gather(const Routes& routes) override;

 private:
  const Coding& coding_;
  std::vector<Shard> shards_;
  ThreadPool& pool_;
  std::function<void(std::size_t)> told_;
};

}  // namespace thriftwood
