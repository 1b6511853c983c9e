#include "dealing.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace thriftwood::face {

namespace {

__extension__ using Wide = unsigned __int128;

Wide wide(std::uint64_t high, std::uint64_t low) { return static_cast<Wide>(high) << 64 | low; }

// numpy.random.SeedSequence: a small seed spread over 256 bits.
std::array<std::uint64_t, 4> spread(std::uint32_t seed) {
  std::uint32_t constant = 0x43b0d7e5u;
  const auto hashed = [&](std::uint32_t value) {
    value ^= constant;
    constant *= 0x931e8875u;
    value *= constant;
    return value ^ value >> 16;
  };
  std::array<std::uint32_t, 4> pool{};
  for (std::size_t i = 0; i < 4; ++i) pool[i] = hashed(i == 0 ? seed : 0u);
  for (std::size_t from = 0; from < 4; ++from)
    for (std::size_t to = 0; to < 4; ++to) {
      if (from == to) continue;
      const std::uint32_t mixed = 0xca01f9ddu * pool[to] - 0x4973f715u * hashed(pool[from]);
      pool[to] = mixed ^ mixed >> 16;
    }
  constant = 0x8b51f9ddu;
  std::array<std::uint64_t, 4> words{};
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint32_t value = pool[i % 4] ^ constant;
    constant *= 0x58f38dedu;
    value *= constant;
    value ^= value >> 16;
    words[i / 2] |= static_cast<std::uint64_t>(value) << (32 * (i % 2));
  }
  return words;
}

class Pcg64 {
 public:
  explicit Pcg64(std::uint32_t seed) {
    const auto words = spread(seed);
    step_ = wide(words[2], words[3]) << 1 | 1u;
    advance();
    state_ += wide(words[0], words[1]);
    advance();
  }

  // 0 .. most: draws of as many bits as it has, until one is not above it.
  std::uint32_t up_to(std::uint32_t most) {
    std::uint32_t mask = most;
    for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    std::uint32_t drawn = half() & mask;
    while (drawn > most) drawn = half() & mask;
    return drawn;
  }

 private:
  void advance() { state_ = state_ * wide(0x2360ed051fc65da4u, 0x4385df649fccf645u) + step_; }

  std::uint64_t whole() {
    advance();
    const auto mixed = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
    const auto turned = static_cast<unsigned>(state_ >> 122);
    return mixed >> turned | mixed << ((64u - turned) & 63u);
  }

  // Each draw of 64 bits serves twice, its lower half first.
  std::uint32_t half() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t drawn = whole();
    has_half_ = true;
    half_ = static_cast<std::uint32_t>(drawn >> 32);
    return static_cast<std::uint32_t>(drawn);
  }

  Wide state_ = 0, step_ = 0;
  bool has_half_ = false;
  std::uint32_t half_ = 0;
};

}  // namespace

std::vector<Row> permuted(std::vector<Row> numbers, std::uint32_t seed) {
  Pcg64 random(seed);
  for (std::size_t i = numbers.size(); i-- > 1;) std::swap(numbers[i], numbers[random.up_to(static_cast<std::uint32_t>(i))]);
  return numbers;
}

std::vector<Row> dealt(std::span<const Index> labels, std::vector<Row> rows, std::uint32_t seed) {
  rows = permuted(std::move(rows), seed);
  std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return labels[a] < labels[b]; });
  return rows;
}

std::vector<std::vector<Row>> parts(std::span<const Index> labels, const std::vector<Row>& rows, std::size_t folds, std::size_t many,
                                    std::uint32_t seed) {
  const std::vector<Row> order = dealt(labels, rows, seed);
  const bool one = rows.size() > many;
  const std::size_t step = one ? 4 : std::min(folds, rows.size());
  std::vector<std::vector<Row>> found(one ? 1 : step);
  for (std::size_t part = 0; part < found.size(); ++part) {
    for (std::size_t i = part; i < order.size(); i += step) found[part].push_back(order[i]);
    std::sort(found[part].begin(), found[part].end());
  }
  return found;
}

}  // namespace thriftwood::face
