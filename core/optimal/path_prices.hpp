// What tests cost on the way that is being searched, by the project's own basket, and what of the basket still matters.
//
//   ordered    Below a delayed test that was not had, everything the subtree asks is ordered at once, by all cases: branches would no
//              longer be independent. So only tests that cost nothing more are asked there, and the search is for the best of such trees
//   signature  two ways with the same cases and the same signature have the same future: which columns that still differ cost nothing,
//              for the others which of their resources and groups are open, and what was paid where the budget may end
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cases.hpp"

namespace thriftwood::optimal {

class PathPrices {
 public:
  // Throws InputError where tests are paid upfront. The prices must outlive it. `budget`: no case pays more.
  PathPrices(const Cases& cases, const Prices* prices, double budget = infinity);

  bool any() const { return prices_ != nullptr; }
  bool bought_alike() const { return !any() || prices_->bought_alike(); }
  // The weight of those who pay for a column, of the weight that is asked for it.
  double payers(double asked, double with_value) const { return any() ? prices_->payers(asked, with_value) : asked; }

  // Of asking a column here; infinity: it must not be asked.
  double price(std::size_t column) const {
    if (!basket_) return 0.0;
    const double eff = basket_->eff(test_[column]);
    return eff > 0.0 && (ordered_ || eff > left()) ? infinity : eff;
  }
  // What the way may still cost.
  double left() const { return basket_ ? budget_ - basket_->total() : infinity; }

  struct Mark {
    std::size_t bought = 0;
    bool ordered = false;
  };
  Mark mark() const { return {basket_ ? basket_->size() : 0, ordered_}; }
  void ask(std::size_t column);
  void back_to(const Mark& mark);
  // The way of the cases that have no value of the column, from where it is asked. Where that is free they buy nothing, but those that have
  // one order along what is asked here if the test is delayed.
  void go_without(std::size_t column, const Mark& asked) {
    back_to(asked);
    if (bought_alike())
      ask(column);
    else
      ordered_ = ordered_ || delays(column);
  }

  // Columns whose price may change when this one is asked, where no budget ends; not itself.
  std::span<const std::uint32_t> affected(std::size_t column) const {
    return {affected_.data() + affected_start_[column], affected_start_[column + 1] - affected_start_[column]};
  }
  // Whether asking the column here may mean that others cannot be asked below.
  bool forbids(std::size_t column) const { return delays(column) || (any() && budget_ < infinity); }

  // `columns`: those that tell the cases apart.
  SetKey signature(std::span<const std::uint32_t> columns) const;

  std::size_t bytes() const { return (affected_.size() + affected_start_.size()) * sizeof(std::uint32_t); }

 private:
  bool group_open(Index group) const { return open_groups_[static_cast<std::size_t>(group)] > 0; }
  bool resource_open(Index resource) const { return open_resources_[static_cast<std::size_t>(resource)] > 0; }
  void count(Index test, int by);
  bool delays(std::size_t column) const { return any() && !ordered_ && prices_->delayed(test_[column]) && !basket_->has(test_[column]); }

  const Prices* prices_;
  double budget_;
  std::optional<Basket> basket_;
  bool ordered_ = false;
  std::vector<Index> test_;             // per column
  std::vector<std::uint32_t> affected_, affected_start_;
  // What the basket has opened: the basket itself does not tell.
  std::vector<int> open_groups_, open_resources_;
};

}  // namespace thriftwood::optimal
