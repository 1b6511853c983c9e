// Mean, variance, skewness and kurtosis of numbers that are at hand, of amplitudes and bicoherences.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace thriftwood::flowtype {

// The mean of (value - centre)^Power. Eight sums side by side: a single one waits for itself at every addition.
template <int Power>
double mean_power(std::span<const float> values, double centre) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const auto term = [centre](float value) {
    const double gap = static_cast<double>(value) - centre;
    double product = gap;
    for (int i = 1; i < Power; ++i) product *= gap;
    return product;
  };
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(values[i + lane]);
  double total = 0.0;
  for (; i < values.size(); ++i) total += term(values[i]);
  for (const double sum : sums) total += sum;
  return total / static_cast<double>(values.size());
}

inline double mean_of(std::span<const float> values) { return mean_power<1>(values, 0.0); }

inline double variance_of(std::span<const float> values) { return mean_power<2>(values, mean_of(values)); }

// 0 where nothing varies.
inline double skewness_of(std::span<const float> values) {
  const double mean = mean_of(values), variance = mean_power<2>(values, mean);
  return variance > 0.0 ? mean_power<3>(values, mean) / (variance * std::sqrt(variance)) : 0.0;
}

// 3 for a normal distribution; 0 where nothing varies.
inline double kurtosis_of(std::span<const float> values) {
  const double mean = mean_of(values), variance = mean_power<2>(values, mean);
  return variance > 0.0 ? mean_power<4>(values, mean) / (variance * variance) : 0.0;
}

}  // namespace thriftwood::flowtype
