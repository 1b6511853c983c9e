// CountedRows: which nodes a pass counts or gathers, and what it leaves.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "counted_rows.hpp"
#include "route_map.hpp"

namespace thriftwood {

namespace {

std::uint64_t cases_of(std::span<const std::shared_ptr<Slot>> slots) {
  std::uint64_t sum = 0;
  for (const auto& slot : slots) sum += slot->cases;
  return sum;
}

}  // namespace

CountedRows::~CountedRows() {
  // Parents have their branches and branches their parents: let them go.
  std::vector<std::shared_ptr<Slot>> slots{root_};
  while (!slots.empty()) {
    const std::shared_ptr<Slot> slot = std::move(slots.back());
    slots.pop_back();
    for (auto& branch : std::exchange(slot->below, {})) slots.push_back(std::move(branch));
  }
}

void CountedRows::choose(std::span<Part* const> parts, Slots& gathered, Slots& counted) const {
  std::size_t room = limits_.gathered_rows - std::min(limits_.gathered_rows, held_->load());
  std::shared_ptr<Slot> left_over;
  for (const Part* part : parts) {
    const std::shared_ptr<Slot>& slot = part->slot;
    if (ready(*slot)) continue;
    if (slot->cases <= limits_.gathered_node) {
      if (slot->cases <= room) {
        room -= slot->cases;
        gathered.push_back(slot);
        continue;
      }
      if (!left_over) left_over = slot;
      if (!keeps_) continue;  // its turn comes when the others have been grown and are gone
    }
    counted.push_back(slot);
  }
  if (gathered.empty() && counted.empty() && left_over) gathered.push_back(left_over);
}

void CountedRows::fetch(std::span<Part* const> parts) {
  Slots gathered, counted;
  choose(parts, gathered, counted);
  if (!gathered.empty()) gather(gathered);
  if (!counted.empty()) count(counted);
  if (!keeps_)
    for (const Part* part : parts)
      if (ready(*part->slot) && part->slot->parent) std::exchange(part->slot->parent->cells, {});  // nobody asks it any more
  for (Part* part : parts)
    if (ready(*part->slot)) *part = part_of(part->slot);
}

void CountedRows::gather(const Slots& slots) {
  RouteMap map;
  for (const auto& slot : slots) map.lead_to(*slot);
  std::vector<CodedRows> rows = counter_.gather(map.routes(coding_, {}));
  if (rows.size() != slots.size()) throw std::logic_error("not every goal was gathered");
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (rows[i].rows() != slots[i]->cases) throw InputError("The codes of the table are not those that were counted before: they have changed.");
    slots[i]->gathered = std::make_unique<Gathered>(std::move(rows[i]), coding_, target_, settings_, held_);
  }
}

void CountedRows::count(const Slots& slots) {
  std::map<const Slot*, Slots> by_parent;
  for (const auto& slot : slots) by_parent[slot->parent.get()].push_back(slot);
  std::size_t widest = 1;
  for (const auto& slot : slots) {
    std::size_t cells = 0;
    for (Index f : slot->features) cells += coding_.cells(f);
    widest = std::max(widest, cells);
  }
  const std::size_t most = std::max<std::size_t>(1, limits_.counted_cells / widest);
  std::vector<Slots> families;
  std::size_t goals = 0;
  for (const auto& slot : slots) {  // in their own order, not in that of addresses
    Slots family = std::exchange(by_parent[slot->parent.get()], {});
    if (family.empty()) continue;
    if (goals + family.size() > most && !families.empty()) {
      count_siblings(families);
      families.clear();
      goals = 0;
    }
    goals += family.size();
    families.push_back(std::move(family));
  }
  count_siblings(families);
}

// Of each family, the branches of one node that are wanted, the largest is what the others leave, where that is less to count.
void CountedRows::count_siblings(std::span<const Slots> families) {
  struct Goal {
    Slot* slot;        // null: the rest of a family's node
    std::size_t taken_from;
  };
  RouteMap map;
  std::vector<Goal> goals;
  std::vector<Slot*> largest(families.size(), nullptr);
  std::set<Index> features;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const Slots& family = families[i];
    const Slot* parent = family.front()->parent.get();
    for (const auto& slot : family) features.insert(slot->features.begin(), slot->features.end());
    const auto most = std::max_element(family.begin(), family.end(), [](const auto& a, const auto& b) { return a->cases < b->cases; });
    const bool subtracts = parent != nullptr && !parent->cells.empty() && parent->cases - (*most)->cases < cases_of(family);
    if (subtracts) largest[i] = most->get();
    for (const auto& slot : family) {
      if (slot.get() == largest[i]) {
        continue;
      }
      map.lead_to(*slot);
      goals.push_back({slot.get(), i});
    }
    if (!subtracts || parent->cases == cases_of(family)) continue;
    map.lead_past(*largest[i]);
    map.lead_rest_of(*parent);
    goals.push_back({nullptr, i});
  }
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (largest[i] == nullptr) continue;
    largest[i]->cells.clear();
    for (Index f : largest[i]->features) {
      const auto whole = counts(*largest[i]->parent, f);
      largest[i]->cells.insert(largest[i]->cells.end(), whole.begin(), whole.end());
    }
  }
  if (goals.empty()) return;
  const Routes routes = map.routes(coding_, {features.begin(), features.end()});
  const std::vector<double> sums = counter_.count(routes);
  const std::size_t cells = routes.cells(coding_);
  if (sums.size() != goals.size() * cells) throw std::logic_error("not every goal was counted");
  for (std::size_t g = 0; g < goals.size(); ++g) {
    std::size_t from = g * cells;
    std::map<Index, std::size_t> begin;
    for (Index f : routes.features) from = (begin[f] = from) + coding_.cells(f);
    if (Slot* slot = goals[g].slot; slot != nullptr)
      for (Index f : slot->features) {
        const double* first = sums.data() + begin[f];
        slot->cells.insert(slot->cells.end(), first, first + coding_.cells(f));
      }
    Slot* rest = largest[goals[g].taken_from];
    if (rest == nullptr) continue;
    std::size_t to = 0;
    for (Index f : rest->features)
      for (std::size_t k = 0; k < coding_.cells(f); ++k) rest->cells[to++] -= sums[begin[f] + k];
  }
}

}  // namespace thriftwood
