#include "stage_walk.hpp"

namespace thriftwood {

PreparedStages::PreparedStages(const Booster& booster, const Table& table) : booster_(booster), table_(table), number_of_(table.columns.size(), -1) {
  const std::vector<Index> tests = tests_of(booster);
  for (std::size_t t = 0; t < tests.size(); ++t) number_of_[static_cast<std::size_t>(tests[t])] = static_cast<Index>(t);
  words_ = std::max<std::size_t>(1, (tests.size() + bits - 1) / bits);
  std::size_t nodes = 0;
  for (const Tree& stage : booster.stages) {
    leaves_.emplace_back(stage, table, table.rows / 16);  // a way of few nodes gains less by packing than the ways of large trees
    first_node_.push_back(nodes);
    nodes += stage.nodes.size();
  }
  above_.assign(nodes * words_, 0);
  for (std::size_t s = 0; s < booster.stages.size(); ++s)
    for (Index i = 0; i < booster.stages[s].size(); ++i) {  // parents come first
      const Node& node = booster.stages[s].node(i);
      const Word* own = tests_above(s, i);
      for (Index c = 0; c < node.n_children; ++c) {
        Word* child = above_.data() + (first_node_[s] + static_cast<std::size_t>(node.first_child + c)) * words_;
        std::copy(own, own + words_, child);
        add(child, node.feature);
      }
    }
}

// The tests that a row of the block has had, in the stage at hand.
struct StageWalk::Had {
  const PreparedStages& stages;
  const Prices* prices;
  TestsBelow& below;
  Word* tests;

  bool has(Index test) const { return stages.has(tests, test); }
  void ask(const TableRow& row, Index node) const {
    for (const Index test : had_by_asking(prices, row, below, node)) stages.add(tests, test);
  }
};

StageWalk::StageWalk(const PreparedStages& stages, const Asking& how, bool notes_reads)
    : stages_(stages),
      how_(how),
      tracks_(notes_reads || how.may_stop()),
      reached_(block_rows),
      read_(block_rows * stages.words()),
      had_(block_rows * stages.words()),
      reads_(block_rows) {
  for (const Tree& stage : stages.booster().stages) below_.emplace_back(stage);
}

void StageWalk::walk(std::size_t begin, std::size_t end, const Scores& scores) {
  const Booster& booster = stages_.booster();
  const std::size_t classes = booster.classes();
  std::fill(read_.begin(), read_.end(), 0);
  std::fill(had_.begin(), had_.end(), 0);
  rows_.clear();
  for (std::size_t row = begin; row < end; ++row) {
    rows_.push_back(static_cast<Row>(row));
    reads_[row - begin].clear();
    std::copy(booster.start.begin(), booster.start.end(), scores.of.begin() + static_cast<std::ptrdiff_t>(row * classes));
    scores.stages[row] = static_cast<Index>(booster.stages.size());
  }
  for (std::size_t s = 0; s < booster.stages.size() && !rows_.empty(); ++s) {
    stages_.leaves(s).find(rows_, reached_.data());
    std::size_t left = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row row = rows_[i];
      const auto own = scores.of.subspan(row * classes, classes);
      Index leaf = reached_[i] == unwalked ? leaf_of(s, row) : reached_[i];
      if (tracks_ && reads_new(s, leaf, row - begin)) leaf = read_on(s, begin, row, own);
      if (leaf == sure) {
        scores.stages[row] = static_cast<Index>(s);
        continue;
      }
      add_steps(booster.stages[s], leaf, own);
      rows_[left++] = row;
    }
    rows_.resize(left);
  }
}

// Does a row of the block read a test on its way to the leaf that it has not read before?
bool StageWalk::reads_new(std::size_t stage, Index leaf, std::size_t i) const {
  const Word *above = stages_.tests_above(stage, leaf), *read = read_.data() + i * stages_.words();
  Word fresh = 0;
  for (std::size_t w = 0; w < stages_.words(); ++w) fresh |= above[w] & ~read[w];
  return fresh != 0;
}

Index StageWalk::leaf_of(std::size_t stage, Row row) const {
  const Tree& tree = stages_.booster().stages[stage];
  Index at = 0;
  while (!tree.node(at).leaf()) at = tree.node(at).first_child + branch(tree, tree.node(at), TableRow{stages_.table(), row});
  return at;
}

Index StageWalk::read_on(std::size_t stage, std::size_t begin, Row row, std::span<const double> scores) {
  const std::size_t i = row - begin;
  const Tree& tree = stages_.booster().stages[stage];
  Word* read = read_.data() + i * stages_.words();
  Had had{stages_, how_.prices, below_[stage], had_.data() + i * stages_.words()};
  return ask_stage(tree, TableRow{stages_.table(), row}, how_, had, scores, [&](Index node) {
    const Index test = tree.node(node).feature;
    if (stages_.has(read, test)) return;
    stages_.add(read, test);
    reads_[i].push_back({static_cast<Index>(stage), node});
  });
}

}  // namespace thriftwood
