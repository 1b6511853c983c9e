// Many rows asked at once, stage by stage: the leaves of a stage are found for all rows of a block that are still asked (LeafFinder), and
// only a row that meets a test it has not read yet is walked through the stage node by node (ask_stage).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../tree/leaf_finder.hpp"
#include "asking.hpp"

namespace thriftwood {

// The node of a stage where a row read a test for the first time.
struct FirstRead {
  Index stage;
  Index node;
};

// What all threads share: the stages made ready, and which tests are on the way to each of their leaves. Booster and table must outlive it.
class PreparedStages {
 public:
  using Word = std::uint64_t;

  PreparedStages(const Booster& booster, const Table& table);

  const Booster& booster() const { return booster_; }
  const Table& table() const { return table_; }
  const LeafFinder& leaves(std::size_t stage) const { return leaves_[stage]; }

  // Sets of the tests that the booster may ask are bits in so many words.
  std::size_t words() const { return words_; }
  bool has(const Word* set, Index test) const { return (set[number(test) / bits] >> number(test) % bits & 1) != 0; }
  void add(Word* set, Index test) const { set[number(test) / bits] |= Word{1} << number(test) % bits; }
  const Word* tests_above(std::size_t stage, Index node) const {
    return above_.data() + (first_node_[stage] + static_cast<std::size_t>(node)) * words_;
  }

 private:
  static constexpr std::size_t bits = 64;

  std::size_t number(Index test) const { return static_cast<std::size_t>(number_of_[static_cast<std::size_t>(test)]); }

  const Booster& booster_;
  const Table& table_;
  std::vector<LeafFinder> leaves_;      // per stage
  std::vector<Index> number_of_;        // per test: its number among those that the booster may ask
  std::size_t words_ = 1;
  std::vector<std::size_t> first_node_; // per stage: nodes of the stages before
  std::vector<Word> above_;             // per node of all stages: the tests on the way to it
};

// Walks one block of rows after another. Each thread has its own.
class StageWalk {
 public:
  static constexpr std::size_t block_rows = 256;  // enough work to outweigh handing it out, few enough to stay in the nearer caches

  // notes_reads: are `first_reads` wanted?
  StageWalk(const PreparedStages& stages, const Asking& how, bool notes_reads);

  // At most block_rows rows, from begin to end - 1; `scores` are of the whole table.
  void walk(std::size_t begin, std::size_t end, const Scores& scores);
  // What row begin + i of the last block read, each test once, in order.
  std::span<const FirstRead> first_reads(std::size_t i) const { return reads_[i]; }
  TestsBelow& below(Index stage) { return below_[static_cast<std::size_t>(stage)]; }

 private:
  using Word = PreparedStages::Word;
  struct Had;

  bool reads_new(std::size_t stage, Index leaf, std::size_t i) const;
  Index leaf_of(std::size_t stage, Row row) const;
  Index read_on(std::size_t stage, std::size_t begin, Row row, std::span<const double> scores);

  const PreparedStages& stages_;
  Asking how_;
  bool tracks_;                                // does it matter what was read?
  std::vector<TestsBelow> below_;              // per stage
  std::vector<Row> rows_;                      // that are still asked
  std::vector<Index> reached_;                 // their leaves
  std::vector<Word> read_, had_;               // per row of the block: sets of tests
  std::vector<std::vector<FirstRead>> reads_;  // per row of the block
};

}  // namespace thriftwood
