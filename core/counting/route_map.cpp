#include "route_map.hpp"

#include <algorithm>

namespace thriftwood {

void RouteMap::enter(const Slot& slot) {
  std::size_t depth = 0;
  for (const Slot* at = &slot; at->parent; at = at->parent.get()) ++depth;
  for (const Slot* at = &slot; at->parent; at = at->parent.get()) {
    Inner& inner = inner_[at->parent.get()];
    inner.fork = at->fork.get();
    inner.branches[at->branch] = at;
    inner.depth = --depth;
  }
}

void RouteMap::lead_to(const Slot& slot) {
  goals_[&slot] = next_++;
  enter(slot);
}

void RouteMap::lead_past(const Slot& slot) {
  goals_[&slot] = Routes::nowhere;
  enter(slot);
}

void RouteMap::lead_rest_of(const Slot& slot) { inner_.at(&slot).rest = next_++; }

Routes RouteMap::routes(const Coding& coding, std::vector<Index> features) const {
  Routes routes;
  routes.features = std::move(features);
  routes.goals = next_ - Routes::goal;
  std::vector<std::pair<std::size_t, const Slot*>> order;  // the root first: ways lead onwards only
  for (const auto& [slot, inner] : inner_) order.emplace_back(inner.depth, slot);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::map<const Slot*, std::uint32_t> place = goals_;
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i].second] = static_cast<std::uint32_t>(i);
  for (const auto& [depth, slot] : order) {
    const Inner& inner = inner_.at(slot);
    routes.feature.push_back(inner.fork->feature);
    routes.first.push_back(routes.next.size());
    for (std::size_t code = 0; code < coding.codes(inner.fork->feature); ++code) {
      const auto branch = inner.branches.find(inner.fork->side_of_code[code]);
      routes.next.push_back(branch == inner.branches.end() ? inner.rest : place.at(branch->second));
    }
  }
  routes.start = order.empty() ? Routes::goal : 0;
  return routes;
}

}  // namespace thriftwood
