#include "optimal.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "../splitting/numeric.hpp"
#include "search.hpp"

namespace thriftwood {

namespace {

using namespace optimal;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Writes the tree that the search found, asking it node by node.
class Writer {
 public:
  // `levels`: how many tests ahead each question is chosen by.
  Writer(const Cases& cases, Search& search, int levels) : cases_(cases), search_(search), levels_(levels) {}

  OptimalOutline write(const Part& all, int depth) {
    outline_ = {};
    outline_.nodes.emplace_back();
    branches_.resize(at(depth) + 1);
    write(all, depth, 0);
    return std::move(outline_);
  }

 private:
  void write(const Part& part, int depth, std::size_t node) {
    const Found found = search_.solve(part, std::min(depth, levels_));
    if (found.question.column == Question::leaf) {
      outline_.cost += leaf_cost(cases_, part);
      return;
    }
    const CaseColumn& column = cases_.columns[at(found.question.column)];
    const bool every = column.asking == Asking::Every;
    const std::size_t missing = every ? column.values : 2;
    std::vector<Part>& branches = branches_[at(depth)];
    search_.divide(part, found.question, branches);
    describe(outline_.nodes[node], column, found.question, branches[0], branches[1], !branches[missing].units.empty());
    PathPrices& path = search_.path();
    const PathPrices::Mark mark = path.mark();
    const auto c = static_cast<std::size_t>(found.question.column);
    outline_.cost += path.price(c) * (path.missing_is_free() ? part.weight - branches[missing].weight : part.weight);
    path.ask(c);
    for (std::size_t b = 0; b < outline_.nodes[node].branches.size(); ++b) {
      if (branches[b].units.empty()) continue;
      const auto place = outline_.nodes.size();
      outline_.nodes[node].branches[b] = static_cast<Index>(place);
      outline_.nodes.emplace_back();
      if (b == missing && path.missing_is_free()) path.back_to(mark);  // the last one
      write(branches[b], search_.depth_below(found.question, b, depth), place);
    }
    path.back_to(mark);
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
  Search& search_;
  int levels_;
  std::vector<std::vector<Part>> branches_;  // per depth
  OptimalOutline outline_;
};

// About half a second.
constexpr double short_work = 2e8;

// Not more often than people can read.
class Slowly {
 public:
  Slowly(const std::function<bool(double, double)>& tell, double base) : tell_(tell), base_(base) {}

  bool operator()(double cost, double lower) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(50);
    return tell_(base_ + cost, base_ + lower);
  }

 private:
  const std::function<bool(double, double)>& tell_;
  double base_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace

OptimalOutline find_optimal(const OptimalInput& input, const OptimalSettings& settings, Stop& stop, const std::function<bool(double, double)>& tell) {
  const Cases cases(input, settings);
  Search search(cases, input.prices, settings, stop, tell ? Search::Tell(Slowly(tell, cases.base)) : Search::Tell());
  Part all;
  all.units.resize(cases.units);
  std::iota(all.units.begin(), all.units.end(), 0u);
  all.measure(cases);
  OptimalOutline outline = Writer(cases, search, 2).write(all, settings.depth);
  double lower = 0.0;
  // Trees that cost less than some share of the best one so far.
  const auto look = [&](double share, double work) {
    search.begin(outline.cost);
    search.allow(work);
    const Found found = search.solve(all, settings.depth, share * outline.cost);
    lower = std::max(lower, std::min(found.lower, outline.cost));
    if (found.upper < outline.cost) {
      OptimalOutline better = Writer(cases, search, settings.depth).write(all, settings.depth);
      if (better.cost < outline.cost) outline = std::move(better);
    }
    return search.was_short();
  };
  // A long search is first made for much cheaper trees: that there are none is proven sooner, and is known if it ends early.
  if (look(1.0, short_work))
    for (const double share : {0.125, 0.25, 0.5, 0.75, 1.0})
      if (lower < share * outline.cost && look(share, infinity)) break;
  // What the search proved is right up to rounding: a tree it cannot improve is the best.
  if (lower >= outline.cost - 2.0 * search.tolerance()) lower = outline.cost;
  outline.lower = cases.base + lower;
  outline.cost += cases.base;
  return outline;
}

}  // namespace thriftwood
