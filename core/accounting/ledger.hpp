// The ledger: which tests every case of a table buys, and what it pays for them. The rules are those of the till (till.hpp); who bills the
// rows of a tree, a panel or a booster hands each row's bill to `assemble`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../basics/thread_pool.hpp"
#include "till.hpp"

namespace thriftwood {

// Case r bought entries[starts[r]] .. entries[starts[r + 1] - 1] for test_cost[r].
struct Ledger {
  std::vector<double> test_cost;
  std::vector<std::int64_t> starts;
  std::vector<Bought> entries;
};

// What one row bought. Lasting entries stay where they are until the ledger is assembled; others until the next row is billed.
struct RowBill {
  double cost = 0.0;
  std::span<const Bought> entries;
  bool lasting = false;
};

inline RowBill bill_of(const Till& till) { return {till.cost(), till.entries(), false}; }

// Keeps entries at addresses that do not change.
class EntryStore {
 public:
  std::span<const Bought> keep(std::span<const Bought> entries);
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t page_entries = 4096;

  std::vector<std::unique_ptr<Bought[]>> pages_;
  Bought* next_ = nullptr;  // the first free place in the last page ...
  std::size_t free_ = 0;    // ... and how many there are
  std::size_t size_ = 0;
};

// Concatenates the entries of all rows; test_cost is there already.
void concatenate(Ledger& ledger, std::span<const std::span<const Bought>> rows);

// The ledger of `rows` rows, which are billed in blocks over threads (n_threads <= 0: one per core; the result is the same for any
// number). make() gives what bills them as a std::unique_ptr, one for each thread; it is asked for one even if there are no rows, so that
// it can refuse prices that do not fit. Its bill(begin, end, write) calls write(row, RowBill) for every row from begin to end - 1.
template <class Make>
Ledger assemble(std::size_t rows, std::size_t block_rows, int n_threads, const Make& make) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  struct Worker {
    decltype(make()) biller;
    EntryStore store;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.size()));
  workers.front().biller = make();
  Ledger ledger;
  ledger.test_cost.resize(rows);
  std::vector<std::span<const Bought>> bought(rows);
  pool.run(blocks, [&](std::size_t block, int worker) {
    Worker& own = workers[static_cast<std::size_t>(worker)];
    if (!own.biller) own.biller = make();
    own.biller->bill(block * block_rows, std::min((block + 1) * block_rows, rows), [&](std::size_t row, const RowBill& bill) {
      ledger.test_cost[row] = bill.cost;
      bought[row] = bill.lasting ? bill.entries : own.store.keep(bill.entries);
    });
  });
  concatenate(ledger, bought);
  return ledger;
}

}  // namespace thriftwood
