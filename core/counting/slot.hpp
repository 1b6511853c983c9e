// A node whose cases are elsewhere: the way to it, what was counted of it, or its cases once they have been gathered.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "../rows/rows.hpp"
#include "coding.hpp"

namespace thriftwood {

// The columns of a coded table, without values.
Table table_of(const Coding& coding, std::size_t rows);

// A table of its own, made of gathered codes. Whatever is asked of it is answered as the in-memory engine would.
class Gathered {
 public:
  // `held` is what all gathered rows of a fit come to; it falls when these go.
  Gathered(CodedRows rows, const Coding& coding, const Target& target, const Settings& settings, std::shared_ptr<std::atomic<std::size_t>> held);
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;
  ~Gathered() { held_->fetch_sub(target_.rows()); }

  Rows& rows() { return *rows_; }
  const Rows& rows() const { return *rows_; }
  // Its cases, with these features.
  Part part(const std::vector<Index>& features);

 private:
  Table table_;
  Target target_;
  Columns columns_;
  std::vector<std::vector<Index>> wide_;  // by feature: codes of columns that are read from the table
  std::unique_ptr<Rows> rows_;
  Part whole_;
  std::shared_ptr<std::atomic<std::size_t>> held_;
};

// How a node's cases were divided.
struct Fork {
  Index feature = -1;
  std::vector<Side> side_of_code;  // the last one of missing values
  bool operator==(const Fork&) const = default;
};

struct Slot {
  std::shared_ptr<Slot> parent;            // null: the root
  std::shared_ptr<const Fork> fork;        // of the parent
  Side branch = 0;
  std::vector<Index> features;             // that may still be tested
  std::uint64_t cases = 0;
  std::vector<double> cells;               // of those features, one after the other; empty: not counted (yet)
  std::unique_ptr<Gathered> gathered;
  std::vector<std::shared_ptr<Slot>> below;  // where growth begins anew: what was divided before
};

}  // namespace thriftwood
