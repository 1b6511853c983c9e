#include "bytes.hpp"

#include <algorithm>
#include <cmath>

namespace thriftwood::flowtype {
namespace {

// Sums of 32 bits have room for 2^16 products of two bytes: blocks of 4096 stay far below that.
constexpr std::size_t block = 4096;

template <class Term>
std::uint64_t sum_in_blocks(std::size_t n, Term term) {
  std::uint64_t total = 0;
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t end = std::min(n, begin + block);
    std::uint32_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += term(i);
    total += sum;
  }
  return total;
}

// count * log2(count), for every count there can be: a logarithm takes longer than reading it.
const std::array<double, most_bytes + 1>& weighted_logarithms() {
  static const std::array<double, most_bytes + 1> table = [] {
    std::array<double, most_bytes + 1> made{};
    for (std::size_t count = 1; count <= most_bytes; ++count) made[count] = static_cast<double>(count) * std::log2(static_cast<double>(count));
    return made;
  }();
  return table;
}

struct Centre {
  double mean, variance;
};

Centre centre_of(const Histogram& histogram, std::size_t n) {
  std::uint64_t sum = 0, squares = 0;
  for (std::uint32_t value = 0; value < 256; ++value) {
    sum += value * histogram[value];
    squares += std::uint64_t{value} * value * histogram[value];
  }
  return {static_cast<double>(sum) / static_cast<double>(n), variance_of(sum, squares, n)};
}

// The sum of (value - mean)^Power over the bytes counted.
template <int Power>
double central_sum(const Histogram& histogram, double mean) {
  std::array<double, 4> sums{};
  for (std::size_t value = 0; value < 256; value += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double gap = static_cast<double>(value + lane) - mean;
      const double power = Power == 3 ? gap * gap * gap : gap * gap * gap * gap;
      sums[lane] += power * static_cast<double>(static_cast<std::int32_t>(histogram[value + lane]));
    }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

std::uint64_t sum_of(Bytes bytes) {
  return sum_in_blocks(bytes.size(), [bytes](std::size_t i) -> std::uint32_t { return bytes[i]; });
}

std::uint64_t squares_of(Bytes bytes) {
  return sum_in_blocks(bytes.size(), [bytes](std::size_t i) -> std::uint32_t { return std::uint32_t{bytes[i]} * bytes[i]; });
}

std::uint64_t neighbours_of(Bytes bytes) {
  if (bytes.empty()) return 0;
  const Bytes next = bytes.subspan(1);
  return sum_in_blocks(next.size(), [bytes, next](std::size_t i) -> std::uint32_t { return std::uint32_t{bytes[i]} * next[i]; });
}

Histogram histogram_of(Bytes bytes) {
  // Four counts side by side: a byte that comes twice running would have to wait for its own count.
  std::array<Histogram, 4> counts{};
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) ++counts[lane][bytes[i + lane]];
  for (; i < bytes.size(); ++i) ++counts[0][bytes[i]];
  Histogram histogram;
  for (std::size_t value = 0; value < 256; ++value) histogram[value] = counts[0][value] + counts[1][value] + counts[2][value] + counts[3][value];
  return histogram;
}

double variance_of(std::uint64_t sum, std::uint64_t squares, std::size_t n) {
  const double count = static_cast<double>(n);
  return static_cast<double>(n * squares - sum * sum) / (count * count);  // at most 2^44: exact up to the division
}

double autocorrelation_of(Bytes bytes, std::uint64_t sum, std::uint64_t squares) {
  const std::uint64_t n = bytes.size(), spread = n * squares - sum * sum;
  if (spread == 0) return 0.0;
  // n times the sum of (x[i] - mean)(x[i + 1] - mean), in whole numbers but for the last term.
  const std::uint64_t ends = std::uint64_t{bytes.front()} + bytes.back();
  const auto covered = static_cast<double>(n * neighbours_of(bytes) + sum * ends);
  const double product = static_cast<double>(sum) * static_cast<double>(sum);
  const double count = static_cast<double>(n);
  return (covered - product * (count + 1.0) / count) / static_cast<double>(spread);
}

double entropy_of(const Histogram& histogram, std::size_t n) {
  const auto& logarithms = weighted_logarithms();
  std::array<double, 4> sums{};
  for (std::size_t value = 0; value < 256; value += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += logarithms[histogram[value + lane]];
  const double count = static_cast<double>(n);
  return (logarithms[n] - ((sums[0] + sums[1]) + (sums[2] + sums[3]))) / count;
}

double skewness_of(const Histogram& histogram, std::size_t n) {
  const auto [mean, variance] = centre_of(histogram, n);
  if (variance == 0.0) return 0.0;
  return central_sum<3>(histogram, mean) / (static_cast<double>(n) * variance * std::sqrt(variance));
}

double kurtosis_of(const Histogram& histogram, std::size_t n) {
  const auto [mean, variance] = centre_of(histogram, n);
  if (variance == 0.0) return 0.0;
  return central_sum<4>(histogram, mean) / (static_cast<double>(n) * variance * variance);
}

}  // namespace thriftwood::flowtype
