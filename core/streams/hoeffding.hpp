// Hoeffding trees with prices: one pass, bounded memory (VFDT, Domingos & Hulten 2000; EFDT, Manapragada, Webb & Salehi 2018; adaptive
// windows as in HAT, Bifet & Gavalda 2009).
//
//   cells      a leaf counts its cases by feature, code and class; numbers are coded in bins, at quantiles of the rows the tree begins with
//   attempt    every `grace` cases a leaf asks the core's offers, priced by the tests on its path
//   bound      with n cases the difference of two gains is within eps = R sqrt(ln(1/delta) / 2n) of what it would be with all cases; R is
//              the range of a gain: log2(classes) bits, 1 for gini, the dearest mistake for what is in money. It is the gain that is
//              bounded, and the merit that decides: a test is made if its merit with eps/2 less gain is no worse than that of all others
//              with eps/2 more, and it is worth making with eps less; or if eps < tau and the likelihood ratio says that it tells
//              anything at all
//   revising   (EFDT) nodes with a test go on counting; a test is made as soon as it beats none, and made again when another beats it
//   bayes      a leaf may answer by naive Bayes over the tests on its path and those that are free then, with densities of its own cases; or by
//              whichever of that and its counts has cost less so far (the adaptive leaves of Gama, Rocha & Medas 2003)
//   drift      every node watches what the answers below it cost; where that rises a new subtree is begun beside the old one, learns the
//              same cases, and takes its place once it costs less; a leaf where it rises forgets what it counted
//
// A missing value, and a category that the first rows did not have, goes down the heaviest branch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../bayes/naive_bayes.hpp"
#include "../settings.hpp"
#include "../splitting/binning.hpp"
#include "../splitting/offering.hpp"
#include "../table.hpp"
#include "../tree/tree.hpp"
#include "adaptive_window.hpp"

namespace thriftwood {

// What answers at a leaf: its counts, naive Bayes, or whichever has cost less there.
enum class LeafAnswer : std::uint8_t { Counts, Bayes, Adaptive };

struct HoeffdingSettings {
  double delta = 1e-7;
  double tau = 0.05;
  int grace = 200;
  int bins = 64;
  int max_leaves = 1000;
  int max_depth = 0;       // 0: no limit
  bool revise = false;
  int revise_every = 2000;
  double drift = 0.0;      // confidence of the windows; 0: nobody watches
  LeafAnswer leaves = LeafAnswer::Counts;
};

// The densities of the leaves that answer by naive Bayes.
struct LeafDensities {
  NaiveBayes bayes;
  std::vector<Index> group;  // by node of the finished tree: the number of its densities, or -1
};

class HoeffdingTree {
 public:
  // The table decides the features and their bins; its rows are not learnt. `growth` has the criterion, what nominal tests there are and what
  // mistakes cost; `prices` may be null.
  HoeffdingTree(const Table& first, Index classes, const Settings& growth, std::shared_ptr<const Prices> prices, const HoeffdingSettings& settings);

  void learn(const Table& table, std::span<const Index> labels);
  // One case: numbers and codes in the order of the features.
  void learn_row(std::span<const double> values, Index label);

  // The tree as it is now, its nodes answered by what was counted.
  Tree tree() const;
  LeafDensities leaf_densities() const;

  // There are more classes from now on; `place` says where the old ones stand among them, `loss` what answers cost (empty: 1 for a mistake).
  void widen(Index classes, std::span<const Index> place, std::span<const double> loss);

  Index features() const { return static_cast<Index>(features_.size()); }
  Index classes() const { return classes_; }
  Index leaves() const { return leaves_; }
  std::size_t bytes() const;  // of all counts

  // Everything that was learnt, as numbers; `restore` takes it into a tree that was made with the same settings. What does not fit together is an
  // InputError, and leaves a tree that knows nothing.
  std::vector<double> state() const;
  void restore(std::span<const double> numbers);

 private:
  struct Feature {
    bool nominal = false;
    std::uint32_t codes = 0;  // without that of missing values
    std::size_t first = 0;    // of its cells
    Binner binner{{}};
  };
  struct Node {
    Index feature = -1;  // -1: a leaf
    NodeKind kind = NodeKind::Leaf;
    std::uint32_t cut = 0;
    double threshold = 0.0, gain = 0.0;
    std::vector<Index> branch_of;
    Index missing_route = 0;
    std::vector<Index> children;
    std::vector<Index> path;             // the features tested above
    std::vector<double> counts;          // by class, of all cases that came
    std::vector<std::uint32_t> cells;    // empty: not counted any more
    double seen = 0.0, asked = 0.0;      // cases in the cells, and how many there were at the last attempt
    Index alternate = -1;
    std::optional<AdaptiveWindow> window;
    std::vector<Index> known;            // what naive Bayes counts: the path, and what is free then
    std::vector<double> densities;       // empty: nobody asks for them
    double counts_cost = 0.0, bayes_cost = 0.0;  // of the answers so far
  };
  using Codes = std::vector<std::uint32_t>;

  std::uint32_t code(const Feature& feature, double value) const;
  void learn_codes(Index label);
  void learn_at(Index top, Index label);
  void watch(const std::vector<Index>& path, Index label);
  Index branch_of(const Node& node) const;
  void count(Node& node, Index label);
  void attempt(Index at);
  void revise(Index at);
  void split(Index at, const NodeView& view, const Offer& offer);
  void drop_below(Index at);
  void drop(Index at);
  Index new_leaf(const std::vector<Index>& path);
  void fill(const Node& node, Index feature, CategoryCells& cells) const;
  void ask(const Node& node, const NodeView& view);
  Summary summary_of(const Node& node) const;
  MeritRules rules_at(const Summary& summary) const;
  double epsilon(double cases) const;
  bool tells(const NodeView& view, const Offer& offer) const;
  double cost_of_answer(const Node& node, Index label) const;
  double cost_by(std::span<const double> weights, Index label) const;
  double cost_by_bayes(const Node& node, Index label) const;
  bool by_bayes(const Node& node) const;
  void begin_leaf(Node& node) const;
  void begin_again(Node& leaf) const;
  void set_up();

  HoeffdingSettings settings_;
  Settings growth_;
  std::shared_ptr<const Prices> prices_;
  Index classes_ = 0;
  Target target_;
  double range_ = 1.0, dearest_ = 1.0;  // of a gain, and of what a mistake costs more than the best answer
  double least_ = 0.0, most_ = 1.0;     // what an answer costs
  double unit_ = 1.0;                   // what prices are measured by
  std::vector<Feature> features_;
  std::vector<Index> feature_values_;
  std::size_t codes_in_all_ = 0;
  std::vector<Node> nodes_;
  std::vector<Index> free_;
  Index leaves_ = 1;
  double cases_ = 0.0;
  Codes codes_;               // of the case at hand
  std::vector<double> values_;
  Densities densities_;
  std::vector<Offer> offers_;
};

}  // namespace thriftwood
