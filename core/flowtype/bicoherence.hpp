// Bicoherence: how far the phases at two frequencies decide the phase at their sum, over Hann-windowed segments of 128 bytes.
//
//   b(k, l) = |sum X(k) X(l) X*(k + l)| / sqrt(sum |X(k) X(l)|^2 * sum |X(k + l)|^2),  1 <= l <= k, k + l <= 64
//
// between 0 (phases have nothing to do with each other) and 1 (every segment agrees).
#pragma once

#include <array>
#include <cstddef>

#include "bytes.hpp"

namespace thriftwood::flowtype {

constexpr std::size_t short_segment = 128, highest_bin = short_segment / 2;
// For each l the k from l to 64 - l.
constexpr std::size_t pairs = highest_bin * highest_bin / 4;

using Bicoherence = std::array<float, pairs>;

// Of whole segments, each with its mean taken off; at least one. 0 for a pair where a bin has nothing but rounding in it.
void bicoherence_of(Bytes bytes, Bicoherence& bicoherence);

}  // namespace thriftwood::flowtype
