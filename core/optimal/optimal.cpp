#include "optimal.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "rollouts.hpp"
#include "search.hpp"
#include "writer.hpp"

namespace thriftwood {

namespace {

using namespace optimal;

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

Part whole(const Cases& cases) {
  Part all;
  all.units.resize(cases.units);
  std::iota(all.units.begin(), all.units.end(), 0u);
  all.measure(cases);
  return all;
}

}  // namespace

OptimalOutline find_optimal(const OptimalInput& input, const OptimalSettings& settings, Stop& stop, const std::function<bool(double, double)>& tell) {
  const Cases cases(input, settings);
  Search search(cases, input.prices, settings, stop, tell ? Search::Tell(Slowly(tell, cases.base)) : Search::Tell());
  const Part all = whole(cases);
  // The tree whose questions are each chosen so many tests ahead.
  const auto written = [&](int levels) {
    const auto ask = [&](const Part& part, int depth) { return search.solve(part, std::min(depth, levels)).question; };
    return write_outline(cases, settings.missing, search.path(), all, settings.depth, ask);
  };
  OptimalOutline outline = written(2);
  double lower = 0.0;
  // Trees that cost less than some share of the best one so far.
  const auto look = [&](double share, double work) {
    search.begin(outline.cost);
    search.allow(work);
    const Found found = search.solve(all, settings.depth, share * outline.cost);
    lower = std::max(lower, std::min(found.lower, outline.cost));
    if (found.upper < outline.cost) {
      OptimalOutline better = written(settings.depth);
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

OptimalOutline roll_out(const OptimalInput& input, const OptimalSettings& settings, Stop& stop, std::size_t tried) {
  const Cases cases(input, settings);
  const Part all = whole(cases);
  Rollouts rollouts(cases, input.prices, settings, stop, tried);
  const auto ask = [&](const Part& part, int depth) { return rollouts.choose(part, depth); };
  OptimalOutline outline = write_outline(cases, settings.missing, rollouts.path(), all, settings.depth, ask);
  outline.lower = cases.base + std::min(least_cost(cases, all, settings.depth), outline.cost);
  outline.cost += cases.base;
  return outline;
}

}  // namespace thriftwood
