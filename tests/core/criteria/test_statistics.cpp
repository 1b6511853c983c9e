// The chi-square tail against values of another program.
#include "basics/statistics.hpp"
#include "check.hpp"

using namespace thriftwood;

TEST_CASE("tails of chi-square") {
  const struct {
    double x;
    int df;
    double tail;
  } known[] = {
      {3.546667, 2, 0.16976612914545403}, {0.57037, 2, 0.7518751445503838},  {2.8, 1, 0.09426430684121058},    {0.933333, 1, 0.3339983421396714},
      {0.01, 1, 0.920344325445942},       {30, 1, 4.3204630578274955e-08},   {1, 10, 0.9998278843700441},      {10, 10, 0.44049328506521257},
      {50, 10, 2.669083424904495e-07},    {120, 100, 0.08440668109369177},   {80, 100, 0.9296649333406051},    {500, 100, 1.720121005369523e-54},
      {1e-08, 3, 0.999999999999734},      {700, 3, 2.0991308534204487e-151}, {9000, 9000, 0.4980176374247972},
  };
  for (const auto& [x, df, tail] : known) CHECK_NEAR(chi_square_tail(x, df) / tail, 1.0, 1e-9);
}

TEST_CASE("nothing to tell apart has the tail 1") {
  CHECK(chi_square_tail(0.0, 3) == 1.0);
  CHECK(chi_square_tail(5.0, 0) == 1.0);
}
