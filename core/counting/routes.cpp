#include "routes.hpp"

#include <algorithm>
#include <utility>

#include "../basics/interruption.hpp"

namespace thriftwood {

namespace {

// Rows that are led and counted together: their codes in all of 30 columns are a megabyte and stay in the cache from one column to the next.
constexpr std::size_t block_rows = 1u << 15;

struct Block {
  std::vector<std::uint32_t> at;    // the rows that come to a goal, from the block's first one
  std::vector<std::uint32_t> goal;  // of each of those
  std::vector<std::uint32_t> cell;  // of each: where the cells of its goal and class are, of a feature of `stride` cells
  std::vector<double> weight;       // where weights differ
  std::vector<std::int64_t> units;  // where numbers are predicted: of each, see NumberGrid
  std::vector<std::int64_t> times;  //   and what it weighs, where weights differ
  std::size_t stride = 0;
};

// The stations of a shard: where the codes of each lie, and its table.
struct Station {
  const std::uint8_t* bytes;   // null: the column is wide
  const std::uint16_t* pairs;
  const std::uint32_t* next;
};

std::vector<Station> stations_of(const Shard& shard, const Coding& coding, const Routes& routes) {
  std::vector<Station> stations;
  for (std::size_t i = 0; i < routes.feature.size(); ++i) {
    const Index feature = routes.feature[i];
    const bool wide = coding.wide(feature);
    stations.push_back({wide ? nullptr : shard.bytes(feature), wide ? shard.pairs(feature) : nullptr, routes.next.data() + routes.first[i]});
  }
  return stations;
}

double weight_of(const Shard& shard, const Coding& coding, std::size_t row) {
  double weight = shard.weights == nullptr ? 1.0 : shard.weights[row];
  if (!coding.class_weights.empty()) weight *= coding.class_weights[shard.labels[row]];
  return coding.rounded(weight);
}

void lead(std::span<const Station> stations, const Routes& routes, std::size_t first, std::size_t n, Block& block) {
  block.at.resize(n);
  block.goal.resize(n);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t place = routes.start;
    while (place < Routes::goal) {
      const Station& station = stations[place];
      place = station.next[station.bytes != nullptr ? station.bytes[first + i] : station.pairs[first + i]];
    }
    block.at[kept] = static_cast<std::uint32_t>(i);
    block.goal[kept] = place - Routes::goal;
    kept += place != Routes::nowhere;
  }
  block.at.resize(kept);
  block.goal.resize(kept);
}

// Leads the rows of a shard block by block; `work(first, n, block)` counts those of one.
template <class Work>
void each_block(const Shard& shard, const Coding& coding, const Routes& routes, const Work& work) {
  Block block;
  const std::vector<Station> stations = stations_of(shard, coding, routes);
  for (std::size_t first = 0; first < shard.rows; first += block_rows) {
    const std::size_t n = std::min(block_rows, shard.rows - first);
    lead(stations, routes, first, n, block);
    poll(n * routes.features.size());
    work(first, n, block);
  }
}

// The rows of goal 0, of goal 1 and so on, each in their order; ends[g] is where those of goal g end.
void sort_by_goal(const Block& block, std::vector<std::uint32_t>& ends, std::vector<std::uint32_t>& sorted) {
  std::fill(ends.begin(), ends.end(), 0u);
  for (std::uint32_t goal : block.goal) ++ends[goal];
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends) begin += std::exchange(end, begin);  // where each begins, for now
  sorted.resize(block.at.size());
  for (std::size_t k = 0; k < block.at.size(); ++k) sorted[ends[block.goal[k]]++] = block.at[k];
}

// Where the counts of every row go, before its code is known; the same for all features of so many cells.
void find_cells(const Shard& shard, std::size_t first, std::size_t stride, Block& block) {
  if (block.stride == stride) return;
  block.stride = stride;
  block.cell.resize(block.at.size());
  for (std::size_t k = 0; k < block.at.size(); ++k)
    block.cell[k] = static_cast<std::uint32_t>(block.goal[k] * stride) + shard.labels[first + block.at[k]];
}

// One feature: sums is [goal][code][width].
template <class Code, class Sum, bool weighted, bool all>
void count_feature(const Code* codes, const Block& block, std::size_t width, Sum* sums) {
  const std::size_t n = block.at.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t code = codes[all ? k : block.at[k]];
    if constexpr (weighted) {
      sums[block.cell[k] + code * width] += block.weight[k];
      sums[block.goal[k] * block.stride + code * width + width - 1] += 1.0;
    } else {
      ++sums[block.cell[k] + code * width];
    }
  }
}

template <class Code, class Sum, bool weighted>
void count_feature(const Code* codes, const Block& block, bool all, std::size_t width, Sum* sums) {
  if (all)
    count_feature<Code, Sum, weighted, true>(codes, block, width, sums);
  else
    count_feature<Code, Sum, weighted, false>(codes, block, width, sums);
}

// Sums are laid out [feature][goal][code][width], so that the cells of one feature stay in the nearest cache; [goal][feature]... is what is
// given back.
template <class Sum, bool weighted>
void count_all(const Shard& shard, const Coding& coding, const Routes& routes, std::span<double> sums) {
  const std::size_t width = coding.width(), cells = routes.cells(coding), goals = routes.goals;
  std::vector<Sum> own(goals * cells, Sum{});
  each_block(shard, coding, routes, [&](std::size_t first, std::size_t n, Block& block) {
    const bool all = block.at.size() == n;
    block.stride = 0;
    if constexpr (weighted) {
      block.weight.resize(block.at.size());
      for (std::size_t k = 0; k < block.at.size(); ++k) block.weight[k] = weight_of(shard, coding, first + block.at[k]);
    }
    std::size_t begin = 0;
    for (Index feature : routes.features) {
      const std::size_t stride = coding.cells(feature);
      find_cells(shard, first, stride, block);
      if (coding.wide(feature))
        count_feature<std::uint16_t, Sum, weighted>(shard.pairs(feature) + first, block, all, width, own.data() + begin);
      else
        count_feature<std::uint8_t, Sum, weighted>(shard.bytes(feature) + first, block, all, width, own.data() + begin);
      begin += stride * goals;
    }
  });
  std::size_t begin = 0, within = 0;
  for (Index feature : routes.features) {
    const std::size_t stride = coding.cells(feature);
    for (std::size_t goal = 0; goal < goals; ++goal)
      for (std::size_t i = 0; i < stride; ++i) sums[goal * cells + within + i] += static_cast<double>(own[begin + goal * stride + i]);
    begin += stride * goals;
    within += stride;
  }
}

// Numbers to predict: what the rows of one code come to, and how many they are.
struct NumberCell {
  NumberSums sums;
  std::uint64_t cases = 0;
};

// [goal][code] of one feature.
template <class Code>
void count_numbers(const Code* codes, const Block& block, std::size_t stride, NumberCell* cells) {
  for (std::size_t k = 0; k < block.at.size(); ++k) {
    NumberCell& cell = cells[block.goal[k] * stride + codes[block.at[k]]];
    if (block.times.empty()) {
      cell.sums.add(block.units[k]);
    } else {
      cell.sums.add(block.units[k], block.times[k]);
      ++cell.cases;
    }
  }
}

// The numbers of the block's rows in units, and what they weigh.
void find_units(const Shard& shard, const Coding& coding, std::size_t first, Block& block) {
  const NumberGrid& grid = coding.numbers;
  block.units.resize(block.at.size());
  for (std::size_t k = 0; k < block.at.size(); ++k) block.units[k] = grid.units(grid.rounded(shard.numbers[first + block.at[k]]));
  if (!coding.weighted) return;
  block.times.resize(block.at.size());
  for (std::size_t k = 0; k < block.at.size(); ++k) block.times[k] = grid.weight_units(weight_of(shard, coding, first + block.at[k]));
}

void count_numbers(const Shard& shard, const Coding& coding, const Routes& routes, std::span<double> sums) {
  const std::size_t width = coding.width(), goals = routes.goals;
  std::size_t codes = 0;
  for (Index feature : routes.features) codes += coding.codes(feature);
  std::vector<NumberCell> own(goals * codes);
  each_block(shard, coding, routes, [&](std::size_t first, std::size_t, Block& block) {
    find_units(shard, coding, first, block);
    NumberCell* cells = own.data();
    for (Index feature : routes.features) {
      const std::size_t stride = coding.codes(feature);
      if (coding.wide(feature))
        count_numbers(shard.pairs(feature) + first, block, stride, cells);
      else
        count_numbers(shard.bytes(feature) + first, block, stride, cells);
      cells += stride * goals;
    }
  });
  const NumberCell* cell = own.data();
  std::size_t within = 0;
  for (Index feature : routes.features) {
    for (std::size_t goal = 0; goal < goals; ++goal)
      for (std::size_t code = 0; code < coding.codes(feature); ++code, ++cell) {
        double* digits = sums.data() + goal * routes.cells(coding) + within + code * width;
        add_digits(cell->sums, digits);
        if (coding.weighted) digits[number_digits] += static_cast<double>(cell->cases);
      }
    within += coding.cells(feature);
  }
}

}  // namespace

std::size_t Routes::cells(const Coding& coding) const {
  std::size_t sum = 0;
  for (Index f : features) sum += coding.cells(f);
  return sum;
}

void check_routes(const Routes& routes, const Coding& coding) {
  const auto stations = static_cast<std::uint32_t>(routes.feature.size());
  const auto fits = [&](std::uint32_t place, std::uint32_t after) {
    if (place == Routes::nowhere) return true;
    return place >= Routes::goal ? place - Routes::goal < routes.goals : place >= after && place < stations;
  };
  const auto is_feature = [&](Index f) { return f >= 0 && f < coding.features(); };
  bool right = routes.first.size() == stations && fits(routes.start, 0) && std::all_of(routes.features.begin(), routes.features.end(), is_feature);
  for (std::uint32_t s = 0; right && s < stations; ++s) {
    right = is_feature(routes.feature[s]) && routes.first[s] + coding.codes(routes.feature[s]) <= routes.next.size();
    for (std::size_t code = 0; right && code < coding.codes(routes.feature[s]); ++code)
      right = fits(routes.next[routes.first[s] + code], s + 1);  // onwards only, so every way ends
  }
  if (!right) throw InputError("These routes do not fit the coding of the table.");
}

void count(const Shard& shard, const Coding& coding, const Routes& routes, std::span<double> sums) {
  if (coding.regression && !coding.numbers.exact()) throw InputError("Numbers are counted where it is known what they are multiples of.");
  if (sums.size() != routes.goals * routes.cells(coding)) throw InputError("The room for counts does not fit the routes.");
  if (coding.regression)
    count_numbers(shard, coding, routes, sums);
  else if (coding.weighted)
    count_all<double, true>(shard, coding, routes, sums);
  else
    count_all<std::uint32_t, false>(shard, coding, routes, sums);
}

void gather(const Shard& shard, const Coding& coding, const Routes& routes, std::span<CodedRows> goals) {
  Block block;
  const std::vector<Station> stations = stations_of(shard, coding, routes);
  std::vector<std::uint32_t> ends(routes.goals), sorted;
  for (std::size_t first = 0; first < shard.rows; first += block_rows) {
    const std::size_t n = std::min(block_rows, shard.rows - first);
    lead(stations, routes, first, n, block);
    poll(n + block.at.size() * shard.codes.size());
    sort_by_goal(block, ends, sorted);
    for (std::uint32_t goal = 0; goal < routes.goals; ++goal) {
      const std::uint32_t begin = goal == 0 ? 0 : ends[goal - 1];
      const auto from = std::span<const std::uint32_t>(sorted).subspan(begin, ends[goal] - begin);
      if (from.empty()) continue;
      CodedRows& rows = goals[goal];
      for (Index f = 0; f < coding.features(); ++f) {
        const auto at = static_cast<std::size_t>(f);
        if (coding.wide(f))
          for (std::uint32_t i : from) rows.pairs[at].push_back(shard.pairs(f)[first + i]);
        else
          for (std::uint32_t i : from) rows.bytes[at].push_back(shard.bytes(f)[first + i]);
      }
      for (std::uint32_t i : from) {
        if (coding.regression)
          rows.numbers.push_back(coding.numbers.exact() ? coding.numbers.rounded(shard.numbers[first + i]) : shard.numbers[first + i]);
        else
          rows.labels.push_back(shard.labels[first + i]);
        if (coding.weighted) rows.weights.push_back(weight_of(shard, coding, first + i));
      }
    }
  }
}

}  // namespace thriftwood
