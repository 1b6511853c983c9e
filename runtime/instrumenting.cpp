// What the functions of a program become, by mode.
#include <algorithm>

#include "runtime.hpp"

namespace thriftwood::clarify {

Runtime* runtime = nullptr;

void publish_code() {
  Runtime& all = *runtime;
  auto* map = new CodeMap{};
  auto* parts = new std::vector<CodeMap::Part>;
  for (std::uint32_t f = 0; f < all.hot.size(); ++f) {
    if (all.hot[f].end) parts->push_back({all.hot[f], f});
    if (all.cold[f].end) parts->push_back({all.cold[f], f});
  }
  std::sort(parts->begin(), parts->end(), [](const auto& a, const auto& b) { return a.code.begin < b.code.begin; });
  map->parts = parts->data(), map->size = parts->size();
  map->hot = (new std::vector<Extent>(all.hot))->data();
  map->cold = (new std::vector<Extent>(all.cold))->data();
  all.whole.code.store(map);  // the one before may still be in use, and stays
}

namespace {

void set_code(std::uint32_t function, const NativeFunction& native) {
  Runtime& all = *runtime;
  if (all.hot.size() <= function) all.hot.resize(function + 1), all.cold.resize(function + 1);
  all.hot[function] = native.hot;
  all.cold[function] = native.cold;
}

// 64-bit counters of the file that the object's code can reach; 0 when there is no place for them.
std::uint64_t counters_near(const Sleds& sleds, const void* content, std::uint64_t bytes) {
  const std::uint64_t at = sleds.near(bytes);
  return at && runtime->whole.arena.view(content, bytes, reinterpret_cast<void*>(at)) ? at : 0;
}

bool count_calls(const ElfObject& object, Sleds& sleds) {
  Arena& arena = runtime->whole.arena;
  const std::uint64_t bytes = object.functions.size() * 8;
  const std::uint32_t first = runtime->functions.size();
  void* const content = arena.allocate(Kind::counters, first, bytes, page);
  const std::uint64_t counters = content ? counters_near(sleds, content, bytes) : 0;
  if (!counters) return false;
  for (std::size_t i = 0; i < object.functions.size(); ++i) {
    if (runtime->functions.add(object.functions[i].name) == Texts::none) return false;
    sleds.count(object.functions[i].sled, counters + 8 * i);
  }
  return true;
}

bool record_trees(const ElfObject& object, Sleds& sleds, std::vector<std::uint32_t>& numbers) {
  for (const NativeFunction& function : object.functions) {
    const std::uint32_t number = runtime->functions.add(function.name);
    if (number == Texts::none) return false;
    set_code(number, function);
    numbers.push_back(number);
  }
  const std::vector<std::uint64_t> stubs = sleds.stubs(numbers, thriftwood_clarify_tree);
  for (std::size_t i = 0; i < stubs.size(); ++i) sleds.call(object.functions[i].sled, stubs[i]);
  return !stubs.empty();
}

bool watch_plan(const ElfObject& object, Sleds& sleds, std::vector<std::uint32_t>& known) {
  const Orders& orders = runtime->whole.orders;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint64_t> places;
  std::uint64_t counters = 0;
  for (const NativeFunction& function : object.functions) {
    const std::uint32_t number = orders.find(function.name);
    known.push_back(number);
    if (number == nobody) {
      sleds.nothing(function.sled);
      continue;
    }
    if (runtime->functions.add(function.name) == Texts::none) return false;
    set_code(number, function);
    if (orders[number].only_counts() && orders[number].lines.size() == 1) {
      if (!counters) counters = counters_near(sleds, runtime->whole.counters, runtime->patterns.size() * 8);
      if (!counters) return false;
      sleds.count(function.sled, counters + 8 * orders[number].lines[0]);
    } else {
      numbers.push_back(number);
      places.push_back(function.sled);
    }
  }
  if (numbers.empty()) return true;
  const std::vector<std::uint64_t> stubs = sleds.stubs(numbers, thriftwood_clarify_watch);
  for (std::size_t i = 0; i < stubs.size(); ++i) sleds.call(places[i], stubs[i]);
  return !stubs.empty();
}

}  // namespace

bool instrument(Instrumented& whole) {
  auto& [object, sleds, numbers, loaded] = whole;
  const Mode mode = runtime->mode;
  const bool done = mode == Mode::counts  ? count_calls(object, sleds)
                    : mode == Mode::trees ? record_trees(object, sleds, numbers)
                                          : watch_plan(object, sleds, numbers);
  if (!done) return false;
  publish_code();
  runtime->builds.add(object.basename + "\t" + object.build);
  return sleds.write(runtime->threaded);
}

void forget_code(Instrumented& whole) {
  Runtime& all = *runtime;
  whole.loaded = false;
  for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
    const std::uint32_t number = whole.numbers[i];
    // A plan's function may be in another place by now.
    if (number != nobody && all.hot[number].begin == whole.object.functions[i].hot.begin) all.hot[number] = all.cold[number] = {};
  }
  if (!whole.numbers.empty()) publish_code();
}

bool bring_back(Instrumented& whole, const ElfObject& found) {
  // Without a build id, all sleds in the same places of segments of the same size will do.
  const ElfObject& object = whole.object;
  const bool same = object.code == found.code && (found.build.empty() || found.build == object.build);
  if (same && whole.loaded && whole.sleds.written()) return true;
  if (!same || !whole.sleds.write(runtime->threaded)) {
    if (whole.loaded) forget_code(whole);
    return false;
  }
  if (whole.loaded) return true;  // what is known of its code is still right
  whole.loaded = true;
  for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
    if (whole.numbers[i] != nobody) set_code(whole.numbers[i], object.functions[i]);
  }
  if (!whole.numbers.empty()) publish_code();
  return true;
}

}  // namespace thriftwood::clarify
