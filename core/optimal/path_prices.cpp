#include "path_prices.hpp"

#include <algorithm>
#include <bit>

#include "../basics/random.hpp"

namespace thriftwood::optimal {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Tells the parts of a signature from each other.
enum class Trait : Key { Free = 3, Group = 4, Resource = 5, Ordered = 6, Paid = 9 };

void put(SetKey& key, Trait trait, std::size_t number) {
  key.toggle({key_below(key_below(static_cast<Key>(trait), 11), number), key_below(key_below(static_cast<Key>(trait), 12), number)});
}

bool discounted(const Prices& prices, Index test) { return prices.group(test) >= 0 && prices.own_price(test, true) != prices.own_price(test, false); }

}  // namespace

// What prices add up to may be a little more than what people say they add up to.
PathPrices::PathPrices(const Cases& cases, const Prices* prices, double budget) : prices_(prices), budget_(budget * (1.0 + 1e-9)) {
  for (const CaseColumn& column : cases.columns) test_.push_back(column.feature);
  affected_start_.assign(test_.size() + 1, 0);
  if (prices == nullptr) return;
  if (prices->upfront())
    throw InputError(
        "Where tests are paid upfront every case pays for what any branch asks, so branches cannot be searched apart, and no optimal tree is "
        "searched for. Use sequential payment, or a learner that grows.");
  basket_.emplace(*prices);
  open_groups_.assign(at(prices->groups()), 0);
  open_resources_.assign(at(prices->resources()), 0);
  std::vector<std::vector<std::uint32_t>> in_group(at(prices->groups())), of_resource(at(prices->resources()));
  for (std::uint32_t c = 0; c < test_.size(); ++c) {
    if (prices->group(test_[c]) >= 0) in_group[at(prices->group(test_[c]))].push_back(c);
    for (Index resource : prices->needs(test_[c])) of_resource[at(resource)].push_back(c);
  }
  for (std::uint32_t c = 0; c < test_.size(); ++c) {
    std::vector<std::uint32_t> others;
    if (const Index group = prices->group(test_[c]); group >= 0)
      for (std::uint32_t other : in_group[at(group)])
        if (discounted(*prices, test_[other])) others.push_back(other);
    for (Index resource : prices->needs(test_[c]))
      if (prices->resource_price(resource) > 0.0) others.insert(others.end(), of_resource[at(resource)].begin(), of_resource[at(resource)].end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase(others, c);
    affected_.insert(affected_.end(), others.begin(), others.end());
    affected_start_[c + 1] = static_cast<std::uint32_t>(affected_.size());
  }
}

void PathPrices::count(Index test, int by) {
  if (const Index group = prices_->group(test); group >= 0) open_groups_[at(group)] += by;
  for (Index resource : prices_->needs(test)) open_resources_[at(resource)] += by;
}

void PathPrices::ask(std::size_t column) {
  if (!basket_) return;
  if (delays(column)) ordered_ = true;
  if (basket_->has(test_[column])) return;
  basket_->buy(test_[column]);
  count(test_[column], 1);
}

void PathPrices::back_to(const Mark& mark) {
  if (!basket_) return;
  for (std::size_t i = mark.bought; i < basket_->size(); ++i) count(basket_->purchases()[i].test, -1);
  basket_->undo(mark.bought);
  ordered_ = mark.ordered;
}

SetKey PathPrices::signature(std::span<const std::uint32_t> columns) const {
  SetKey key;
  if (!basket_) return key;
  if (ordered_) put(key, Trait::Ordered, 0);
  std::vector<std::uint8_t> group_told, resource_told;  // each once: two equal parts would cancel out
  group_told.assign(open_groups_.size(), 0);
  resource_told.assign(open_resources_.size(), 0);
  double rest = 0.0;
  for (std::uint32_t c : columns) {
    const Index test = test_[c];
    const double eff = basket_->eff(test);
    const bool free = eff == 0.0;
    rest += eff;
    if (prices_->delayed(test) ? basket_->has(test) : free && prices_->list_price(test) > 0.0) put(key, Trait::Free, c);
    if (free) continue;
    if (const Index group = prices_->group(test); discounted(*prices_, test) && group_open(group) && !group_told[at(group)]) {
      group_told[at(group)] = 1;
      put(key, Trait::Group, at(group));
    }
    for (Index resource : prices_->needs(test))
      if (prices_->resource_price(resource) > 0.0 && resource_open(resource) && !resource_told[at(resource)]) {
        resource_told[at(resource)] = 1;
        put(key, Trait::Resource, at(resource));
      }
  }
  if (rest > left()) put(key, Trait::Paid, std::bit_cast<std::uint64_t>(basket_->total()));
  return key;
}

}  // namespace thriftwood::optimal
