// What every training case still pays for every test, given what the stages so far have asked of it.
//
// The price of a test is that of costs.hpp: nothing for a test the case has had; its own price, lower after another of its group; and
// every resource that nothing it has had needed. With upfront payment all cases together have one basket. A delayed test counts
// here as one that is not.
#pragma once

#include <span>
#include <vector>

#include "../costs.hpp"
#include "../table.hpp"

namespace thriftwood {

class CasePrices {
 public:
  // Without prices everything is free. Prices and table must outlive it.
  CasePrices(const Prices* prices, const Table& table);

  bool free() const { return prices_ == nullptr; }
  bool upfront() const { return prices_ != nullptr && prices_->upfront(); }
  // Per test what a case pays for it now; none where everything is free.
  std::span<const double> of(Row row) const { return {now_.data() + basket(row) * tests_, tests_}; }
  void buy(Row row, Index test);

 private:
  std::size_t basket(Row row) const { return upfront() ? 0 : static_cast<std::size_t>(row); }
  double effective(std::size_t basket, Index test) const;
  void refresh(std::size_t basket, const std::vector<Index>& tests);

  const Prices* prices_;
  std::size_t tests_ = 0, resources_ = 0, groups_ = 0;
  std::vector<double> now_;                            // by basket and test
  std::vector<std::uint8_t> has_, paid_, open_;        // by basket: tests had, resources paid, groups opened
  std::vector<std::vector<Index>> needing_, grouped_;  // tests by resource, by group
};

}  // namespace thriftwood
