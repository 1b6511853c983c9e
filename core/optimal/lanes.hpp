// The best single question for several subsets of a part at once: one sweep over the sorted units of a column serves all of them.
//
//   lane    one subset; a sweep has eight
//   sweep   passes the units of a part in the order of a column, adding those of each lane to its sums
//
// With two answers the difference between their costs is all that counts: a leaf costs what the second answer costs, less the difference
// where the first is cheaper. So the best cut of a column is where the sum of the differences is least, or largest.
#pragma once

#include <memory>
#include <vector>

#include "view.hpp"

namespace thriftwood::optimal {

class Lanes {
 public:
  static constexpr std::size_t width = 8;

  // `with_weights`: whether sweeps are to tell the weight of the units with a value.
  Lanes(const Cases& cases, bool with_weights);

  // The part that subsets are of; both must stay until the last sweep.
  void begin(const Part& part, const View& view);

  // Empties all lanes.
  void clear();
  // Places of the view, from `first` to `last`; several ranges may make up one lane.
  void add(std::size_t lane, const std::uint32_t* first, const std::uint32_t* last);
  // After the last `add`.
  void close();

  // What the best leaf for a lane costs; 0 where the lane is empty.
  double leaf(std::size_t lane) const { return leaf_[lane]; }
  double weight(std::size_t lane) const { return weight_[lane]; }

  // Per lane: what it costs after the best question about the column, with fees and without the price. And, with weights, the weight of
  // the units that have a value.
  void sweep(const ColumnView& column, double* cost, double* known_weight);

  std::size_t bytes() const { return room_ * width * sizeof(double); }

 private:
  struct Free {
    void operator()(double* p) const;
  };

  const Cases& cases_;
  bool with_weights_;
  bool by_difference_;
  const Part* part_ = nullptr;
  const View* view_ = nullptr;
  std::vector<double> costs_;            // per place and answer
  std::vector<double> difference_;       // per place
  std::vector<double> weights_;          // per place
  std::size_t room_ = 0;                 // places that in_ has
  std::unique_ptr<double[], Free> in_;   // per place and lane: the difference where the unit is in it, else 0; or 1 and 0
  alignas(64) double leaf_[width] = {};
  alignas(64) double weight_[width] = {};
  alignas(64) double count_[width] = {};
  alignas(64) double second_[width] = {};   // by difference: what the second answer costs
  alignas(64) double sum_[width] = {};      // by difference: of the differences
  std::unique_ptr<double[], Free> total_;   // per answer and lane
};

}  // namespace thriftwood::optimal
