// The ways into growing: one tree, or many trees of the same settings on subsets of the same table.
#pragma once

#include <span>
#include <vector>

#include "../splitting/target.hpp"
#include "../table.hpp"
#include "../tree/tree.hpp"
#include "settings.hpp"

namespace thriftwood {

// Grows a tree on all rows (or, if given, on an ascending list of them).
Tree grow(const Table& table, Target& target, const Settings& settings, std::span<const Row> rows = {});

// One tree per list of rows. The columns are sorted once; trees are grown in parallel, each by one thread.
std::vector<Tree> grow_many(const Table& table, Target& target, const Settings& settings, const std::vector<std::vector<Row>>& rows);

}  // namespace thriftwood
