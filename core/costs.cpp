#include "costs.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace thriftwood {

namespace {

void require_size(std::size_t got, std::size_t wanted, const char* what) {
  if (got == wanted) return;
  throw InputError("The price list has " + std::to_string(got) + " entries in " + what + ", wanted " + std::to_string(wanted) + ".");
}

void require_price(double price, const std::string& what) {
  if (std::isfinite(price) && price >= 0.0) return;
  throw InputError("The price of " + what + " must be a finite number, 0 or more, got " + std::to_string(price) + ".");
}

std::string named(const char* what, std::size_t number) { return std::string(what) + " " + std::to_string(number); }

void check_needs(const PriceList& list) {
  const std::size_t tests = list.price.size();
  const auto resources = static_cast<Index>(list.resource_price.size());
  if (list.needs_start.front() != 0 || static_cast<std::size_t>(list.needs_start.back()) != list.needs.size())
    throw InputError("The resources of the tests must go from 0 to " + std::to_string(list.needs.size()) + ".");
  for (std::size_t t = 0; t < tests; ++t)
    if (list.needs_start[t] > list.needs_start[t + 1]) throw InputError("The resources of " + named("test", t) + " end before they start.");
  std::vector<std::size_t> needed_by(list.resource_price.size(), tests);  // tests: by nobody yet
  for (std::size_t t = 0; t < tests; ++t)
    for (Index n = list.needs_start[t]; n < list.needs_start[t + 1]; ++n) {
      const Index resource = list.needs[static_cast<std::size_t>(n)];
      if (resource < 0 || resource >= resources)
        throw InputError("There is no resource " + std::to_string(resource) + ", which " + named("test", t) + " needs; resources are 0 to " +
                         std::to_string(resources - 1) + ".");
      if (std::exchange(needed_by[static_cast<std::size_t>(resource)], t) == t)
        throw InputError("The " + named("test", t) + " needs the resource " + std::to_string(resource) + " twice.");
    }
}

void check(const PriceList& list) {
  const std::size_t tests = list.price.size();
  if (tests >= static_cast<std::size_t>(std::numeric_limits<Index>::max())) throw InputError("The price list has too many tests.");
  require_size(list.needs_start.size(), tests + 1, "needs_indptr");
  require_size(list.group.size(), tests, "group");
  require_size(list.after.size(), tests, "after");
  require_size(list.delayed.size(), tests, "delayed");
  for (std::size_t r = 0; r < list.resource_price.size(); ++r) require_price(list.resource_price[r], named("resource", r));
  for (std::size_t t = 0; t < tests; ++t) {
    require_price(list.price[t], named("test", t));
    if (!std::isnan(list.after[t])) require_price(list.after[t], named("test", t) + " after another of its group");
    if (list.group[t] < -1 || list.group[t] >= static_cast<Index>(tests))
      throw InputError("The group of " + named("test", t) + " must be -1 or less than the number of tests, got " + std::to_string(list.group[t]) +
                       ".");
  }
  check_needs(list);
}

}  // namespace

Prices::Prices(PriceList list) : list_(std::move(list)) {
  check(list_);
  for (Index g : list_.group) groups_ = std::max(groups_, g + 1);
}

double Prices::list_price(Index test) const {
  double sum = own_price(test, false);
  for (Index resource : needs(test)) sum += resource_price(resource);
  return sum;
}

Basket::Basket(const Prices& prices)
    : prices_(&prices),
      has_(static_cast<std::size_t>(prices.tests()), 0),
      resource_users_(static_cast<std::size_t>(prices.resources()), 0),
      group_members_(static_cast<std::size_t>(prices.groups()), 0) {}

double Basket::eff(Index test) const {
  if (has(test)) return 0.0;
  const Index group = prices_->group(test);
  // A test that is not in the basket cannot itself have opened its group.
  double sum = prices_->own_price(test, group >= 0 && group_members_[static_cast<std::size_t>(group)] > 0);
  for (Index resource : prices_->needs(test))
    if (resource_users_[static_cast<std::size_t>(resource)] == 0) sum += prices_->resource_price(resource);
  return sum;
}

std::vector<Index> Basket::free() const {
  std::vector<Index> tests;
  for (Index test = 0; test < prices_->tests(); ++test)
    if (!has(test) && eff(test) <= 0.0) tests.push_back(test);
  return tests;
}

double Basket::buy(Index test) {
  if (has(test)) return 0.0;
  const double price = eff(test);
  has_[static_cast<std::size_t>(test)] = 1;
  for (Index resource : prices_->needs(test)) ++resource_users_[static_cast<std::size_t>(resource)];
  if (const Index group = prices_->group(test); group >= 0) ++group_members_[static_cast<std::size_t>(group)];
  purchases_.push_back({test, price, total() + price});
  return price;
}

void Basket::undo(std::size_t size) {
  while (purchases_.size() > size) {
    const Index test = purchases_.back().test;
    purchases_.pop_back();
    has_[static_cast<std::size_t>(test)] = 0;
    for (Index resource : prices_->needs(test)) --resource_users_[static_cast<std::size_t>(resource)];
    if (const Index group = prices_->group(test); group >= 0) --group_members_[static_cast<std::size_t>(group)];
  }
}

}  // namespace thriftwood
