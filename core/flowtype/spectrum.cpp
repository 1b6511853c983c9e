#include "spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "fourier.hpp"
#include "moments.hpp"

namespace thriftwood::flowtype {
namespace {

std::span<const float> of(const std::array<float, segment_bytes / 2 + 1>& values, Band band) {
  const Bins range = bins[static_cast<std::size_t>(band)];
  return std::span(values).subspan(range.begin, range.end - range.begin);
}

// Adds |X(k)|^2 of one segment, or of two in one transform.
void add_power(Bytes bytes, std::array<float, segment_bytes / 2 + 1>& power) {
  Signals<segment_bytes, 1> signals;
  if (bytes.size() <= segment_bytes) signals.im.fill(0.0f);
  for (std::size_t begin = 0; begin < bytes.size(); begin += segment_bytes) {
    float* to = signals.begin(begin / segment_bytes);
    // What is taken off every byte changes bin 0 alone, which nobody reads; small numbers round less.
    for (std::size_t i = 0; i < segment_bytes; ++i) to[i] = static_cast<float>(bytes[begin + i]) - 128.0f;
  }
  const auto [re, im] = signals.transformed();
  for (std::size_t k = 1; k <= segment_bytes / 2; ++k) {
    // Of two real signals x and y in one transform Z, |X(k)|^2 + |Y(k)|^2 is (|Z(k)|^2 + |Z(n - k)|^2) / 2.
    const std::size_t mirror = segment_bytes - k;
    power[k] += 0.5f * ((re[k] * re[k] + im[k] * im[k]) + (re[mirror] * re[mirror] + im[mirror] * im[mirror]));
  }
}

}  // namespace

void spectrum_of(Bytes bytes, Spectrum& spectrum) {
  const std::size_t used = bytes.size() / segment_bytes * segment_bytes;
  spectrum.power.fill(0.0f);
  for (std::size_t begin = 0; begin < used; begin += 2 * segment_bytes)
    add_power(bytes.subspan(begin, std::min(2 * segment_bytes, used - begin)), spectrum.power);
  const float scale = 1.0f / static_cast<float>(used);
  for (std::size_t k = 0; k <= segment_bytes / 2; ++k) {
    spectrum.power[k] *= scale;
    spectrum.amplitude[k] = std::sqrt(spectrum.power[k]);
  }
}

double log_power(const Spectrum& spectrum, Band band) {
  return std::log10(std::max(mean_of(of(spectrum.power, band)), least_amplitude * least_amplitude));
}

double variation(const Spectrum& spectrum, Band band) {
  const auto amplitude = of(spectrum.amplitude, band);
  const double mean = mean_of(amplitude);
  return mean < least_amplitude ? 0.0 : mean_power<2>(amplitude, mean) / (mean * mean);
}

double skewness(const Spectrum& spectrum, Band band) {
  const auto amplitude = of(spectrum.amplitude, band);
  return mean_of(amplitude) < least_amplitude ? 0.0 : skewness_of(amplitude);
}

}  // namespace thriftwood::flowtype
