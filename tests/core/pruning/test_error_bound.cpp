#include "check.hpp"
#include "pruning/error_bound.hpp"

using namespace thriftwood;

TEST_CASE("extra errors at cf 0.25 are those of C4.5 release 8") {
  CHECK_NEAR(extra_errors(1, 0), 0.75, 1e-12);
  CHECK_NEAR(extra_errors(2, 0), 1.0, 1e-12);
  CHECK_NEAR(extra_errors(3, 0), 1.110118, 5e-7);
  CHECK_NEAR(extra_errors(4, 0), 1.171573, 5e-7);
  CHECK_NEAR(extra_errors(6, 0), 1.237797, 5e-7);
  CHECK_NEAR(extra_errors(9, 0), 1.284804, 5e-7);
  CHECK_NEAR(extra_errors(14, 5), 1.794993, 5e-7);
  CHECK_NEAR(extra_errors(5, 2), 1.239583, 5e-7);
  CHECK_NEAR(extra_errors(16, 1), 1.506894, 5e-7);
  CHECK_NEAR(extra_errors(168, 1), 1.610055, 5e-7);
  CHECK_NEAR(extra_errors(3.3846, 0.3846), 1.129474, 5e-6);
  CHECK_NEAR(extra_errors(2, 1), 0.796241, 5e-7);
  CHECK_NEAR(extra_errors(100, 10), 2.814705, 5e-7);
  CHECK_NEAR(extra_errors(10, 9.8), 0.134, 1e-12);
}

TEST_CASE("a smaller confidence factor is more pessimistic") {
  CHECK_NEAR(extra_errors(14, 5, 0.10), 2.875842, 5e-7);
  CHECK_NEAR(extra_errors(6, 0, 0.10), 1.912248, 5e-7);
  for (int percent = 0; percent < 100; ++percent) CHECK(extra_errors(20, 3, percent / 100.0) > extra_errors(20, 3, (percent + 1) / 100.0));
}

TEST_CASE("the exact z differs from the table's") {
  // With z = 0.674490 (the normal quantile) in place of 0.6925.
  const double z = 0.6744897501960817, c = z * z, half = 5.5, n = 14;
  const double limit = (half + c / 2 + std::sqrt(c * (half * (1 - half / n) + c / 4))) / (n + c);
  CHECK_NEAR(extra_errors(14, 5, 0.25, ZRule::Exact), n * limit - 5, 1e-9);
  CHECK(extra_errors(14, 5, 0.25, ZRule::Exact) < extra_errors(14, 5));
  CHECK(extra_errors(6, 0, 0.25, ZRule::Exact) == extra_errors(6, 0));
}

TEST_CASE("no cases, no extra errors; a confidence factor outside its range is refused") {
  CHECK(extra_errors(0, 0) == 0.0);
  CHECK_NEAR(extra_errors(5, 0, 0.0), 5.0, 1e-12);
  CHECK_THROWS_AS(InputError, extra_errors(5, 1, -0.1));
  CHECK_THROWS_AS(InputError, extra_errors(5, 1, 1.1));
  CHECK_THROWS_AS(InputError, extra_errors(5, 1, std::nan("")));
  CHECK_THROWS_AS(InputError, extra_errors(5, 1, 0.6, ZRule::Exact));
}
