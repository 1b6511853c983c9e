#include "numbers.hpp"

#include <limits>

#include "check.hpp"

using namespace thriftwood;

namespace {

std::vector<Entry> sorted(const std::vector<double>& numbers) {
  SortSpace space;
  space.numbers = numbers;
  std::vector<Entry> order;
  sort_numbers(space, order);
  return order;
}

}  // namespace

TEST_CASE("a column is sorted as by comparison, equal numbers in the sequence of their rows") {
  Random random(1);
  for (std::size_t n : {0u, 1u, 2u, 17u, 300u, 5000u}) {
    for (int kind = 0; kind < 5; ++kind) {
      std::vector<double> numbers(n);
      for (double& x : numbers) {
        const double u = unit(random);
        switch (kind) {
          case 0: x = std::floor(u * 7.0) - 3.0; break;                           // few whole numbers
          case 1: x = static_cast<double>(static_cast<float>(u - 0.5)); break;    // what float32 holds
          case 2: x = (u - 0.5) * 1e-300; break;                                  // what it does not
          case 3: x = std::ldexp(u - 0.5, static_cast<int>(below(random, 2000)) - 1000); break;
          default: x = u < 0.2 ? std::nan("") : (u < 0.3 ? -0.0 : (u < 0.4 ? 0.0 : u - 0.7)); break;
        }
      }
      CHECK(sorted(numbers) == plain_order(numbers));
    }
  }
}

TEST_CASE("numbers at the edges of their types") {
  constexpr double inf = infinity, tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  const std::vector<double> numbers{inf, -huge, 0.0, -tiny, huge, tiny, -inf, -0.0, std::nan(""), 1e-45, -1e-45, 3.5e38, -3.5e38};
  CHECK(sorted(numbers) == plain_order(numbers));
}

TEST_CASE("0 and -0 are one value, missing numbers are left out") {
  const std::vector<double> numbers{0.0, std::nan(""), -0.0, 1.0};
  CHECK(sorted(numbers) == (std::vector<Entry>{0u | new_value, 2u, 3u | new_value}));
  CHECK(sorted({std::nan(""), std::nan("")}).empty());
}

TEST_CASE("some rows of an order are an order") {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers(1 + below(random, 40));
    for (double& x : numbers) x = static_cast<double>(below(random, 9));
    std::vector<char> kept(numbers.size());
    for (char& k : kept) k = static_cast<char>(below(random, 2));
    const std::vector<Entry> order = plain_order(numbers);
    std::vector<Entry> some(order.size() + 1);
    some.resize(filter(order.data(), order.size(), some.data(), [&](Row row) { return kept[row] != 0; }));
    std::vector<double> others_gone = numbers;
    for (std::size_t r = 0; r < numbers.size(); ++r)
      if (!kept[r]) others_gone[r] = std::nan("");
    CHECK(some == plain_order(others_gone));
  }
}

TEST_CASE("the smallest gap between neighbours") {
  SortSpace space;
  space.numbers = {5.0, 1.0, 1.0, 1.25, std::nan(""), 9.0};
  std::vector<Entry> order;
  sort_numbers(space, order);
  CHECK(smallest_gap(space, order) == 0.25);
}
