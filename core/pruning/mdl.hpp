// Pruning by minimum description length: the best tree tells the training classes in the fewest bits.
//
//   structure   bits that say whether a node is a leaf, which feature it tests and how
//   data        bits that say the classes of a leaf's cases
//   prune       children first, a node becomes a leaf if that takes no more bits in all
//
// Two ways of counting (MdlCode):
//   Mehta           data by stochastic complexity, never less than 0: sum of W_c log(W / W_c)
//                   + (k-1)/2 log(W/2) + log(pi^(k/2) / Gamma(k/2)). Mehta, Rissanen & Agrawal 1995.
//   QuinlanRivest   data as exceptions to the leaf's answer: log(b+1) + log C(n, e) with
//                   b = floor(n (k-1)/k), and log(k-1) for the class of each exception; a leaf also names
//                   its class. Quinlan & Rivest 1989.
//
// Three encodings of the structure (Mehta only):
//   Full      one bit: leaf or test
//   Partial   a node may also drop some of its branches: their cases get the node's own answer, told by the
//             node's class shares, which are then sent too. A leaf takes 2 bits, a test
//             log(4/3 (2^branches - 1)): 2 bits with two branches
//   Hybrid    Full first, then Partial on what is left
//
// The tree does not keep how many cuts a numeric test was chosen from, so TestBits::Choices counts weight -
// 1, the most there can be. A grouped nominal test of V values into b branches is one of b^V - b.
// TestBits::Sliq instead takes 1 bit for a numeric test and, for a nominal one, the log of how often the tree
// tests the feature (Mehta, Agrawal & Rissanen 1996).
#pragma once

#include "../tree/tree.hpp"

namespace thriftwood {

enum class MdlCode : std::uint8_t { Mehta, QuinlanRivest };
enum class MdlEncoding : std::uint8_t { Full, Partial, Hybrid };
enum class TestBits : std::uint8_t { Choices, Sliq };

struct MdlSettings {
  MdlCode code = MdlCode::Mehta;
  MdlEncoding encoding = MdlEncoding::Full;
  TestBits test_bits = TestBits::Choices;
};

Tree prune_mdl(const Tree& tree, const MdlSettings& settings = {});

// Bits of a leaf's data: Mehta's for class weights, Quinlan and Rivest's for n cases with e exceptions among
// k classes.
double stochastic_complexity(std::span<const double> class_weights);
double exception_bits(double n, double e, Index classes);

// Bits of the whole tree as it stands, structure and data (full encoding).
double description_length(const Tree& tree, MdlCode code = MdlCode::Mehta, TestBits test_bits = TestBits::Choices);

}  // namespace thriftwood
