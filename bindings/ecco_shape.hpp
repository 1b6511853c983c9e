// How deep ECCO's trees are, and what would help where even the flattest take too many bits.
#pragma once

#include <optional>
#include <vector>

#include "evolution/questions.hpp"

// Strings are copied, crossed and mutated by the generation: longer ones than this take seconds and gigabytes before a tree is judged.
constexpr std::size_t most_bits = 10'000'000;

// A tree whose string has too many bits. What would help is data: Python words it.
struct OversizedTree {
  std::size_t depth, questions, branches;
  std::optional<std::size_t> bits{};    // none: more than can be counted
  std::optional<thriftwood::Index> widest{};  // the feature that asks for most; none: no question has more than two outcomes
  bool widest_names_cases = false;      // it has a category for every other case, or more
  // Each alone makes the tree small enough:
  bool without_widest = false;
  bool nominal_by_value = false;
  bool one_cut = false;
  std::optional<std::size_t> smaller_depth{}, more_bits{};
};

// Without a depth: the deepest from 5 to 11 levels with fewer than `max_bits` bits, as in the paper. Throws an OversizedTree if there is none.
thriftwood::Shape ecco_shape(const std::vector<thriftwood::Question>& questions, std::optional<std::size_t> depth, std::size_t max_bits,
                             std::size_t rows);
