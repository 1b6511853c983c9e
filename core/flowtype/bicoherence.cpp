#include "bicoherence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fourier.hpp"

namespace thriftwood::flowtype {
namespace {

constexpr std::size_t bins_used = highest_bin + 1;
// Mean power of a bin below which it holds rounding alone: one byte that differs by one makes a power near 1.
constexpr float least_power = 1e-3f;

using Row = std::array<float, bins_used>;

struct Sums {
  std::array<float, pairs> re{}, im{}, both{};  // of X(k) X(l) X*(k + l), and of |X(k) X(l)|^2
  Row power{};
};

const std::array<float, short_segment>& hann() {
  static const std::array<float, short_segment> window = [] {
    std::array<float, short_segment> made{};
    for (std::size_t i = 0; i < short_segment; ++i)
      made[i] = static_cast<float>(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / short_segment));
    return made;
  }();
  return window;
}

constexpr std::size_t group_lanes = 4, group_segments = 2 * group_lanes;
using Group = Signals<short_segment, group_lanes>;

// Up to eight segments, two to a lane; zeros where there are no more.
void put_windowed(Bytes bytes, Group& group) {
  const auto& window = hann();
  if (bytes.size() < group_segments * short_segment) {
    group.re.fill(0.0f);
    group.im.fill(0.0f);
  }
  for (std::size_t segment = 0; segment < bytes.size() / short_segment; ++segment) {
    const Bytes from = bytes.subspan(segment * short_segment, short_segment);
    const float mean = static_cast<float>(sum_of(from)) / short_segment;  // exact: a sum below 2^15 over a power of two
    float* to = group.begin(segment);
    for (std::size_t i = 0; i < short_segment; ++i) to[i * group_lanes] = (static_cast<float>(from[i]) - mean) * window[i];
  }
}

// The transform of one segment, told apart from its partner's: X = (Z(k) + Z*(n - k)) / 2, Y = (Z(k) - Z*(n - k)) / 2i.
void unpair(Complex z, std::size_t segment, Row& re, Row& im) {
  const std::size_t lane = segment / 2;
  const bool first = segment % 2 == 0;
  for (std::size_t k = 1; k < bins_used; ++k) {
    const std::size_t here = k * group_lanes + lane, there = (short_segment - k) * group_lanes + lane;
    const float plus_re = z.re[here] + z.re[there], minus_im = z.im[here] - z.im[there];
    const float plus_im = z.im[here] + z.im[there], minus_re = z.re[here] - z.re[there];
    re[k] = 0.5f * (first ? plus_re : plus_im);
    im[k] = 0.5f * (first ? minus_im : -minus_re);
  }
}

void add_segment(const Row& re, const Row& im, Sums& sums) {
  Row power{};
  for (std::size_t k = 1; k < bins_used; ++k) {
    power[k] = re[k] * re[k] + im[k] * im[k];
    sums.power[k] += power[k];
  }
  std::size_t begin = 0;
  for (std::size_t l = 1; 2 * l <= highest_bin; ++l) {
    const std::size_t count = highest_bin - 2 * l + 1;
    const float lr = re[l], li = im[l], lp = power[l];
    const float* __restrict kr = re.data() + l;  // k = l + i, and the sum is bin 2 l + i
    const float* __restrict ki = im.data() + l;
    const float* __restrict kp = power.data() + l;
    const float* __restrict sr = re.data() + 2 * l;
    const float* __restrict si = im.data() + 2 * l;
    float* __restrict total_re = sums.re.data() + begin;
    float* __restrict total_im = sums.im.data() + begin;
    float* __restrict total_both = sums.both.data() + begin;
    for (std::size_t i = 0; i < count; ++i) {
      const float product_re = kr[i] * lr - ki[i] * li, product_im = kr[i] * li + ki[i] * lr;
      total_re[i] += product_re * sr[i] + product_im * si[i];
      total_im[i] += product_im * sr[i] - product_re * si[i];
      total_both[i] += kp[i] * lp;
    }
    begin += count;
  }
}

void finish(const Sums& sums, std::size_t segments, Bicoherence& bicoherence) {
  const float least = least_power * static_cast<float>(segments);
  std::size_t at = 0;
  for (std::size_t l = 1; 2 * l <= highest_bin; ++l)
    for (std::size_t k = l; k + l <= highest_bin; ++k, ++at) {
      const bool heard = sums.power[k] >= least && sums.power[l] >= least && sums.power[k + l] >= least;
      const float length = std::sqrt(sums.re[at] * sums.re[at] + sums.im[at] * sums.im[at]);
      const float most = std::sqrt(sums.both[at]) * std::sqrt(sums.power[k + l]);
      bicoherence[at] = heard && most > 0.0f ? length / most : 0.0f;
    }
}

}  // namespace

void bicoherence_of(Bytes bytes, Bicoherence& bicoherence) {
  const std::size_t segments = bytes.size() / short_segment;
  Group group;
  Sums sums;
  Row re{}, im{};
  for (std::size_t begin = 0; begin < segments; begin += group_segments) {
    const std::size_t count = std::min(group_segments, segments - begin);
    put_windowed(bytes.subspan(begin * short_segment, count * short_segment), group);
    const Complex z = group.transformed();
    for (std::size_t segment = 0; segment < count; ++segment) {
      unpair(z, segment, re, im);
      add_segment(re, im, sums);
    }
  }
  finish(sums, segments, bicoherence);
}

}  // namespace thriftwood::flowtype
