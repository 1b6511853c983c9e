// The test below which the cheapest tree of a few levels was found: optimal near the node, by merit further down. A test that tells nothing
// by itself, and which others to ask, is found by it.
//
//   candidate   a test that keeps to the rules of growth: of a numeric feature its best cut and some more, evenly spread over the cases
//   value       of a node: the least of what it costs as a leaf, and of the totals of its candidates
//   total       of a candidate: what the cases pay for it, and the values of its outcomes with one level less
//
// settings.lookahead says how many levels there are. At the last one a node has its test of the largest merit; with settings.rollouts so it
// has at every one but the first, which takes a fraction of the time and sees further. Everything is in money, so criteria whose gain is not
// have no use for it. A cut that was chosen is looked at again among its neighbours until there is none between.
//
// Of equal totals that of the largest merit is taken, then that of the lowest feature and cut. Outcomes are looked at one by one: paid
// upfront, each counts the tests bought so far and its own as if the others bought none. When growth is to stop, nodes that are still open
// get the test of the largest merit.
#pragma once

#include <vector>

#include "best_chooser.hpp"

namespace thriftwood {

class SearchChooser final : public Chooser {
 public:
  SearchChooser(Fit& fit, Grower& grower);

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;
  std::size_t subtree_work(const Part& part) const override;

 private:
  // Keeps every node of a trial open that may be split.
  class Opener final : public Chooser {
   public:
    std::optional<Choice> choose(const GrowingTree&, const OpenNode&, Workspace&, ThreadPool*) override { return Choice{}; }
  };
  struct Candidate {
    Offer offer;
    std::size_t place = 0;  // of its feature
    double total = infinity;
  };
  using Candidates = std::vector<Candidate>;

  // How many levels are looked at from a node of that depth.
  int levels_at(int depth) const;
  // The most promising first. `workspace` has been prepared for the node, and has its offers.
  Candidates list(const OpenNode& open, Workspace& workspace) const;
  // Adds the tests of one numeric feature inside the window, with its price.
  void add_cuts(const OpenNode& open, const Offer& best, std::size_t place, CutWindow window, Workspace& workspace, Candidates& found) const;
  void add(const OpenNode& open, const Offer& offer, std::size_t place, Candidates& found) const;
  // Looks at every candidate; `offers` are those of the node.
  void look(const GrowingTree& growing, const OpenNode& open, Candidates& candidates, std::span<const Offer> offers, int levels, ThreadPool* pool,
            int worker);
  // Looks between the candidate that was taken and its neighbours, and puts what is better in its place.
  void refine(const GrowingTree& growing, const OpenNode& open, const Candidates& candidates, Candidate& taken, std::span<const Offer> offers,
              int levels, Workspace& workspace, ThreadPool* pool);
  // `most`: a larger one does not matter.
  double total(const GrowingTree& growing, OpenNode&& open, Choice&& choice, int levels, double most, Workspace& workspace);
  double value(const GrowingTree& growing, OpenNode&& open, int levels, double most, Workspace& workspace);
  // What the cases of a node pay for a test.
  bool cheaper(const OpenNode& open, double total, double than) const;
  double charge(const OpenNode& open, const Offer& offer) const;
  double saving(const OpenNode& open, const Offer& offer) const { return offer.gain * open.summary.weight - charge(open, offer); }
  OpenNode copied(const OpenNode& open) const;

  Fit& fit_;
  Grower& grower_;
  BestChooser best_;
  Opener opener_;
  std::vector<Workspace> workspaces_;  // by worker: those of the fit belong to the nodes that are looking
};

}  // namespace thriftwood
