// The best single question for several subsets of a part at once: one sweep over the sorted units of a column serves all of them.
//
//   lane    one subset. A sweep has eight, or sixteen where costs are whole multiples of a unit: then sums are whole numbers
//   sweep   passes the units of a part in the order of a column, adding those of each lane to its sums
//
// With two answers the difference between their costs is all that counts: a leaf costs what the second answer costs, less the difference
// where the first is cheaper. So the best cut of a column is where the sum of the differences is least, or largest.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "view.hpp"

namespace thriftwood::optimal {

class Lanes {
 public:
  static constexpr std::size_t most_lanes = 16;

  // `with_weights`: whether sweeps are to tell the weight of the units with a value.
  Lanes(const Cases& cases, bool with_weights);

  std::size_t width() const { return whole_ ? 16 : 8; }

  // The part that subsets are of; both must stay until the last sweep.
  void begin(const Part& part, const View& view);

  // Empties all lanes.
  void clear();
  // Places of the view, from `first` to `last`; several ranges may make up one lane.
  void add(std::size_t lane, const std::uint32_t* first, const std::uint32_t* last);
  // The left and the right side of every cut of a column, in lanes `lane`, `lane` + 1, and so on.
  void add_cuts(std::size_t lane, const ColumnView& column, std::span<const std::uint32_t> cuts);
  // After the last of these.
  void close();

  // What the best leaf for a lane costs; 0 where the lane is empty.
  double leaf(std::size_t lane) const { return leaf_[lane]; }
  double weight(std::size_t lane) const { return weight_[lane]; }

  // Per lane: what it costs after the best question about the column, with fees and without the price. And, with weights, the weight of
  // the units that have a value.
  void sweep(const ColumnView& column, double* cost, double* known_weight);

 private:
  static constexpr std::size_t row = 64;  // bytes per place
  enum class How : std::uint8_t {
    Difference,  // two answers, no prior, fees of two leaves or none
    Sums,        // the same with more answers
    All,         // sums, weights and numbers of units
  };
  struct Free {
    void operator()(std::byte* p) const;
  };
  using Room = std::unique_ptr<std::byte[], Free>;

  static Room aligned(std::size_t bytes);
  // Lanes are bits.
  void add_to(std::uint32_t lanes, const std::uint32_t* first, const std::uint32_t* last);
  template <class Number>
  double total(std::size_t answer, std::size_t lane) const;
  const void* costs() const { return whole_ ? static_cast<const void*>(whole_costs_.data()) : costs_.data(); }

  const Cases& cases_;
  bool with_weights_;
  bool whole_;                      // numbers are whole multiples of cases.unit
  How how_;
  std::size_t answers_;
  const Part* part_ = nullptr;
  const View* view_ = nullptr;
  std::vector<double> costs_;       // per place and answer; by difference: the difference, and what the second answer costs
  std::vector<std::int32_t> whole_costs_;
  std::vector<double> weights_;     // per place
  std::size_t places_ = 0;          // that in_ has room for
  Room in_;                         // per place and lane: by difference the difference where the unit is in it, else 0; otherwise all bits or none
  Room total_;                      // per answer and lane, as costs_ are; then space for sweeps
  double leaf_[most_lanes] = {};
  alignas(64) double weight_[most_lanes] = {};
  alignas(64) double count_[most_lanes] = {};
};

}  // namespace thriftwood::optimal
