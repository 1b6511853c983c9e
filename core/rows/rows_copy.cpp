// The third part of Rows: cases copied, to be divided on trial or below a sample.
#include <algorithm>
#include <numeric>
#include <utility>

#include "rows.hpp"

namespace thriftwood {

void Rows::copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const {
  Part& to = copy.part;
  if (!to.block) to.block = std::make_shared<Block>();
  Block& block = *to.block;
  const auto rows = part.rows();
  const auto labels = part.labels();
  to.first = 0;
  to.count = block.capacity = part.count;
  block.rows.assign(rows.begin(), rows.end());
  block.labels.assign(labels.begin(), labels.end());
  block.weights.clear();
  if (!part.block->weights.empty())
    block.weights.assign(part.block->weights.begin() + part.first, part.block->weights.begin() + part.first + part.count);
  std::size_t codes_needed = 0, entries_needed = 0;
  for (std::size_t i : kept) {
    if (codes_move(part.features[i])) codes_needed += part.count;
    if (columns_[part.features[i]].form == Form::Ordered) entries_needed += part.ranges[i].size;
  }
  if (codes_needed > copy.codes) block.codes = std::make_unique_for_overwrite<std::uint8_t[]>(copy.codes = codes_needed);
  if (entries_needed > copy.entries) block.entries = std::make_unique_for_overwrite<Entry[]>(copy.entries = entries_needed);
  to.features.clear();
  to.ranges.clear();
  std::size_t code_begin = 0, entry_begin = 0;
  for (std::size_t i : kept) {
    Range range;
    if (codes_move(part.features[i])) {
      range.begin = code_begin;
      std::copy_n(codes(part, i).codes, part.count, block.codes.get() + code_begin);
      code_begin += part.count;
    } else if (columns_[part.features[i]].form == Form::Ordered) {
      range = {entry_begin, part.ranges[i].size};
      const auto entries = order(part, i);
      std::copy(entries.begin(), entries.end(), block.entries.get() + entry_begin);
      entry_begin += entries.size();
    }
    to.features.push_back(part.features[i]);
    to.ranges.push_back(range);
  }
}

Part Rows::copied(const Part& part) const {
  std::vector<std::size_t> all(part.features.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  PartCopy fresh;
  copy(part, all, fresh);
  return std::move(fresh.part);
}

}  // namespace thriftwood
