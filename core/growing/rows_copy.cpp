// The third part of Rows: cases copied to be divided on trial.
#include <algorithm>

#include "rows.hpp"

namespace thriftwood {

void Rows::copy(const Part& part, std::span<const std::size_t> kept, Room& room) const {
  Part& to = room.part;
  if (!to.block) to.block = std::make_shared<Block>();
  Block& block = *to.block;
  const auto rows = part.rows();
  const auto labels = part.labels();
  to.first = 0;
  to.count = block.capacity = part.count;
  block.rows.assign(rows.begin(), rows.end());
  block.labels.assign(labels.begin(), labels.end());
  block.weights.clear();
  if (!part.block->weights.empty()) block.weights.assign(part.block->weights.begin() + part.first, part.block->weights.begin() + part.first + part.count);
  std::size_t codes_needed = 0, entries_needed = 0;
  for (std::size_t i : kept) {
    const Form form = columns_[part.features[i]].form;
    if (form == Form::Coded) codes_needed += part.count;
    if (form == Form::Ordered) entries_needed += part.ranges[i].size;
  }
  if (codes_needed > room.codes) block.codes = std::make_unique_for_overwrite<std::uint8_t[]>(room.codes = codes_needed);
  if (entries_needed > room.entries) block.entries = std::make_unique_for_overwrite<Entry[]>(room.entries = entries_needed);
  to.features.clear();
  to.ranges.clear();
  std::size_t code_begin = 0, entry_begin = 0;
  for (std::size_t i : kept) {
    const Form form = columns_[part.features[i]].form;
    Range range;
    if (form == Form::Coded) {
      range.begin = code_begin;
      std::copy_n(codes(part, i), part.count, block.codes.get() + code_begin);
      code_begin += part.count;
    } else if (form == Form::Ordered) {
      range = {entry_begin, part.ranges[i].size};
      const auto entries = order(part, i);
      std::copy(entries.begin(), entries.end(), block.entries.get() + entry_begin);
      entry_begin += entries.size();
    }
    to.features.push_back(part.features[i]);
    to.ranges.push_back(range);
  }
}

}  // namespace thriftwood
