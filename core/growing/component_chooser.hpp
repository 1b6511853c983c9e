// The test that is best together with the tests planned for its two outcomes (LASC): every candidate divides the cases on trial, and both
// outcomes are asked what their features offer. How the best pair of planned tests is found: components.hpp.
#pragma once

#include <atomic>

#include "chooser.hpp"
#include "components.hpp"

namespace thriftwood {

class ComponentChooser final : public Chooser {
 public:
  explicit ComponentChooser(Fit& fit);

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;
  std::size_t subtree_work(const Part& part) const override { return fit_.rows.work(part); }

 private:
  // A node whose test is searched, as all threads see it.
  struct Search {
    const GrowingTree& growing;
    const OpenNode& open;
    const std::vector<Offer>& offers;  // of the node's features, with their prices
    MeritRules rules;
    // Of the best component so far. What cannot reach it is not looked at further, which saves time and changes nothing.
    std::atomic<double> rate{0.0};
    std::atomic<bool> free_found{false};

    void take_note(const Merit& merit);
  };

  // The workspace of one thread that tries candidates.
  struct Trial {
    Workspace workspace;
    PartCopy copy;                              // the cases of the node, to be divided
    std::vector<Part> parts;                    // of the outcomes
    std::vector<bool> opened;                   // by branch: whether it may be split
    std::array<double, 2> shares{};             // of the node's weight, of each outcome
    std::array<std::vector<Offer>, 2> offers;   // empty where the growth rules leave a leaf
    std::array<std::vector<Option>, 2> options;
    std::vector<double> prices;                 // of the features that stay testable, once the root was bought
    std::vector<bool> drawn;                    // whether the node asked them, and a budget leaves them: it plans with no others
  };

  // The tests the root of a component may have: one of each feature, of nominal features one for each value.
  std::vector<Offer> list_candidates(const OpenNode& open, Workspace& workspace) const;
  // The best component of every candidate; none where others are known to be better.
  std::vector<Component> find_components(Search& search, std::span<const Offer> candidates, Workspace& workspace, ThreadPool* pool);
  Component component_at(const Search& search, const Offer& candidate, Trial& trial) const;
  // First how the candidate divides the cases, then the moving of a copy of them, then the offers of one outcome.
  void divide(const Search& search, const Offer& candidate, Trial& trial) const;
  void move(const Search& search, const Offer& candidate, Trial& trial) const;
  void ask_outcome(const Search& search, std::size_t side, Trial& trial) const;
  // The choice of a component: its root, and the tests planned for the outcomes.
  Choice plan(const Search& search, const Offer& root, const Component& component, Trial& trial) const;
  bool gains_enough(const Component& component, const Summary& summary) const;

  Fit& fit_;
  std::vector<Trial> trials_;  // by worker
};

}  // namespace thriftwood
