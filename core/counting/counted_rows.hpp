// Growing where the cases are elsewhere: an Engine that knows of a node what a Counter counted.
//
//   round     all nodes that wait are counted in one pass over the shards. Of the branches of a node all but the largest are counted; that one
//             is what the others leave of the node.
//   gather    the cases of a node that is small enough are copied here, and its whole subtree is grown from them as if they had always been
//             in memory.
//
// So a tree takes as many passes as it has levels of large nodes, and one or more for the small ones.
#pragma once

#include <memory>

#include "counter.hpp"
#include "slot.hpp"

namespace thriftwood {

// How much may be held at once.
struct CountingLimits {
  std::size_t gathered_node = 1u << 20;     // cases: a node of no more is gathered
  std::size_t gathered_rows = 1u << 22;     // of all nodes together, at least as many
  std::size_t counted_cells = 1u << 25;     // numbers that one pass counts, unless it is one node
};

class CountedRows final : public Engine {
 public:
  CountedRows(const Coding& coding, const Target& target, const Settings& settings, std::uint64_t cases, Counter& counter,
              const CountingLimits& limits);
  ~CountedRows() override;
  CountedRows(const CountedRows&) = delete;
  CountedRows& operator=(const CountedRows&) = delete;

  Part whole(std::span<const Row> subset) override;
  std::size_t cases(const Part& part) const override { return part.slot->gathered ? part.count : part.slot->cases; }
  bool ready(const Part& part) const override { return ready(*part.slot); }
  bool at_hand(const Part& part) const override { return part.slot->gathered != nullptr; }
  void fetch(std::span<Part* const> parts) override;
  void keep() override { keeps_ = true; }

  void prepare(const Part& part, const Summary& summary, Workspace& workspace) const override;
  Summary summary(const Part& part) const override;
  std::size_t work(const Part& part) const override;
  bool whole_weights(const Part& part) const override;
  Offer offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const override;
  std::vector<Offer> value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const override;
  std::vector<Offer> cut_offers(const Part& part, const NodeView& node, std::size_t i, CutWindow window, const Workspace& workspace,
                                Workspace& own) const override;
  Split split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const override;
  void weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const override;
  void divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
              std::vector<Part>& parts) const override;
  Part copied(const Part& part) const override;
  void copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const override;
  Workspace make_workspace(int worker) const override;

 private:
  using Slots = std::vector<std::shared_ptr<Slot>>;

  // A node without features has nothing to be asked.
  static bool ready(const Slot& slot) { return slot.gathered || !slot.cells.empty() || slot.features.empty(); }
  // The slots to gather and those to count, of those that are not ready.
  void choose(std::span<Part* const> parts, Slots& gathered, Slots& counted) const;
  void count(const Slots& slots);
  void count_siblings(std::span<const Slots> families);
  void gather(const Slots& slots);
  // The part of a slot that has just been made ready, or not yet.
  Part part_of(const std::shared_ptr<Slot>& slot) const;
  std::shared_ptr<Slot> branch_of(const std::shared_ptr<Slot>& parent, const std::shared_ptr<const Fork>& fork, Side branch,
                                  std::vector<Index> features, std::uint64_t cases) const;
  // What was counted for a feature of the slot.
  std::span<const double> counts(const Slot& slot, Index feature) const;
  // The cells of a feature of the slot, by class alone; of numbers, measured from the node's centre.
  void read_cells(const Slot& slot, Index feature, double centre, CategoryCells& cells) const;
  void read_numbers(std::span<const double> counted, double centre, CategoryCells& cells) const;
  // The sums of the codes that go to each branch; the others are in none.
  std::vector<Summary> branches_of(const Slot& slot, Index feature, std::span<const Side> side_of_code, std::size_t branches) const;
  std::uint64_t cases_in(std::span<const double> counted, std::size_t code) const;

  const Coding& coding_;
  const Target& target_;
  const Settings& settings_;
  Counter& counter_;
  CountingLimits limits_;
  std::shared_ptr<Slot> root_;
  std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
  bool keeps_ = false;
};

}  // namespace thriftwood
