// Counts the cases of a node by the code they have in a coded column: two classes, whole cases.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "coded_cut.hpp"
#include "strips.hpp"

namespace thriftwood {

// The workspace is kept from node to node, so that a small node costs no clearing of all counters.
class CodeCounter {
 public:
  // The codes that occur, in order, among `cases` cases; codes are below n_codes. `code_at(k)` is the code of the k-th case.
  template <class CodeAt>
  std::span<const Counted> count(const CodeAt& code_at, const std::uint16_t* labels, std::uint32_t cases, std::uint32_t n_codes) {
    occurring_ = 0;
    if (n_codes <= 5 && cases < 4096) {
      count_few_codes(code_at, labels, cases, n_codes);
    } else if (cases < 2 * n_codes) {
      count_few_cases(code_at, labels, cases, n_codes);
    } else {
      count_many(code_at, labels, cases, n_codes);
    }
    return {counted_.data(), occurring_};
  }

  // The same from strips that were added up: the codes from a lane on.
  std::span<const Counted> count(const StripSums& sums, Index first_lane, std::uint32_t n_codes) {
    occurring_ = 0;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
      const Index lane = first_lane + static_cast<Index>(code);
      counted_[occurring_] = {code, sums.cases_in(lane), sums.ones_in(lane)};
      occurring_ += counted_[occurring_].cases > 0;
    }
    return {counted_.data(), occurring_};
  }

 private:
  static constexpr std::uint64_t one_case = 1ull << 32;

  // Yes or no, and little more: five counters of 12 bits in one word, kept in a register.
  template <class CodeAt>
  void count_few_codes(const CodeAt& code_at, const std::uint16_t* labels, std::uint32_t cases, std::uint32_t n_codes) {
    std::uint64_t all = 0, ones = 0;
    for (std::uint32_t k = 0; k < cases; ++k) {
      const unsigned shift = 12u * code_at(k);
      all += 1ull << shift;
      ones += static_cast<std::uint64_t>(labels[k]) << shift;
    }
    for (std::uint32_t c = 0; c < n_codes; ++c, all >>= 12, ones >>= 12)
      if ((all & 0xfff) != 0) counted_[occurring_++] = {c, static_cast<std::uint32_t>(all & 0xfff), static_cast<std::uint32_t>(ones & 0xfff)};
  }

  // Remembers which codes occur, so that the others need not be looked at. Up to 128 codes are remembered in two registers: in memory,
  // every case would wait for the one before it.
  template <class CodeAt>
  void count_few_cases(const CodeAt& code_at, const std::uint16_t* labels, std::uint32_t cases, std::uint32_t n_codes) {
    std::uint64_t seen[4] = {0, 0, 0, 0};
    if (n_codes <= 128) {
      std::uint64_t low = 0, high = 0;
      for (std::uint32_t k = 0; k < cases; ++k) {
        const std::uint32_t code = code_at(k);
        counts_[code] += one_case | labels[k];
        const std::uint64_t bit = 1ull << (code & 63), is_high = code >> 6;
        low |= bit & (is_high - 1);
        high |= bit & (0 - is_high);
      }
      seen[0] = low;
      seen[1] = high;
    } else {
      for (std::uint32_t k = 0; k < cases; ++k) {
        const std::uint32_t code = code_at(k);
        counts_[code] += one_case | labels[k];
        seen[code >> 6] |= 1ull << (code & 63);
      }
    }
    for (std::uint32_t word = 0; word * 64 < n_codes; ++word)
      for (std::uint64_t bits = seen[word]; bits != 0; bits &= bits - 1) take(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }

  // Two sets of counters, in turn: a case need not wait for the case before it to be counted.
  template <class CodeAt>
  void count_many(const CodeAt& code_at, const std::uint16_t* labels, std::uint32_t cases, std::uint32_t n_codes) {
    std::uint64_t* even = counts_.data();
    std::uint64_t* odd = even + 256;
    for (std::uint32_t k = 0; k + 1 < cases; k += 2) {
      even[code_at(k)] += one_case | labels[k];
      odd[code_at(k + 1)] += one_case | labels[k + 1];
    }
    if (cases % 2 == 1) even[code_at(cases - 1)] += one_case | labels[cases - 1];
    for (std::uint32_t c = 0; c < n_codes; ++c) {
      even[c] += odd[c];
      odd[c] = 0;
      if (even[c] != 0) take(c);
    }
  }

  void take(std::uint32_t code) {
    counted_[occurring_++] = {code, static_cast<std::uint32_t>(counts_[code] >> 32), static_cast<std::uint32_t>(counts_[code])};
    counts_[code] = 0;
  }

  std::array<std::uint64_t, 512> counts_{};  // two sets, by code: cases in the upper half, those of the second class in the lower; 0 between calls
  std::array<Counted, 256> counted_;
  std::size_t occurring_ = 0;
};

}  // namespace thriftwood
