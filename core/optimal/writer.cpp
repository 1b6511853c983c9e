#include "writer.hpp"

#include <algorithm>

#include "../splitting/numeric.hpp"

namespace thriftwood::optimal {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class Writer {
 public:
  Writer(const Cases& cases, Missing missing, PathPrices& path, const Ask& ask) : cases_(cases), missing_(missing), path_(path), ask_(ask) {}

  OptimalOutline write(const Part& all, int depth) {
    outline_ = {};
    outline_.nodes.emplace_back();
    branches_.resize(at(depth) + 1);
    write(all, depth, 0);
    return std::move(outline_);
  }

 private:
  void write(const Part& part, int depth, std::size_t node) {
    const Question question = ask_(part, depth);
    if (question.column == Question::leaf) {
      outline_.cost += leaf_cost(cases_, part);
      return;
    }
    const CaseColumn& column = cases_.columns[at(question.column)];
    const std::size_t missing = missing_branch(column);
    std::vector<Part>& branches = branches_[at(depth)];
    divide(cases_, part, question, branches);
    describe(outline_.nodes[node], column, question, branches[0], branches[1], !branches[missing].units.empty());
    const PathPrices::Mark mark = path_.mark();
    const auto c = static_cast<std::size_t>(question.column);
    outline_.cost += path_.price(c) * path_.payers(part.weight, part.weight - branches[missing].weight);
    path_.ask(c);
    for (std::size_t b = 0; b < outline_.nodes[node].branches.size(); ++b) {
      if (branches[b].units.empty()) continue;
      const auto place = outline_.nodes.size();
      outline_.nodes[node].branches[b] = static_cast<Index>(place);
      outline_.nodes.emplace_back();
      if (b == missing) path_.go_without(c, mark);  // the last one
      write(branches[b], b == missing && missing_ == Missing::Stay ? 0 : depth - 1, place);
    }
    path_.back_to(mark);
  }

  void describe(OutlineNode& node, const CaseColumn& column, const Question& question, const Part& left, const Part& right, bool missing) const {
    node.feature = column.feature;
    node.nominal = column.asking != Asking::Cuts;
    node.missing_branch = missing;
    node.branches.assign((column.asking == Asking::Every ? column.values : 2) + missing, -1);
    if (column.asking == Asking::Value) node.category = static_cast<Index>(question.cut);
    if (column.asking != Asking::Cuts) return;
    std::uint32_t low = 0, high = column.values;
    for (std::uint32_t u : left.units) low = std::max(low, column.code[u]);
    for (std::uint32_t u : right.units) high = std::min(high, column.code[u]);
    if (right.units.empty()) high = low + 1;
    node.threshold = high < column.values ? midpoint(column.high[low], column.low[high]) : column.high[low];
  }

  const Cases& cases_;
  Missing missing_;
  PathPrices& path_;
  const Ask& ask_;
  std::vector<std::vector<Part>> branches_;  // per depth
  OptimalOutline outline_;
};

}  // namespace

OptimalOutline write_outline(const Cases& cases, Missing missing, PathPrices& path, const Part& all, int depth, const Ask& ask) {
  return Writer(cases, missing, path, ask).write(all, depth);
}

}  // namespace thriftwood::optimal
