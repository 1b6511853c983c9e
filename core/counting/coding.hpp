// Tables of byte codes: what is left of a table that is counted where it lies, in a file or on other machines.
//
//   coding      what the codes of each column stand for, and how much a case counts
//   code        of a numeric column the bin of the value, of a nominal one the category; the last one + 1: missing. One byte, or two where a
//               nominal column has more categories than a byte holds
//   shard       the codes, labels and weights of some rows, wherever the caller has them
//
// Weights are rounded once, to multiples of a power of two so coarse that sums of them are exact. Then no sum depends on the order of its
// terms: neither on how rows lie in shards, nor on which of two branches was counted and which came of a subtraction. So are numbers to
// predict, whose sums are digits of whole numbers (splitting/exact_numbers.hpp).
#pragma once

#include <span>
#include <vector>

#include "../splitting/columns.hpp"
#include "../splitting/exact_numbers.hpp"

namespace thriftwood {

// Sums of numbers travel as digits of 32 bits in doubles: what cases weigh, three digits of their numbers, four of the squares. Digits are
// added and subtracted one by one, exactly for up to a million shards.
inline constexpr std::size_t number_digits = 8;
void add_digits(const NumberSums& sums, double* digits);
NumberSums sums_of_digits(const double* digits);

struct Coding {
  std::vector<PreparedColumn> columns;  // form, kind and number of codes of each; without the codes
  bool regression = false;
  Index classes = 0;
  bool weighted = false;                // shards have weights, or classes do
  std::vector<double> class_weights;    // how many times its own weight a case of each class counts; empty: once
  double grid = 0.0;                    // what weights are multiples of; 0: they are taken as they are
  NumberGrid numbers;                   // regression: what numbers are multiples of

  Index features() const { return static_cast<Index>(columns.size()); }
  const PreparedColumn& column(Index feature) const { return columns[static_cast<std::size_t>(feature)]; }
  bool wide(Index feature) const { return column(feature).form == Form::Wide; }
  std::size_t codes(Index feature) const { return static_cast<std::size_t>(column(feature).codes) + 1; }
  // Numbers counted for each code: the weight of each class, or the digits of what numbers add up to, and, where weights differ, the cases.
  std::size_t width() const { return (regression ? number_digits : static_cast<std::size_t>(classes)) + (weighted ? 1 : 0); }
  std::size_t cells(Index feature) const { return codes(feature) * width(); }
  double rounded(double weight) const;
};

// The columns of a coding: of a numeric one the edges of its bins, of a nominal one how many categories it has.
PreparedColumn numeric_coding(std::vector<double> edges);
PreparedColumn nominal_coding(Index categories);

// The largest power of two that weights are multiples of already; those of 0 say nothing. Infinity: no case counts.
double common_step(std::span<const double> weights);

// What weights are to be multiples of, so that sums of so many of them are exact. `common`: a power of two that all are multiples of already;
// 0: not known.
double exact_grid(std::size_t rows, double largest, double common = 0.0);
double on_grid(double weight, double grid);

struct Shard {
  std::size_t rows = 0;
  std::vector<const void*> codes;       // by feature: a byte per row, or two where the column is wide
  const std::uint16_t* labels = nullptr;
  const double* numbers = nullptr;      // regression
  const double* weights = nullptr;      // null: every case 1

  const std::uint8_t* bytes(Index feature) const { return static_cast<const std::uint8_t*>(codes[static_cast<std::size_t>(feature)]); }
  const std::uint16_t* pairs(Index feature) const { return static_cast<const std::uint16_t*>(codes[static_cast<std::size_t>(feature)]); }
};

// Codes, labels and weights that were copied from shards.
struct CodedRows {
  std::vector<std::vector<std::uint8_t>> bytes;   // by feature; empty where the column is wide
  std::vector<std::vector<std::uint16_t>> pairs;  // by feature; empty where it is not
  std::vector<std::uint16_t> labels;
  std::vector<double> numbers, weights;           // weights as they count

  explicit CodedRows(std::size_t features = 0) : bytes(features), pairs(features) {}
  std::size_t rows() const { return labels.empty() ? numbers.size() : labels.size(); }
  void append(const CodedRows& more);
};

}  // namespace thriftwood
