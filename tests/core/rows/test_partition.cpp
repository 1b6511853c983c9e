#include "rows/partition.hpp"

#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

namespace {

struct Divided {
  std::vector<double> numbers;
  std::vector<Side> side;
  std::vector<Entry> order;

  Divided(Random& random, std::size_t sides) : numbers(1 + below(random, 50)), side(numbers.size()) {
    for (double& x : numbers) x = below(random, 8) == 0 ? std::nan("") : static_cast<double>(below(random, 12));
    for (Side& s : side) s = static_cast<Side>(below(random, sides));
    order = plain_order(numbers);
  }

  std::vector<Entry> wanted(std::size_t branch) const {
    std::vector<double> mine = numbers;
    for (std::size_t r = 0; r < mine.size(); ++r)
      if (side[r] != branch) mine[r] = std::nan("");
    return plain_order(mine);
  }
};

}  // namespace

TEST_CASE("an order divided in two is two orders") {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    Divided all(random, 2);
    std::vector<Entry> entries = all.order, spare(entries.size() + 1);
    const std::uint32_t left = divide_order_in_two(entries.data(), entries.size(), all.side.data(), spare.data());
    CHECK(same_order({entries.begin(), entries.begin() + left}, all.wanted(0)));
    CHECK(same_order({entries.begin() + left, entries.end()}, all.wanted(1)));
  }
}

TEST_CASE("an order of distinct values divided in two is two orders") {
  Random random(9);
  for (int round = 0; round < 300; ++round) {
    Divided all(random, 2);
    for (double& x : all.numbers)
      if (!std::isnan(x)) x = unit(random);
    all.order = plain_order(all.numbers);
    std::vector<Entry> entries = all.order, spare(entries.size() + 1);
    const std::uint32_t left = divide_distinct_in_two(entries.data(), entries.size(), all.side.data(), spare.data());
    CHECK(same_order({entries.begin(), entries.begin() + left}, all.wanted(0)));
    CHECK(same_order({entries.begin() + left, entries.end()}, all.wanted(1)));
  }
}

TEST_CASE("an order divided among many branches, some rows going nowhere") {
  Random random(8);
  for (int round = 0; round < 300; ++round) {
    Divided all(random, 5);  // sides 3 and 4 stay behind
    for (Side& s : all.side)
      if (s >= 3) s = s == 3 ? stays : everywhere;
    std::vector<Entry> entries = all.order, spare(entries.size() + 1);
    std::vector<std::uint32_t> sizes;
    divide_order(entries.data(), entries.size(), all.side.data(), spare.data(), 3, sizes);
    auto at = entries.begin();
    for (std::size_t b = 0; b < 3; ++b) {
      CHECK(same_order({at, at + sizes[b]}, all.wanted(b)));
      at += sizes[b];
    }
  }
}
