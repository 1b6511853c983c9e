// What growing asks about the cases of the open nodes, wherever they lie: what the features of a node offer, and dividing its cases.
//
//   Rows          (rows.hpp) the cases are in memory
//   CountedRows   (counting/counted_rows.hpp) byte codes elsewhere, in a file or on other machines: they are counted in rounds, many nodes at
//                 a time, and the cases of small nodes are gathered
//
// Growing decides everything else, so trees are the same whoever has the cases.
#pragma once

#include <span>
#include <vector>

#include "../basics/thread_pool.hpp"
#include "../splitting/offering.hpp"
#include "part.hpp"
#include "workspace.hpp"

namespace thriftwood {

// Which cuts of a numeric feature are asked for: so many at most, between two positions (Offer::position).
struct CutWindow {
  std::size_t most = 0;
  std::uint32_t after = 0, before = 0xffffffffu;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // All rows, or the given ones (ascending, each once).
  virtual Part whole(std::span<const Row> subset) = 0;
  // The number of cases.
  virtual std::size_t cases(const Part& part) const { return part.count; }

  // Whether anything can be asked about a part; if not, `fetch` makes it so, for as many of these parts as there is room, at least one.
  virtual bool ready(const Part&) const { return true; }
  virtual void fetch(std::span<Part* const> /*parts*/) {}
  // Whether every part below this one is ready, too.
  virtual bool at_hand(const Part&) const { return true; }
  // Growth is to be begun anew, perhaps several times: what was fetched is to be kept.
  virtual void keep() {}

  // Prepares the workspace for the node at hand. Call before anything below.
  virtual void prepare(const Part& part, const Summary& summary, Workspace& workspace) const = 0;
  // Of the first part.
  virtual Summary summary(const Part& part) const = 0;
  // In cells to be looked at.
  virtual std::size_t work(const Part& part) const = 0;
  virtual bool whole_weights(const Part& part) const = 0;

  // What the feature part.features[i] offers. `workspace` is the node's, `own` the calling thread's.
  virtual Offer offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const = 0;
  // Value against the others: what the nominal feature part.features[i] offers for each category, in order.
  virtual std::vector<Offer> value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const = 0;
  // What the numeric feature part.features[i] offers at some cuts, in order, evenly spread over the cases. Of classes only.
  virtual std::vector<Offer> cut_offers(const Part& part, const NodeView& node, std::size_t i, CutWindow window, const Workspace& workspace,
                                        Workspace& own) const = 0;
  virtual Split split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const = 0;

  // Finds where the cases go and sums up the branches, in workspace.division; nothing is moved.
  virtual void weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const = 0;
  // The parts of the branches marked open; the others stay empty. workspace.kept says which features stay testable.
  virtual void divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
                      std::vector<Part>& parts) const = 0;

  // The same cases in a block of their own, to be divided without moving those of the part.
  virtual Part copied(const Part& part) const = 0;
  // Copies a part with the features at the given places.
  virtual void copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const = 0;

  // For the thread of that number.
  virtual Workspace make_workspace(int worker) const = 0;
};

}  // namespace thriftwood
