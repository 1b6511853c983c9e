#include "cache.hpp"

#include <bit>
#include <utility>

namespace thriftwood::optimal {

namespace {

constexpr std::size_t first_slots = 1u << 10;

bool empty(const SetKey& key) { return key.a == 0 && key.b == 0; }

}  // namespace

// Each table has half: while the young one grows by copying there is no old one yet.
Cache::Cache(std::size_t most) : most_slots_(std::max(first_slots, std::bit_floor(most / sizeof(Known) / 2))) {}

Known* Cache::Table::place(const SetKey& key) {
  if (slots.empty()) return nullptr;
  const std::size_t mask = slots.size() - 1;
  std::size_t at = key.a & mask;
  while (!empty(slots[at].key) && !(slots[at].key == key)) at = (at + 1) & mask;
  return &slots[at];
}

const Known* Cache::find(const SetKey& key) {
  if (Known* here = young_.place(key); here != nullptr && !empty(here->key)) return here;
  Known* there = old_.place(key);
  if (there == nullptr || empty(there->key)) return nullptr;
  const Known moved = *there;
  put(moved);
  return young_.place(key);
}

void Cache::put(const Known& known) {
  make_room();
  Known* here = young_.place(known.key);
  young_.used += empty(here->key);
  *here = known;
}

void Cache::make_room() {
  if (young_.slots.empty()) young_.slots.resize(first_slots);
  if (young_.used * 4 < young_.slots.size() * 3) return;
  if (young_.slots.size() * 2 <= most_slots_) {
    Table larger;
    larger.slots.resize(young_.slots.size() * 2);
    for (const Known& known : young_.slots)
      if (!empty(known.key)) *larger.place(known.key) = known;
    larger.used = young_.used;
    young_ = std::move(larger);
    return;
  }
  std::swap(old_, young_);
  young_.slots.assign(old_.slots.size(), Known{});
  young_.used = 0;
}

}  // namespace thriftwood::optimal
