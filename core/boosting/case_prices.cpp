#include "case_prices.hpp"

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

CasePrices::CasePrices(const Prices* prices, const Table& table) : prices_(prices) {
  if (prices == nullptr) return;
  tests_ = at(prices->tests());
  resources_ = at(prices->resources());
  groups_ = at(prices->groups());
  needing_.resize(resources_);
  grouped_.resize(groups_);
  for (Index t = 0; t < prices->tests(); ++t) {
    for (const Index resource : prices->needs(t)) needing_[at(resource)].push_back(t);
    if (const Index group = prices->group(t); group >= 0) grouped_[at(group)].push_back(t);
  }
  const std::size_t baskets = upfront() ? 1 : table.rows;
  has_.assign(baskets * tests_, 0);
  paid_.assign(baskets * resources_, 0);
  open_.assign(baskets * groups_, 0);
  now_.resize(baskets * tests_);
  for (std::size_t b = 0; b < baskets; ++b)
    for (Index t = 0; t < prices->tests(); ++t) {
      if (!upfront() && prices->unavailable(TableRow{table, static_cast<Row>(b)}, t)) has_[b * tests_ + at(t)] = 1;
      now_[b * tests_ + at(t)] = effective(b, t);
    }
}

double CasePrices::effective(std::size_t basket, Index test) const {
  if (has_[basket * tests_ + at(test)] != 0) return 0.0;
  const Index group = prices_->group(test);
  double sum = prices_->own_price(test, group >= 0 && open_[basket * groups_ + at(group)] != 0);
  for (const Index resource : prices_->needs(test))
    if (paid_[basket * resources_ + at(resource)] == 0) sum += prices_->resource_price(resource);
  return sum;
}

void CasePrices::refresh(std::size_t basket, const std::vector<Index>& tests) {
  for (const Index test : tests) now_[basket * tests_ + at(test)] = effective(basket, test);
}

void CasePrices::buy(Row row, Index test) {
  if (free()) return;
  const std::size_t b = basket(row);
  std::uint8_t& has = has_[b * tests_ + at(test)];
  if (has != 0) return;
  has = 1;
  now_[b * tests_ + at(test)] = 0.0;
  for (const Index resource : prices_->needs(test)) {
    std::uint8_t& paid = paid_[b * resources_ + at(resource)];
    if (paid != 0) continue;
    paid = 1;
    refresh(b, needing_[at(resource)]);
  }
  const Index group = prices_->group(test);
  if (group < 0 || open_[b * groups_ + at(group)] != 0) return;
  open_[b * groups_ + at(group)] = 1;
  refresh(b, grouped_[at(group)]);
}

}  // namespace thriftwood
