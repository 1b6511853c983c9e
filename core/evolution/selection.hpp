// Selection: which strings are copied into the next generation, and how often.
#pragma once

#include <span>
#include <vector>

namespace thriftwood {

// The number of copies to expect of each string: its distance from `worst`, over the mean distance. One each where nobody is better
// than another.
std::vector<double> expected_copies(std::span<const double> costs, double worst);

// Stochastic universal sampling (Baker 1987): as many places as wanted, in ascending order, so that each comes as often as its copies
// say, rounded down or up. start: in [0, 1).
std::vector<std::size_t> sample_evenly(std::span<const double> copies, std::size_t wanted, double start);

}  // namespace thriftwood
