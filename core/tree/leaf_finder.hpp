// Finds the leaves of many rows at once, where tree and table allow it: packed.hpp where all tests are thresholds without surrogates, and
// all columns are dense numbers of one width; mixed_walk.hpp for other dense columns. Prediction, the ledger and boosters all ask it, so they cannot disagree about a leaf.
#pragma once

#include <optional>
#include <span>

#include "../table.hpp"
#include "mixed_walk.hpp"
#include "packed.hpp"

namespace thriftwood {

class LeafFinder {
 public:
  // Packs the tree if that is worth its while for `rows` rows of the table. The table must outlive it.
  LeafFinder(const Tree& tree, const Table& table, std::size_t rows);

  // stop[r - begin] = the leaf of row r, or `unwalked` where the general walk of walk.hpp has to find it, for r in begin..end-1.
  void find(std::size_t begin, std::size_t end, Index* stop) const;
  // The same for the listed rows: stop[i] is that of rows[i].
  void find(std::span<const Row> rows, Index* stop) const;

 private:
  const Table& table_;
  bool row_major_ = false;
  std::optional<Packed<float>> single_;
  std::optional<Packed<double>> double_;
  std::optional<MixedWalk> mixed_;
};

}  // namespace thriftwood
