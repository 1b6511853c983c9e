// A tree that is revised by every case and stays the tree that the batch learner grows on the same cases: ID5R (Utgoff 1989: nominal tests of
// many branches) and ITI (Utgoff, Berkman & Clouse 1997: tests of two branches, numbers, missing values).
//
//   node    counts its cases by feature, value and class, so that its best test is a function of its counts; the cases themselves lie in
//           leaves, and those without a value of the tested feature stay at the node
//   stale   its counts have changed since its test was chosen
//   settle  chooses the test of every stale node again. Where another one is better (another cut is another test), the subtrees below are
//           parted by it and joined again: pull-up and transposition, one case or a million
//   parted  a subtree divided by a test, by outcome; one that lies on one side is handed over as it is
//   joined  the parts of one side under the old test, stale; a part alone takes its place
//
// A case that comes changes the cost of a node and raises that of one branch of any test: where nothing is missing no gain (times the weight) grows
// by more than the node's cost does, about one bit. Where values are missing, and for a case that goes, by no more than log2(n) + 2 bits (entropy) or 2
// (gini). So a feature that was further behind when it was asked last need not be asked again, which saves most of the work at large nodes. Not by gain
// ratio, where a small gain may win.
//
// Tests are paid along the path: a test that changes makes everything below it stale, if there are prices. What a criterion says must follow
// from the counts of the node and the tests above it; criteria that look at the share of all cases at a node are not for this tree.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../settings.hpp"
#include "../splitting/coded_cut.hpp"
#include "../splitting/offering.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

class RevisedTree {
 public:
  // `feature_values`: the number of categories of each feature, 0: numbers. `prices` may be null. `discard`: what lies below a test that changes
  // is not regrouped but begins anew with the case at hand (ID4, Schlimmer & Fisher 1986), so that the tree depends on the order of arrival; it
  // is settled with every case, and nothing is forgotten.
  RevisedTree(std::vector<Index> feature_values, Index classes, const Settings& growth, std::shared_ptr<const Prices> prices, bool discard = false);
  ~RevisedTree();

  // One case: numbers and codes in the order of the features; NaN: missing. The tree is settled when it is asked for, or by `settle`.
  void add(std::span<const double> values, Index label);
  // Takes one such case back; false: there is none.
  bool forget(std::span<const double> values, Index label);
  void settle();

  // The class that a case is answered with most often where it ends; the tree is settled first.
  Index answer(std::span<const double> values);
  Tree tree();

  std::size_t cases() const { return labels_.size() - free_.size(); }
  // Of all cases: values one after the other, and labels.
  std::vector<double> values() const;
  std::vector<Index> labels() const;
  // How many tests were chosen, and how many of them were others than before.
  std::size_t chosen() const { return chosen_; }
  std::size_t changed() const { return changed_; }

 private:
  using Case = std::uint32_t;
  using Path = std::vector<Index>;

  struct Test {
    Index feature = -1;  // -1: none, a leaf
    double at = 0.0;  // the threshold, or the category of a test of one value
    bool operator==(const Test&) const = default;
  };
  struct Counts {  // of one feature
    std::vector<double> values;  // numbers: those that occur, rising
    std::vector<std::uint32_t> cells;  // by value (number or code) and class
    std::vector<std::uint32_t> missing;  // by class
  };
  struct Node;
  using Ptr = std::unique_ptr<Node>;
  using Parts = std::vector<std::pair<Index, Ptr>>;  // by outcome, rising; missing_code: those that stay
  struct Node {
    std::vector<double> cell;
    std::vector<Counts> counts;
    Test test;
    double gain = 0.0;
    Parts children;
    std::vector<Case> cases;  // of a leaf; else those that stay
    std::vector<double> most_gain;  // by feature: its gain, times the weight, is at most this; infinite: unknown
    bool stale = true;
  };

  double value(Case one, std::size_t feature) const { return values_[one * kinds_.size() + feature]; }
  bool nominal(Index feature) const { return kinds_[static_cast<std::size_t>(feature)] > 0; }
  Index outcome(const Test& test, double value) const;
  Index outcome(const Test& test, Case one) const { return outcome(test, value(one, static_cast<std::size_t>(test.feature))); }
  double cost_of(const Node& node) const;
  void count(Node& node, std::span<const double> values, Index label, bool add) const;
  void absorb(Node& node, const Node& other) const;
  Ptr new_node() const;
  Ptr leaf_of(std::vector<Case> cases) const;
  Parts divided(const std::vector<Case>& cases, const Test& test) const;
  void gather(const Node& node, std::vector<Case>& cases) const;
  bool one_sided(const Node& node, const Test& test, Index& side) const;
  Parts parted(Ptr node, const Test& test);
  Ptr joined(const Test& test, Parts parts);
  void regroup(Node& node, const Test& wanted);
  void settle(Node& node, Path& path);
  void mark(Node& node);
  void begin_anew(Node& node, const Test& wanted) const;
  Offer offer_of(const Node& node, const NodeView& view, Index feature);
  Test best(Node& node, const Path& path);
  CategoryCells& cells_of(const Counts& counts, Index feature);
  Split split_of(const Node& node, const NodeView& view);
  NodeView view_of(const Summary& summary) const { return {target_, growth_, summary, true, cases()}; }
  void write(const Node& node, Tree& tree, Index number, Index above);
  void know_logarithms();

  std::vector<Index> kinds_;
  Index classes_;
  Settings growth_;
  std::shared_ptr<const Prices> prices_;
  bool discard_ = false;
  Case last_ = 0;  // the case that came last
  Target target_;
  bool bounds_gain_ = false;  // merits rise with gains and look at nothing else of a test but its price
  std::vector<double> values_;
  std::vector<Index> labels_;  // -1: the place is free
  std::vector<Case> free_;
  Ptr root_;
  std::size_t chosen_ = 0, changed_ = 0;
  CategoryCells cells_;  // workspace
  std::vector<Counted> counted_;  // workspace
};

}  // namespace thriftwood
