#include "streams/adaptive_window.hpp"

#include <random>

#include "check.hpp"

using namespace thriftwood;

TEST_CASE("a window keeps what does not change and loses what was before a rise") {
  AdaptiveWindow window(0.002);
  std::mt19937 random(3);
  std::bernoulli_distribution seldom(0.1), often(0.6);
  int rises = 0;
  for (int i = 0; i < 3000; ++i) rises += window.add(seldom(random) ? 1.0 : 0.0) == AdaptiveWindow::Change::Rise;
  CHECK(rises == 0);
  CHECK(window.count() == 3000.0);
  CHECK_NEAR(window.mean(), 0.1, 0.02);
  for (int i = 0; i < 1000; ++i) rises += window.add(often(random) ? 1.0 : 0.0) == AdaptiveWindow::Change::Rise;
  CHECK(rises >= 1);
  CHECK(window.count() < 1500.0);
  CHECK_NEAR(window.mean(), 0.6, 0.1);
}

TEST_CASE("a window that was stored goes on as it would have") {
  AdaptiveWindow window(0.01);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(0.0, 1.0);
  for (int i = 0; i < 500; ++i) window.add(number(random));
  std::vector<double> numbers;
  window.write(numbers);
  AdaptiveWindow again(0.01);
  std::size_t at = 0;
  again.read([&] { return numbers.at(at++); });
  CHECK(at == numbers.size());
  for (int i = 0; i < 500; ++i) {
    const double value = number(random);
    window.add(value);
    again.add(value);
  }
  CHECK(window.count() == again.count());
  CHECK_NEAR(window.mean(), again.mean(), 1e-9);
}
