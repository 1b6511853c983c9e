#include "presort.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace thriftwood {

namespace {

// Order-preserving keys: flip the sign bit of positive numbers and all bits of negative ones; -0 and 0 are one value.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number);
  return bits >> 63 ? ~bits : bits | (1ull << 63);
}

std::uint32_t key_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number == 0.0f ? 0.0f : number);
  return bits >> 31 ? ~bits : bits | (1u << 31);
}

// Least-significant-digit radix sort. Digits that are the same in all keys are skipped, which for whole numbers is most of them.
template <class Item, class Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare, std::vector<std::uint32_t>& counts, int key_bits, Key key) {
  const std::size_t n = items.size();
  const int digit = n < 4096 ? 8 : 11;  // a small column should not pay for clearing 2048 counters
  const std::uint32_t buckets = 1u << digit;
  std::uint64_t all_and = ~0ull, all_or = 0;
  for (const Item& item : items) {
    all_and &= key(item);
    all_or |= key(item);
  }
  const std::uint64_t varying = all_and ^ all_or;
  spare.resize(n);
  counts.resize(buckets);
  for (int shift = 0; shift < key_bits; shift += digit) {
    if (((varying >> shift) & (buckets - 1)) == 0) continue;
    std::fill(counts.begin(), counts.end(), 0u);
    for (const Item& item : items) ++counts[(key(item) >> shift) & (buckets - 1)];
    std::uint32_t start = 0;
    for (std::uint32_t& count : counts) start += std::exchange(count, start);
    for (const Item& item : items) spare[counts[(key(item) >> shift) & (buckets - 1)]++] = item;
    items.swap(spare);
  }
}

void read_stored(const Column& column, std::vector<double>& numbers) {
  std::fill(numbers.begin(), numbers.end(), 0.0);
  for (std::size_t i = 0; i < column.stored; ++i) {
    const auto row = static_cast<std::size_t>(column.stored_rows[i]);
    numbers[row] = column.storage == Storage::SparseFloat32 ? static_cast<double>(static_cast<const float*>(column.data)[i])
                                                            : static_cast<const double*>(column.data)[i];
  }
}

void sort_narrow(SortSpace& space, std::vector<Entry>& order) {
  space.narrow.clear();
  for (std::size_t r = 0; r < space.numbers.size(); ++r)
    if (!std::isnan(space.numbers[r])) space.narrow.push_back(static_cast<std::uint64_t>(key_of(static_cast<float>(space.numbers[r]))) << 32 | r);
  radix_sort(space.narrow, space.narrow_spare, space.counts, 32, [](std::uint64_t item) { return item >> 32; });
  order.resize(space.narrow.size());
  std::uint64_t last = ~0ull;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t key = space.narrow[i] >> 32;
    order[i] = static_cast<Entry>(space.narrow[i]) | (key != last ? new_value : 0);
    last = key;
  }
}

void sort_wide(SortSpace& space, std::vector<Entry>& order) {
  space.wide.clear();
  for (std::size_t r = 0; r < space.numbers.size(); ++r)
    if (!std::isnan(space.numbers[r])) space.wide.push_back({key_of(space.numbers[r]), static_cast<Row>(r)});
  radix_sort(space.wide, space.wide_spare, space.counts, 64, [](const SortPair& pair) { return pair.key; });
  order.resize(space.wide.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = space.wide[i].row | (i == 0 || space.wide[i].key != space.wide[i - 1].key ? new_value : 0);
}

}  // namespace

void sort_numbers(SortSpace& space, std::vector<Entry>& order) {
  // Numbers that float32 holds exactly (measurements to a few digits, counts, and every float32 table) sort by half the bits.
  const bool narrow = std::all_of(space.numbers.begin(), space.numbers.end(),
                                  [](double v) { return std::isnan(v) || static_cast<double>(static_cast<float>(v)) == v; });
  narrow ? sort_narrow(space, order) : sort_wide(space, order);
}

void read_columns(const Table& table, std::span<const Index> features, std::vector<std::vector<double>>& numbers) {
  constexpr std::size_t block = 1024;  // rows read at a time, so that what is written stays in the cache too
  numbers.resize(std::max(numbers.size(), features.size()));
  for (std::size_t i = 0; i < features.size(); ++i) {
    numbers[i].resize(table.rows);
    if (table.column(features[i]).sparse()) read_stored(table.column(features[i]), numbers[i]);
  }
  for (std::size_t first = 0; first < table.rows; first += block)
    for (std::size_t i = 0; i < features.size(); ++i) {
      const Column& column = table.column(features[i]);
      if (column.sparse()) continue;
      for (std::size_t r = first; r < std::min(first + block, table.rows); ++r) numbers[i][r] = column.number(static_cast<Row>(r));
    }
}

double smallest_gap(const SortSpace& space, const std::vector<Entry>& order) {
  double gap = infinity;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i] & new_value) gap = std::min(gap, space.numbers[order[i] & row_mask] - space.numbers[order[i - 1] & row_mask]);
  return gap;
}

}  // namespace thriftwood
