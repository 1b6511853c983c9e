#include "optimal/simd.hpp"

#include "basics/random.hpp"
#include "check.hpp"
#include "optimal/optimal.hpp"

using namespace thriftwood;
using optimal::Machine;

namespace {

struct Drawn {
  std::vector<double> numbers, costs;
  Table table;

  Drawn(std::size_t rows, std::size_t columns, std::size_t answers, std::size_t values, bool whole, Key key) {
    for (std::size_t i = 0; i < rows * columns; ++i) numbers.push_back(static_cast<double>(draw_below(key_below(key, i), values)));
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t label = draw_below(key_below(key + 1, i), answers);
      for (std::size_t a = 0; a < answers; ++a)
        costs.push_back(a == label ? 0.0 : whole ? 1.0 + static_cast<double>(label) : 1.0 + unit_draw(key_below(key + 2, i * answers + a)));
    }
    table.rows = rows;
    for (std::size_t c = 0; c < columns; ++c)
      table.columns.push_back({Storage::Float64, numbers.data() + c, static_cast<std::ptrdiff_t>(columns), 0});
  }
};

OptimalOutline found_on(Machine used, const Drawn& drawn, std::size_t answers) {
  Stop never;
  OptimalSettings settings;
  optimal::machine() = used;
  const OptimalOutline found = find_optimal({drawn.table, {}, drawn.costs, static_cast<Index>(answers), nullptr}, settings, never);
  optimal::machine() = optimal::best_machine();
  return found;
}

}  // namespace

TEST_CASE("every machine finds the same tree, to the last bit") {
  Key key = 1;
  for (const std::size_t values : {2, 40})
    for (const std::size_t answers : {2, 3, 7})
      for (const bool whole : {true, false}) {
        const Drawn drawn(90, 6, answers, values, whole, key_below(key++, 0));
        const OptimalOutline plain = found_on(Machine::Plain, drawn, answers);
        for (const Machine used : {Machine::Avx2, Machine::Avx512}) {
          if (used > optimal::best_machine()) continue;
          const OptimalOutline wide = found_on(used, drawn, answers);
          CHECK(wide.cost == plain.cost && wide.lower == plain.lower && wide.nodes.size() == plain.nodes.size());
          for (std::size_t i = 0; i < plain.nodes.size(); ++i)
            CHECK(wide.nodes[i].feature == plain.nodes[i].feature && wide.nodes[i].threshold == plain.nodes[i].threshold);
        }
        CHECK(plain.exact());
      }
}
