// The inner loops of Lanes, compiled for every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cases.hpp"

namespace thriftwood::optimal {

// What a sweep reads and writes. Vectors of 64 bytes: eight doubles or sixteen whole numbers, one for each lane.
struct Sweep {
  const std::uint32_t* sorted;
  const std::uint32_t* ends;
  std::uint32_t groups, known, units;
  Asking asking;
  std::size_t answers;
  const void* costs;     // per place and answer
  const void* in;        // a vector per place
  const void* total;     // a vector per answer
  void* space;           // three vectors per answer
  void* cost;            // a vector: the result, without fees
  // Where leaves do not cost the sum of their units:
  const double* weights; // per place
  const double* weight;  // a vector
  const double* count;   // a vector
  const double* prior_cost;
  double prior_weight, fee;
  void* known_weight;    // a vector: a result
};

// Puts a run of places into lanes: those that `lanes` has all bits of.
struct Fill {
  const std::uint32_t* first;
  const std::uint32_t* last;
  const void* lanes;     // a vector
  bool difference;       // the difference goes in, else all bits
  std::size_t answers;
  const void* costs;     // per place and answer
  void* in;              // a vector per place
  void* total;           // a vector per answer
};
void fill(const Fill& f);
void fill_whole(const Fill& f);

void sweep_differences(const Sweep& s);
void sweep_differences_whole(const Sweep& s);
void sweep_sums(const Sweep& s);
void sweep_sums_whole(const Sweep& s);
// Sums, weights and numbers of units, with fees; `in` has all bits of the units' lanes.
void sweep_all(const Sweep& s);

}  // namespace thriftwood::optimal
