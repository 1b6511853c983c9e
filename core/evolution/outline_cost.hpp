// What an outline costs its training cases, and the outline without what is not worth its price.
//
// Every case, and every part of a case, pays for the tests on its way to its leaf: so tests cost what the way to a leaf costs, times the
// weight there, and no case is looked at one by one. The exceptions are cases that end at several leaves, which get one answer from all
// of them; and values known to be unavailable, where these are not paid for: there the ledger bills the finished tree.
#pragma once

#include <optional>
#include <vector>

#include "../costs.hpp"
#include "outline.hpp"

namespace thriftwood {

class OutlineCost {
 public:
  explicit OutlineCost(const Ground& ground);

  // The mean cost of a case, as mean_bill says of the finished tree.
  double of(const Outline& outline);
  // From the bottom up: a node becomes a leaf if that is not dearer. Returns the mean cost then.
  double prune(Outline& outline);

 private:
  double tests(const Outline& outline);
  double mistakes(const Outline& outline);
  // What answers to parted cases cost more than the answers of the leaves their parts are at.
  double parted(const Outline& outline);
  double billed(const Outline& outline) const;
  void order(const Outline& outline, std::size_t node);

  Ground ground_;
  std::vector<Row> rows_;             // that count; only where they are billed one by one
  double weight_ = 0.0;
  std::optional<Basket> basket_;      // none: tests cost nothing
  std::vector<std::size_t> bought_;   // per node: the size of the basket its branches begin with
  std::vector<Index> labels_;         // per leaf
  std::vector<Index> leaf_of_;        // per node: the leaf that it is, or that took its place
  std::vector<Index> slot_of_;        // per row: its place in the lists below, -1 if it has none
  std::vector<Row> spread_rows_;
  std::vector<double> shares_;        // per such row and class
};

}  // namespace thriftwood
