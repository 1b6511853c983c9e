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

Component component(const Sum& sum) { return {Lasc::worth(sum.total.gain, sum.total.expense), sum.total.gain, sum.planned}; }

// A rate at which only what is free is worth planning.
Component free_component(Option root, const std::array<std::vector<Option>, 2>& options) {
  std::array<std::vector<Option>, 2> free = options;
  for (auto& side : free)
    for (Option& option : side)
      if (option.expense > 0.0) option = {};
  const double gain = planned_at(root, free, 0.0, 0.0).total.gain;
  return component(planned_at(root, free, 0.0, tie_tolerance * gain));
}

}  // namespace

double most_added(std::span<const Option> options, double rate) {
  double most = 0.0;
  for (const Option& option : options) most = std::max(most, added(option, rate));
  return most;
}

Component best_component(Option root, const std::array<std::vector<Option>, 2>& options) {
  double rate = 0.0;
  if (root.expense > 0.0) {
    rate = root.gain / root.expense;
  } else {
    const Component free = free_component(root, options);
    if (free.merit.tier > 0) return free;  // by the limit of a ratio it beats whatever costs something
  }
  double gain = 0.0;
  while (true) {
    const Option total = planned_at(root, options, rate, 0.0).total;
    if (total.gain <= 0.0) return {};
    gain = total.gain;
    const double reached = total.gain / total.expense;
    if (!(reached > rate)) break;
    rate = reached;
  }
  return component(planned_at(root, options, rate, tie_tolerance * gain));
}

}  // namespace thriftwood
