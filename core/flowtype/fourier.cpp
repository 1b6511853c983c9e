#include "fourier.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace thriftwood::flowtype {
namespace {

constexpr std::size_t most_points = 1024;

struct Roots {
  std::array<float, most_points> re, im;
};

// exp(-2 pi i k / 1024); the roots of a shorter transform are every so many of them.
const Roots& roots() {
  static const Roots table = [] {
    Roots made{};
    for (std::size_t k = 0; k < most_points; ++k) {
      const double angle = -2.0 * std::numbers::pi * static_cast<double>(k) / most_points;
      made.re[k] = static_cast<float>(std::cos(angle));
      made.im[k] = static_cast<float>(std::sin(angle));
    }
    return made;
  }();
  return table;
}

// One step of Stockham's sorted transform by fours: signals of n points, `stride` of them interleaved, become four times as many of
// n / 4 points. The loop over q has no dependence from one turn to the next, and the compiler makes vectors of it.
void by_fours(Complex x, Complex y, std::size_t n, std::size_t stride) {
  const Roots& w = roots();
  const std::size_t quarter = n / 4, step = most_points / n;
  for (std::size_t p = 0; p < quarter; ++p) {
    const float w1r = w.re[p * step], w1i = w.im[p * step];
    const float w2r = w.re[2 * p * step], w2i = w.im[2 * p * step];
    const float w3r = w.re[3 * p * step], w3i = w.im[3 * p * step];
    const float* __restrict ar = x.re + stride * p;
    const float* __restrict ai = x.im + stride * p;
    const std::size_t b = stride * quarter, c = 2 * b, d = 3 * b;
    float* __restrict yr = y.re + stride * 4 * p;
    float* __restrict yi = y.im + stride * 4 * p;
    for (std::size_t q = 0; q < stride; ++q) {
      const float sum_ac_r = ar[q] + ar[q + c], sum_ac_i = ai[q] + ai[q + c];
      const float gap_ac_r = ar[q] - ar[q + c], gap_ac_i = ai[q] - ai[q + c];
      const float sum_bd_r = ar[q + b] + ar[q + d], sum_bd_i = ai[q + b] + ai[q + d];
      const float gap_bd_r = ar[q + b] - ar[q + d], gap_bd_i = ai[q + b] - ai[q + d];
      yr[q] = sum_ac_r + sum_bd_r;
      yi[q] = sum_ac_i + sum_bd_i;
      // Times i turns (r, i) into (-i, r).
      const float second_r = gap_ac_r + gap_bd_i, second_i = gap_ac_i - gap_bd_r;
      yr[q + stride] = w1r * second_r - w1i * second_i;
      yi[q + stride] = w1r * second_i + w1i * second_r;
      const float third_r = sum_ac_r - sum_bd_r, third_i = sum_ac_i - sum_bd_i;
      yr[q + 2 * stride] = w2r * third_r - w2i * third_i;
      yi[q + 2 * stride] = w2r * third_i + w2i * third_r;
      const float fourth_r = gap_ac_r - gap_bd_i, fourth_i = gap_ac_i + gap_bd_r;
      yr[q + 3 * stride] = w3r * fourth_r - w3i * fourth_i;
      yi[q + 3 * stride] = w3r * fourth_i + w3i * fourth_r;
    }
  }
}

void by_twos(Complex x, Complex y, std::size_t stride) {
  const float* __restrict xr = x.re;
  const float* __restrict xi = x.im;
  float* __restrict yr = y.re;
  float* __restrict yi = y.im;
  for (std::size_t q = 0; q < stride; ++q) {
    yr[q] = xr[q] + xr[q + stride];
    yi[q] = xi[q] + xi[q + stride];
    yr[q + stride] = xr[q] - xr[q + stride];
    yi[q + stride] = xi[q] - xi[q + stride];
  }
}

}  // namespace

Complex transform(Complex signals, Complex spare, std::size_t points, std::size_t lanes) {
  Complex from = signals, to = spare;
  while (points > 1) {
    const std::size_t parts = points >= 4 ? 4 : 2;
    if (parts == 4)
      by_fours(from, to, points, lanes);
    else
      by_twos(from, to, lanes);
    points /= parts;
    lanes *= parts;
    std::swap(from, to);
  }
  return from;
}

}  // namespace thriftwood::flowtype
