#include "components.hpp"

#include <algorithm>

namespace thriftwood {

namespace {

double added(const Option& option, double rate) { return option.gain - rate * option.expense; }

// The first option that adds the most, but for ties.
int choice_at(std::span<const Option> options, double rate, double tie) {
  const double most = most_added(options, rate);
  if (most <= tie) return -1;
  const auto first = std::find_if(options.begin(), options.end(), [&](const Option& option) { return added(option, rate) >= most - tie; });
  return static_cast<int>(first - options.begin());
}

struct Sum {
  Option total;
  std::array<int, 2> planned;
};

Sum planned_at(Option root, const std::array<std::vector<Option>, 2>& options, double rate, double tie) {
  Sum sum{root, {-1, -1}};
  for (std::size_t side = 0; side < 2; ++side) {
    const int best = choice_at(options[side], rate, tie);
    if (best < 0) continue;
    const Option& option = options[side][static_cast<std::size_t>(best)];
    sum.planned[side] = best;
    sum.total.gain += option.gain;
    sum.total.expense += option.expense;
  }
  return sum;
}

Component component(const Sum& sum) { return {per_expense(sum.total.gain, sum.total.expense), sum.total.gain, sum.planned}; }

// The best component of what is free.
Component free_component(Option root, const std::array<std::vector<Option>, 2>& options) {
  std::array<std::vector<Option>, 2> free = options;
  for (auto& side : free)
    for (Option& option : side)
      if (option.expense > 0.0) option = {};
  const double gain = planned_at(root, free, 0.0, 0.0).total.gain;
  return component(planned_at(root, free, 0.0, tie_tolerance * gain));
}

// Under a root that neither costs nor gains anything the best ratio of one option is the best of all: a second one can only be averaged
// with it.
Component best_single(Option root, const std::array<std::vector<Option>, 2>& options) {
  Component best;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t i = 0; i < options[side].size(); ++i) {
      const Option& option = options[side][i];
      Component one{per_expense(root.gain + option.gain, root.expense + option.expense), root.gain + option.gain, {-1, -1}};
      one.planned[side] = static_cast<int>(i);
      if (one.merit.tier >= 0 && better(one.merit, best.merit)) best = one;
    }
  return best;
}

}  // namespace

double most_added(std::span<const Option> options, double rate) {
  double most = 0.0;
  for (const Option& option : options) most = std::max(most, added(option, rate));
  return most;
}

Component best_component(Option root, const std::array<std::vector<Option>, 2>& options) {
  if (root.expense <= 0.0) {
    const Component free = free_component(root, options);
    // By the limit of a ratio what is free and gains something beats whatever costs something.
    return free.merit.tier > 0 ? free : best_single(root, options);
  }
  double rate = root.gain / root.expense, gain = root.gain;
  while (true) {
    const Option total = planned_at(root, options, rate, 0.0).total;
    gain = total.gain;
    const double reached = total.gain / total.expense;
    if (!(reached > rate)) break;
    rate = reached;
  }
  return component(planned_at(root, options, rate, tie_tolerance * gain));
}

}  // namespace thriftwood
