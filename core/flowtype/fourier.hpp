// The discrete Fourier transform of real segments, two of them to a complex one and several complex ones side by side.
#pragma once

#include <array>
#include <cstddef>

namespace thriftwood::flowtype {

// One array of real and one of imaginary parts.
struct Complex {
  float *re, *im;
};

// Transforms `lanes` complex signals of `points` points each, a power of two of at most 1024; point i of lane q is at [i * lanes + q].
// Works to and fro between two places and says in which the result is: by fours, so a power of four takes one pass per digit.
Complex transform(Complex signals, Complex spare, std::size_t points, std::size_t lanes);

// Room for some signals, small enough for the stack and the nearest cache. The real part of a lane may be one real signal and the
// imaginary part another: their transforms can be told apart afterwards, since each is symmetric.
template <std::size_t Points, std::size_t Lanes>
struct Signals {
  static constexpr std::size_t places = Points * Lanes;

  // Where real signal number 2 * lane (or 2 * lane + 1) begins; its points are `Lanes` apart.
  float* begin(std::size_t signal) { return (signal % 2 == 0 ? re : im).data() + signal / 2; }
  Complex transformed() { return transform({re.data(), im.data()}, {spare_re.data(), spare_im.data()}, Points, Lanes); }

  std::array<float, places> re, im, spare_re, spare_im;
};

}  // namespace thriftwood::flowtype
