// Statistics of the bytes themselves. All sums are of whole numbers, so they are exact and in no order.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace thriftwood::flowtype {

using Bytes = std::span<const std::uint8_t>;
using Histogram = std::array<std::uint32_t, 256>;

// The most bytes that the sums have room for.
constexpr std::size_t most_bytes = 16384;

std::uint64_t sum_of(Bytes bytes);
std::uint64_t squares_of(Bytes bytes);
// Of every byte times the next one.
std::uint64_t neighbours_of(Bytes bytes);
Histogram histogram_of(Bytes bytes);

double variance_of(std::uint64_t sum, std::uint64_t squares, std::size_t n);
// Of each byte with the next; 0 where nothing varies.
double autocorrelation_of(Bytes bytes, std::uint64_t sum, std::uint64_t squares);
// In bits.
double entropy_of(const Histogram& histogram, std::size_t n);
// 0 where nothing varies; the kurtosis of a normal distribution is 3.
double skewness_of(const Histogram& histogram, std::size_t n);
double kurtosis_of(const Histogram& histogram, std::size_t n);

}  // namespace thriftwood::flowtype
