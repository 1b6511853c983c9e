#include "ledger.hpp"

namespace thriftwood {

std::span<const Bought> EntryStore::keep(std::span<const Bought> entries) {
  if (entries.size() > free_ || pages_.empty()) {
    free_ = std::max(entries.size(), page_entries);
    pages_.push_back(std::make_unique_for_overwrite<Bought[]>(free_));
    next_ = pages_.back().get();
  }
  Bought* place = next_;
  std::copy(entries.begin(), entries.end(), place);
  next_ += entries.size();
  free_ -= entries.size();
  size_ += entries.size();
  return {place, entries.size()};
}

void concatenate(Ledger& ledger, std::span<const std::span<const Bought>> rows) {
  ledger.starts.resize(rows.size() + 1, 0);
  for (std::size_t row = 0; row < rows.size(); ++row) ledger.starts[row + 1] = ledger.starts[row] + static_cast<std::int64_t>(rows[row].size());
  ledger.entries.reserve(static_cast<std::size_t>(ledger.starts.back()));
  for (const auto& entries : rows) ledger.entries.insert(ledger.entries.end(), entries.begin(), entries.end());
}

}  // namespace thriftwood
