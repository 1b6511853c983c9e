// The best tree of two levels where every question has two branches and cases are of few kinds: cases are bits, and for every pair of
// questions the cases of each kind with both answers "yes" are counted once. What the four leaves of a pair cost follows from that count
// and from the counts of each question by itself:
//
//   both n11, f only n1. - n11, g only n.1 - n11, none n - n1. - n.1 + n11
//
// and serves both the tree that asks f first and the one that asks g first. A leaf costs what all answers together would cost, less the
// gain of its best answer; gains are sums over kinds. Where mistakes of a kind cost the same whatever the answer, only its right answer gains.
#pragma once

#include <functional>
#include <vector>

#include "part.hpp"

namespace thriftwood::optimal {

// Prices where the two levels begin, by column.
struct PairPrices {
  const double* first;          // of asking the column
  const double* second;         // [first * columns + second]: of asking `second` below `first`; null: tests are free
  std::size_t columns;
};

class Pairs {
 public:
  explicit Pairs(const Cases& cases);

  struct Asked {
    std::uint32_t column, cut;
  };
  const std::vector<Asked>& questions() const { return questions_; }

  // Reads the units of a part: which questions tell them apart.
  void lay(const Part& part);
  // The columns of these questions, ascending.
  const std::vector<std::uint32_t>& columns() const { return columns_; }
  // The questions, by number, and how many there are.
  const std::vector<std::uint32_t>& active() const { return active_; }

  // Per active question: the least cost of a tree of two levels, or one, that begins with it. Two levels are looked at for as long as
  // `goes_on` says so: if it ends earlier, what there is are costs of trees, but not the least.
  const std::vector<double>& two_levels(const Part& part, const PairPrices& prices, const std::function<bool()>& goes_on);
  const std::vector<double>& one_level(const Part& part, const PairPrices& prices);

  std::size_t bytes() const;

 private:
  struct Gain {
    std::uint32_t kind;
    double by;
  };
  struct Segment {
    std::uint32_t block, kind;
    std::uint64_t mask;
  };

  void transpose(const Part& part);
  void count_single();

  const Cases& cases_;
  std::vector<Asked> questions_;
  std::size_t row_words_ = 0;
  std::vector<std::uint64_t> row_bits_;    // per unit: the answers to all questions
  std::vector<double> kind_all_;           // per kind: what a leaf costs before gains
  std::vector<std::vector<Gain>> gains_;   // per answer

  std::size_t units_ = 0, blocks_ = 0, stride_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> active_, columns_;
  std::vector<std::uint64_t> all_bits_;    // per question and block
  std::vector<std::uint64_t> bits_;        // per block and active question
  std::vector<std::uint64_t> own_;         // per segment: those of the question asked first
  std::vector<std::uint64_t> count_;       // per kind and active question
  std::vector<double> single_;             // per kind and active question: counts of one question
  std::vector<double> gain_;               // per answer and active question
  std::vector<double> all1_, weight1_;     // per active question: of the cases that say yes
  std::vector<double> weight0_;            // ... and no
  std::vector<double> best1_, best0_, found_, after_, before_, most_;
  std::vector<double> part_gain_;          // per answer
};

}  // namespace thriftwood::optimal
