// Sets of rows as bits, one set for every outcome of every question: what a node divides is divided by a few word operations.
//
// Rows stand class after class, and every class begins a word of its own: the weight of a class in a set is the number of bits in the
// words of the class.
#pragma once

#include <cstdint>
#include <vector>

#include "questions.hpp"

namespace thriftwood {

// How many bits are set. In plain operations: without a flag for newer machines the compiler would call a function that looks bytes up.
inline unsigned count_bits(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<unsigned>((word * 0x0101010101010101u) >> 56);
}

class RowSets {
 public:
  // Throws Interrupted when `stop` is asked to.
  RowSets(const Judged& judged, const std::vector<Question>& questions, const std::vector<Row>& rows, Stop* stop = nullptr);

  std::size_t words() const { return words_; }
  const std::uint64_t* all() const { return all_.data(); }
  const std::uint64_t* outcome(std::size_t question, Index outcome) const {
    return sets_.data() + (first_[question] + static_cast<std::size_t>(outcome)) * words_;
  }
  // The rows without an answer; null: there are none.
  const std::uint64_t* unanswered(std::size_t question) const {
    return unanswered_[question] < 0 ? nullptr : missing_.data() + static_cast<std::size_t>(unanswered_[question]) * words_;
  }
  // Adds how many rows of each class the set has.
  void add_counts(const std::uint64_t* set, double* counts) const {
    for (std::size_t c = 0; c + 1 < class_words_.size(); ++c) {
      unsigned count = 0;
      for (std::size_t w = class_words_[c]; w < class_words_[c + 1]; ++w) count += count_bits(set[w]);
      counts[c] += count;
    }
  }
  Row row_at(std::size_t bit) const { return rows_[bit]; }

 private:
  void line_up(const Judged& judged, const std::vector<Row>& rows);
  void make_room(const std::vector<Question>& questions);
  // Puts every row into the sets of the questions `first` .. `end` - 1, which are all those about one feature.
  void put_rows(const Table& table, const std::vector<Question>& questions, std::size_t first, std::size_t end);
  // The same where each asks for one category: in one go, however many there are.
  void put_categories(const Table& table, const std::vector<Question>& questions, std::size_t first, std::size_t end);
  std::uint64_t* set(std::size_t question, Index outcome) { return sets_.data() + (first_[question] + static_cast<std::size_t>(outcome)) * words_; }

  std::size_t words_ = 0;
  std::vector<std::size_t> class_words_;   // classes + 1: where the words of each class begin
  std::vector<Row> rows_;                  // by bit; places that no row has hold any
  std::vector<std::uint64_t> all_, sets_, missing_;
  std::vector<std::size_t> first_;         // per question: its first set
  std::vector<std::ptrdiff_t> unanswered_; // per question: its feature's set in missing_, -1 if it is empty
};

}  // namespace thriftwood
