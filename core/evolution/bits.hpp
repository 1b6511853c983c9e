// Strings of bits, the material of evolution.
//
//   bit 0   the leftmost, as a string is written
//   field   some neighbouring bits read as a number, the first of them the highest
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../basics/types.hpp"

namespace thriftwood {

class Bits {
 public:
  explicit Bits(std::size_t size = 0) : size_(size), words_((size + 63) / 64, 0) {}

  // Of the characters 0 and 1; spaces are for readers.
  static Bits read(std::string_view text) {
    std::string digits;
    for (char c : text)
      if (c != ' ') digits += c;
    Bits bits(digits.size());
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i] != '0' && digits[i] != '1') throw InputError("A string of bits has the characters 0 and 1 only.");
      bits.put(i, 1, digits[i] == '1');
    }
    return bits;
  }
  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < size_; ++i) text += field(i, 1) != 0 ? '1' : '0';
    return text;
  }

  std::size_t size() const { return size_; }

  // length: at most 32
  std::uint32_t field(std::size_t first, unsigned length) const {
    if (length == 0) return 0;
    const std::size_t word = first / 64;
    const auto skipped = static_cast<unsigned>(first % 64);
    std::uint64_t found = words_[word] << skipped;
    if (skipped + length > 64) found |= words_[word + 1] >> (64 - skipped);
    return static_cast<std::uint32_t>(found >> (64 - length));
  }
  void put(std::size_t first, unsigned length, std::uint32_t value) {
    for (unsigned i = 0; i < length; ++i) {
      const std::uint64_t at = std::uint64_t{1} << (63 - (first + i) % 64);
      std::uint64_t& word = words_[(first + i) / 64];
      word = (value >> (length - 1 - i)) & 1u ? word | at : word & ~at;
    }
  }

  // Exchanges the bits first .. last - 1 of two strings of one length.
  static void exchange(Bits& a, Bits& b, std::size_t first, std::size_t last) {
    if (first >= last) return;
    for (std::size_t w = first / 64; w <= (last - 1) / 64; ++w) {
      std::uint64_t mask = ~std::uint64_t{0};
      if (w == first / 64) mask >>= first % 64;
      if (w == (last - 1) / 64) mask &= ~std::uint64_t{0} << (63 - (last - 1) % 64);
      const std::uint64_t other = (a.words_[w] ^ b.words_[w]) & mask;
      a.words_[w] ^= other;
      b.words_[w] ^= other;
    }
  }

  bool operator==(const Bits&) const = default;

 private:
  std::size_t size_;
  std::vector<std::uint64_t> words_;  // bits beyond the last are 0
};

}  // namespace thriftwood
