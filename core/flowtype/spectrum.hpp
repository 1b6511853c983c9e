// The power spectrum of a chunk, averaged over segments of 1024 bytes, and what is asked of its four bands.
#pragma once

#include <array>
#include <cstddef>

#include "bytes.hpp"

namespace thriftwood::flowtype {

constexpr std::size_t segment_bytes = 1024;

// A spectrum of a byte stream whose amplitude stays below this has nothing but rounding in it: the steps between bytes alone
// make amplitudes near 0.3.
constexpr double least_amplitude = 1e-3;

struct Spectrum {
  // Per bin, scaled so that noise of variance v has power v. Bin 0, the mean, is left out: 0.
  std::array<float, segment_bytes / 2 + 1> power, amplitude;
};

enum class Band { first, second, third, fourth };
struct Bins {
  std::size_t begin, end;
};
constexpr std::array<Bins, 4> bins{{{1, 65}, {65, 129}, {129, 257}, {257, 513}}};

// Of whole segments; at least one.
void spectrum_of(Bytes bytes, Spectrum& spectrum);

double log_power(const Spectrum& spectrum, Band band);
// The variance of the amplitude over its squared mean; 0 where there is no amplitude.
double variation(const Spectrum& spectrum, Band band);
double skewness(const Spectrum& spectrum, Band band);

}  // namespace thriftwood::flowtype
