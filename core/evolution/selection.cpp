#include "selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thriftwood {

std::vector<double> expected_copies(std::span<const double> costs, double worst) {
  std::vector<double> copies(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) copies[i] = std::max(0.0, worst - costs[i]);
  const double mean = std::accumulate(copies.begin(), copies.end(), 0.0) / static_cast<double>(costs.size());
  const bool some_better = mean > 0.0 && std::isfinite(mean);
  for (double& copy : copies) copy = some_better ? copy / mean : 1.0;
  return copies;
}

std::vector<std::size_t> sample_evenly(std::span<const double> copies, std::size_t wanted, double start) {
  const double total = std::accumulate(copies.begin(), copies.end(), 0.0);
  std::vector<std::size_t> places;
  places.reserve(wanted);
  double reached = 0.0;
  std::size_t last = 0;  // rounding may leave a little beyond it
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (!(copies[i] > 0.0)) continue;
    last = i;
    reached += copies[i] / total * static_cast<double>(wanted);
    while (places.size() < wanted && start + static_cast<double>(places.size()) < reached) places.push_back(i);
  }
  places.resize(wanted, last);
  return places;
}

}  // namespace thriftwood
