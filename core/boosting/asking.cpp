#include "asking.hpp"

#include <memory>
#include <string>

#include "../basics/thread_pool.hpp"
#include "stage_walk.hpp"

namespace thriftwood {

void require_prices(const Prices* prices, const Table& table) {
  if (prices == nullptr || prices->tests() == table.features()) return;
  throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(table.features()) + " features.");
}

void score(const Booster& booster, const Table& table, const Asking& how, int n_threads, const Scores& scores) {
  check_fits(booster, table);
  require_prices(how.prices, table);
  const PreparedStages stages(booster, table);
  const std::size_t blocks = (table.rows + StageWalk::block_rows - 1) / StageWalk::block_rows;
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  std::vector<std::unique_ptr<StageWalk>> walks(static_cast<std::size_t>(pool.size()));
  pool.run(blocks, [&](std::size_t block, int worker) {
    std::unique_ptr<StageWalk>& own = walks[static_cast<std::size_t>(worker)];
    if (!own) own = std::make_unique<StageWalk>(stages, how, false);
    own->walk(block * StageWalk::block_rows, std::min((block + 1) * StageWalk::block_rows, table.rows), scores);
  });
}

}  // namespace thriftwood
