#include "flowtype/chunk.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "basics/random.hpp"
#include "check.hpp"
#include "flowtype/fourier.hpp"
#include "flowtype/lazy_row.hpp"
#include "flowtype/timing.hpp"

using namespace thriftwood;
using namespace thriftwood::flowtype;

namespace {

std::vector<std::uint8_t> noise(std::size_t n, Key seed) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(key_below(seed, i) >> 24);
  return bytes;
}

std::size_t number_of(std::string_view name) {
  for (std::size_t s = 0; s < n_statistics; ++s)
    if (statistics[s].name == name) return s;
  return n_statistics;
}

// The transform as it is defined, in doubles.
std::complex<double> plain_bin(const std::vector<std::complex<double>>& x, std::size_t k) {
  std::complex<double> sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(i * k % x.size()) / static_cast<double>(x.size()));
  return sum;
}

template <std::size_t Points, std::size_t Lanes>
double worst_bin(Key seed) {
  Signals<Points, Lanes> signals;
  const auto bytes = noise(2 * Points * Lanes, seed);
  for (std::size_t i = 0; i < Points * Lanes; ++i) {
    signals.re[i] = bytes[2 * i];
    signals.im[i] = bytes[2 * i + 1];
  }
  std::vector<std::vector<std::complex<double>>> lanes(Lanes, std::vector<std::complex<double>>(Points));
  for (std::size_t i = 0; i < Points * Lanes; ++i) lanes[i % Lanes][i / Lanes] = {signals.re[i], signals.im[i]};
  const Complex z = signals.transformed();
  double worst = 0.0;
  for (std::size_t lane = 0; lane < Lanes; ++lane)
    for (std::size_t k = 0; k < Points; ++k) {
      const std::complex<double> got(z.re[k * Lanes + lane], z.im[k * Lanes + lane]);
      worst = std::max(worst, std::abs(got - plain_bin(lanes[lane], k)));
    }
  return worst;
}

}  // namespace

TEST_CASE("transforms of all lengths are those of the definition") {
  // Sums of so many bytes have up to six digits before the point; a float has seven.
  CHECK((worst_bin<2, 1>(1)) < 1e-3);
  CHECK((worst_bin<4, 3>(2)) < 1e-3);
  CHECK((worst_bin<8, 1>(3)) < 1e-2);
  CHECK((worst_bin<128, 4>(4)) < 0.05);
  CHECK((worst_bin<1024, 1>(5)) < 0.2);
}

TEST_CASE("every byte once: mean, variance, skewness and entropy of a uniform distribution") {
  std::vector<std::uint8_t> bytes(2048);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  Chunk chunk(bytes);
  CHECK_NEAR(chunk.feature(number_of("mean")), 127.5, 1e-12);
  CHECK_NEAR(chunk.feature(number_of("variance")), 5461.25, 1e-9);  // (256^2 - 1) / 12
  CHECK_NEAR(chunk.feature(number_of("entropy")), 8.0, 1e-12);
  CHECK_NEAR(chunk.feature(number_of("skewness")), 0.0, 1e-12);
  CHECK_NEAR(chunk.feature(number_of("kurtosis")), 1.8, 1e-4);
}

TEST_CASE("bytes that turn about have the autocorrelation -1 and power in the highest bin alone") {
  std::vector<std::uint8_t> bytes(2048);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 2 == 0 ? 100 : 110;
  Chunk chunk(bytes);
  CHECK_NEAR(chunk.feature(number_of("autocorrelation")), -2047.0 / 2048.0, 1e-12);
  CHECK_NEAR(chunk.feature(number_of("band1.log_power")), -6.0, 1e-9);  // nothing: the floor
  CHECK_NEAR(chunk.feature(number_of("band1.variation")), 0.0, 1e-12);
  // |X|^2 = (5 * 1024)^2 in one of 256 bins, over 1024.
  CHECK_NEAR(chunk.feature(number_of("band4.log_power")), std::log10(5.0 * 5.0 * 1024.0 / 256.0), 1e-6);
}

TEST_CASE("a chunk in which nothing varies has zeros and no NaN") {
  const std::vector<std::uint8_t> bytes(16384, 7);
  Chunk chunk(bytes);
  for (std::size_t f = 0; f < n_features; ++f) CHECK(std::isfinite(chunk.feature(f)));
  CHECK(chunk.feature(number_of("autocorrelation")) == 0.0);
  CHECK(chunk.feature(number_of("bicoherence.mean")) == 0.0);
}

TEST_CASE("what is asked for is computed, and nothing else") {
  const auto bytes = noise(4096, 3);
  Chunk chunk(bytes);
  chunk.feature(n_statistics + number_of("variance"));
  CHECK(chunk.is_done(Step::sum, 1));
  CHECK(chunk.is_done(Step::squares, 1));
  CHECK(!chunk.is_done(Step::histogram, 1));
  CHECK(!chunk.is_done(Step::sum, 0));
  CHECK(chunk.known(n_statistics + number_of("variance")).has_value());
  CHECK(!chunk.known(number_of("variance")).has_value());
  CHECK(chunk.has(2 * n_statistics - 1));
  CHECK(!chunk.has(2 * n_statistics));
}

TEST_CASE("a row that is computed on the way has no value where bytes are too few") {
  const auto bytes = noise(2048, 4);
  Chunk chunk(bytes);
  const std::array<Index, 2> features{3, 3 + static_cast<Index>(n_statistics)};
  const LazyRow row{chunk, features};
  CHECK(row.number(0) > 7.0);
  CHECK(std::isnan(row.number(1)));
}

TEST_CASE("tables are the same for any number of threads, and those of single chunks") {
  std::vector<std::vector<std::uint8_t>> contents;
  for (Key seed = 0; seed < 9; ++seed) contents.push_back(noise(seed == 4 ? 5000 : 16384, seed));
  std::vector<Bytes> chunks(contents.begin(), contents.end());
  const auto one = features_of(chunks, 1), three = features_of(chunks, 3);
  bool same = one.size() == three.size();
  for (std::size_t i = 0; i < one.size(); ++i) same = same && (one[i] == three[i] || (std::isnan(one[i]) && std::isnan(three[i])));
  CHECK(same);
  Chunk last(chunks.back());
  CHECK(one[8 * n_features + 80] == last.feature(80));
  CHECK(std::isnan(one[4 * n_features + 2 * n_statistics]));
}

TEST_CASE("times are of every step and every feature") {
  const auto bytes = noise(16384, 5);
  const std::vector<Bytes> chunks(3, Bytes(bytes));
  const Times times = time_features(chunks, 2);
  CHECK(times.steps.size() == sizes.size() * n_steps);
  CHECK(times.features.size() == n_features);
  for (const double time : times.steps) CHECK(time >= 0.0 && time < 1.0);
  // A bicoherence of 16 KB is some hundred times the work of a sum of 2 KB.
  CHECK(times.steps[sizes.size() * n_steps - 1] > times.steps[0]);
}
