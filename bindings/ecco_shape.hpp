// How deep ECCO's trees are, and what to do where even the flattest take too many bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evolution/questions.hpp"

// Strings are copied, crossed and mutated by the generation: longer ones than this take seconds and gigabytes before a tree is judged.
constexpr std::size_t most_bits = 10'000'000;

// Without a depth: the deepest from 5 to 11 levels with fewer than `max_bits` bits, as in the paper. Throws InputError if there is none:
// it says which of the remedies would help, and names the feature that asks for most. `names` are those of the features; `rows` is how
// many cases there are.
thriftwood::Shape ecco_shape(const std::vector<thriftwood::Question>& questions, std::optional<std::size_t> depth, std::size_t max_bits,
                             const std::vector<std::string>& names, std::size_t rows);
