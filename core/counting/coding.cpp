#include "coding.hpp"

#include <bit>
#include <cmath>

namespace thriftwood {

namespace {

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

constexpr int weight_bits = 53;  // of a double, and of all weights together
constexpr double digit = 0x1p32;
constexpr int sum_digits = 3, square_digits = 4;

void add_wide(Int128 value, int n, double* digits) {
  for (int i = 0; i + 1 < n; ++i) {
    digits[i] += static_cast<double>(static_cast<std::uint32_t>(value));
    value >>= 32;  // towards minus infinity, so lower digits are never negative
  }
  digits[n - 1] += static_cast<double>(value);
}

Int128 wide_of(const double* digits, int n) {
  Int128 value = 0;
  for (int i = n - 1; i >= 0; --i) value = value * static_cast<Int128>(digit) + static_cast<Int128>(digits[i]);
  return value;
}

}  // namespace

void add_digits(const NumberSums& sums, double* digits) {
  digits[0] += static_cast<double>(sums.weight);
  add_wide(sums.sum, sum_digits, digits + 1);
  add_wide(sums.squares, square_digits, digits + 1 + sum_digits);
}

NumberSums sums_of_digits(const double* digits) {
  return {static_cast<std::int64_t>(digits[0]), wide_of(digits + 1, sum_digits), wide_of(digits + 1 + sum_digits, square_digits)};
}

double on_grid(double weight, double grid) {
  if (grid <= 0.0 || weight <= 0.0) return weight;
  return std::max(grid, std::round(weight / grid) * grid);  // a case that counts a little does not stop counting
}

double common_step(std::span<const double> weights) {
  constexpr int none = 2000;  // no power of two of a double
  constexpr std::uint64_t first_digit = std::uint64_t{1} << 52;
  int common = none;
  for (double weight : weights) {
    const auto bits = std::bit_cast<std::uint64_t>(weight);
    const std::uint64_t after_point = bits & (first_digit - 1);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    // Numbers below 2^-1022 have no first digit that goes without saying.
    const int last = std::max(exponent, 1) - 1075 + std::countr_zero(exponent > 0 ? after_point | first_digit : after_point);
    common = weight > 0.0 ? std::min(common, last) : common;
  }
  return common == none ? infinity : std::ldexp(1.0, common);
}

double exact_grid(std::size_t rows, double largest, double common) {
  int exponent = 0;
  std::frexp(largest * static_cast<double>(rows), &exponent);
  return std::max(common, std::ldexp(1.0, exponent - weight_bits));
}

double Coding::rounded(double weight) const { return on_grid(weight, grid); }

PreparedColumn numeric_coding(std::vector<double> edges) {
  PreparedColumn column;
  column.form = Form::Coded;
  column.codes = static_cast<Index>(edges.size()) + 1;
  column.low = {-infinity};
  column.low.insert(column.low.end(), edges.begin(), edges.end());
  column.high = std::move(edges);
  column.high.push_back(infinity);
  return column;
}

PreparedColumn nominal_coding(Index categories) {
  PreparedColumn column;
  column.nominal = true;
  column.codes = categories;
  column.form = categories <= most_codes ? Form::Coded : Form::Wide;
  return column;
}

void CodedRows::append(const CodedRows& more) {
  for (std::size_t f = 0; f < bytes.size(); ++f) {
    append_all(bytes[f], more.bytes[f]);
    append_all(pairs[f], more.pairs[f]);
  }
  append_all(labels, more.labels);
  append_all(numbers, more.numbers);
  append_all(weights, more.weights);
}

}  // namespace thriftwood
