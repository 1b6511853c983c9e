// Which cases are at which node: the cases of a pruning set sent down a tree, all nodes at once.
//
//   share     a case at a node; a case with a missing value is shared out among the branches by the weight of
//             the cases whose branch is known, as in training
//   segment   a node's shares, side by side in one array
//   stopped   shares that end at an inner node because its test has no answer for them
//
// A node whose cases all take one branch each is sorted in place: its children's segments are parts of its
// own. Where a case is split, the children's segments are appended instead. So without missing values the
// array never grows beyond the cases.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "../basics/interruption.hpp"
#include "../tree/walk.hpp"
#include "cases.hpp"

namespace thriftwood {

struct Share {
  Row row;
  Index label;
  double weight;
};

class SharesOfNodes {
 public:
  // All cases are at the root. The tree's nodes may change between calls, its numbering may not.
  SharesOfNodes(const Tree& tree, const Cases& cases) : tree_(tree), table_(cases.table), places_(tree.nodes.size()) {
    shares_.reserve(cases.rows.empty() ? cases.labels.size() : cases.rows.size());
    each_row(cases, [&](Row row) {
      if (const double weight = cases.weight(row); weight > 0.0) shares_.push_back({row, cases.labels[row], weight});
    });
    place(0).all = {0, shares_.size()};
  }

  std::span<const Share> at(Index i) const { return view(place(i).all); }
  std::span<const Share> stopped(Index i) const { return view(place(i).stopped); }
  bool split_or_stopped(Index i) const { return !place(i).in_place; }

  // The branch with the largest weight of cases that took one branch, the later of equals; -1 if there is
  // none.
  Index heaviest_branch(Index i) const { return place(i).heaviest; }

  // The two parts of a node's segment before and after one child's, where no case was split.
  std::array<std::span<const Share>, 2> outside(Index i, Index child) const {
    const Segment all = place(i).all, inner = place(child).all;
    return {view({all.begin, inner.begin}), view({inner.end, all.end})};
  }

  // Sends the shares of `start` down to the leaves and appends the nodes of the subtree to `order`, parents
  // first.
  void distribute(Index start, std::vector<Index>& order) {
    open_.push_back(start);
    while (!open_.empty()) {
      const Index i = open_.back();
      open_.pop_back();
      order.push_back(i);
      const Node& node = tree_.node(i);
      if (node.leaf()) continue;
      poll(at(i).size());
      spread(i);
      for (Index b = node.n_children - 1; b >= 0; --b) open_.push_back(node.first_child + b);
    }
  }

  // Gives all shares of a node to its descendant; `release` forgets what was appended since.
  std::size_t lend(Index i, Index descendant) {
    const Segment all = place(i).all;
    const std::size_t mark = shares_.size();
    shares_.resize(mark + (all.end - all.begin));
    std::copy(shares_.begin() + static_cast<std::ptrdiff_t>(all.begin), shares_.begin() + static_cast<std::ptrdiff_t>(all.end),
              shares_.begin() + static_cast<std::ptrdiff_t>(mark));
    place(descendant).all = {mark, shares_.size()};
    return mark;
  }
  void release(std::size_t mark) { shares_.resize(mark); }

  // The leaf that a row reaches from a node, or -1 if some test on the way has no answer and does not choose
  // one branch.
  Index leaf_below(Index i, Row row) const {
    for (const Node* node = &tree_.node(i); !node->leaf(); node = &tree_.node(i)) {
      const Column& column = table_.column(node->feature);
      Index b = -1;
      if (node->kind == NodeKind::Threshold && column.storage == Storage::Float64) {  // saves a third of pruning's time
        const double number = static_cast<const double*>(column.data)[static_cast<std::ptrdiff_t>(row) * column.stride];
        b = number <= node->threshold ? 0 : number > node->threshold ? 1 : -1;
      }
      if (b < 0) b = branch(tree_, *node, TableRow{table_, row});
      if (b < 0) return -1;
      i = node->first_child + b;
    }
    return i;
  }

 private:
  struct Segment {
    std::size_t begin = 0, end = 0;
  };
  struct Place {
    Segment all, stopped;
    Index heaviest = -1;
    bool in_place = true;
  };
  struct Branch {
    std::size_t count = 0;
    double weight = 0.0;
  };

  Place& place(Index i) { return places_[static_cast<std::size_t>(i)]; }
  const Place& place(Index i) const { return places_[static_cast<std::size_t>(i)]; }
  std::span<const Share> view(Segment s) const { return {shares_.data() + s.begin, s.end - s.begin}; }

  void spread(Index i) {
    if (!cut(i)) spread_by_branch(i);
  }

  // The common case in one pass, three times as fast: a threshold on a dense column. Says false for any other
  // test, and, with the node's shares in another order, if it meets a missing value.
  bool cut(Index i) {
    const Node& node = tree_.node(i);
    if (node.kind != NodeKind::Threshold || node.n_children != 2) return false;
    const Column& column = table_.column(node.feature);
    if (column.storage == Storage::Float64) return cut(i, static_cast<const double*>(column.data), column.stride);
    if (column.storage == Storage::Float32) return cut(i, static_cast<const float*>(column.data), column.stride);
    return false;
  }

  template <class Float>
  bool cut(Index i, const Float* numbers, std::ptrdiff_t stride) {
    const Node& node = tree_.node(i);
    const Segment all = place(i).all;
    const std::size_t count = all.end - all.begin;
    sorted_.resize(std::max(sorted_.size(), count + 1));
    Share* low = shares_.data() + all.begin;
    Share* high = sorted_.data();
    std::size_t lows = 0, highs = 0;
    double low_weight = 0.0, high_weight = 0.0;
    bool known = true;
    for (std::size_t at = 0; at < count && known; ++at) {
      const Share share = shares_[all.begin + at];
      const auto number = static_cast<double>(numbers[static_cast<std::ptrdiff_t>(share.row) * stride]);
      known = !std::isnan(number);
      const bool up = !(number <= node.threshold);
      low[lows] = share;  // written to both sides, kept on one: no branch to mispredict
      high[highs] = share;
      lows += up ? 0 : 1;
      highs += up ? 1 : 0;
      low_weight += up ? 0.0 : share.weight;
      high_weight += up ? share.weight : 0.0;
    }
    std::copy_n(high, highs, low + lows);
    if (!known) return false;
    const std::size_t middle = all.begin + lows;
    place(node.first_child).all = {all.begin, middle};
    place(node.first_child + 1).all = {middle, all.end};
    place(i).stopped = {};
    place(i).in_place = true;
    place(i).heaviest = count == 0 ? -1 : highs == 0 || (lows > 0 && clearly_greater(low_weight, high_weight)) ? 0 : 1;
    return true;
  }

  void spread_by_branch(Index i) {
    const Node& node = tree_.node(i);
    const Segment all = place(i).all;
    const std::size_t count = all.end - all.begin;
    taken_.resize(std::max(taken_.size(), count));
    branches_.assign(static_cast<std::size_t>(node.n_children), {});
    std::size_t decided = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const Share& share = shares_[all.begin + at];
      const Index b = taken_[at] = branch(tree_, node, TableRow{table_, share.row});
      if (b < 0) continue;
      ++decided;
      ++branches_[static_cast<std::size_t>(b)].count;
      branches_[static_cast<std::size_t>(b)].weight += share.weight;
    }
    note_heaviest(place(i));
    place(i).in_place = decided == count;
    place(i).stopped = {};
    if (decided == count)
      sort_in_place(node, all);
    else
      append_branches(i, all);
  }

  void note_heaviest(Place& place) {
    place.heaviest = -1;
    double most = 0.0;
    for (std::size_t b = 0; b < branches_.size(); ++b)
      if (branches_[b].count > 0 && !clearly_greater(most, branches_[b].weight)) {
        most = branches_[b].weight;
        place.heaviest = static_cast<Index>(b);
      }
  }

  void sort_in_place(const Node& node, Segment all) {
    sorted_.assign(shares_.begin() + static_cast<std::ptrdiff_t>(all.begin), shares_.begin() + static_cast<std::ptrdiff_t>(all.end));
    std::size_t begin = all.begin;
    next_.resize(branches_.size());
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      next_[b] = begin;
      begin += branches_[b].count;
      place(node.first_child + static_cast<Index>(b)).all = {next_[b], begin};
    }
    for (std::size_t at = 0; at < sorted_.size(); ++at) shares_[next_[static_cast<std::size_t>(taken_[at])]++] = sorted_[at];
  }

  void append_branches(Index i, Segment all) {
    const Node& node = tree_.node(i);
    double known = 0.0;
    for (const Branch& b : branches_) known += b.weight;
    for (Index b = 0; b < node.n_children; ++b) {
      const double weight = branches_[static_cast<std::size_t>(b)].weight;
      // Training cases always include some whose branch is known; other cases may not, and follow the tree's
      // own weights.
      const double part = known > 0.0 ? weight / known : branch_share(tree_, node, b);
      place(node.first_child + b).all = pick(all, b, part);
    }
    place(i).stopped = pick(all, route_stop, 0.0);
  }

  // Appends the shares that took branch `b` and, scaled by `part`, those that go down every branch.
  Segment pick(Segment all, Index b, double part) {
    const std::size_t begin = shares_.size();
    for (std::size_t at = all.begin; at < all.end; ++at) {
      const Index taken = taken_[at - all.begin];
      const double scale = taken == b ? 1.0 : taken == route_fractional ? part : 0.0;
      if (scale <= 0.0) continue;
      Share share = shares_[at];
      share.weight *= scale;
      shares_.push_back(share);
    }
    return {begin, shares_.size()};
  }

  const Tree& tree_;
  const Table& table_;
  std::vector<Place> places_;
  std::vector<Share> shares_;
  std::vector<Index> open_;  // workspaces, kept between calls
  std::vector<Index> taken_;
  std::vector<Branch> branches_;
  std::vector<Share> sorted_;
  std::vector<std::size_t> next_;
};

}  // namespace thriftwood
