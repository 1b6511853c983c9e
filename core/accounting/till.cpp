#include "till.hpp"

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Till::Till(const Prices& prices) : prices_(&prices), basket_(prices), entry_of_(at(prices.tests()), -1), is_passed_over_(at(prices.tests()), 0) {}

void Till::open() {
  if (spread_)
    for (const Bought& bought : entries_) entry_of_[at(bought.test)] = -1;
  spread_ = false;
  entries_.clear();
  cost_ = 0.0;
  basket_.undo(0);
  forget_passed_over(0);
}

void Till::back_to(const Mark& mark) {
  if (!spread_)
    for (std::size_t i = 0; i < entries_.size(); ++i) entry_of_[at(entries_[i].test)] = static_cast<Index>(i);
  spread_ = true;
  basket_.undo(mark.bought);
  forget_passed_over(mark.passed_over);
}

void Till::undo(const Mark& mark) {
  basket_.undo(mark.bought);
  entries_.resize(mark.bought);
  cost_ = basket_.total();
  forget_passed_over(mark.passed_over);
}

void Till::add_to_entry(Index test, double share, double cost) {
  Index& place = entry_of_[at(test)];
  if (place < 0) {
    place = static_cast<Index>(entries_.size());
    entries_.push_back({test, 0.0, 0.0});
  }
  Bought& entry = entries_[at(place)];
  entry.share += share;
  entry.cost += cost;
}

void Till::forget_passed_over(std::size_t kept) {
  while (passed_over_.size() > kept) {
    is_passed_over_[at(passed_over_.back())] = 0;
    passed_over_.pop_back();
  }
}

void Till::pass_over(Index test) {
  is_passed_over_[at(test)] = 1;
  passed_over_.push_back(test);
}

}  // namespace thriftwood
