#include "basics/coding.hpp"

#include <limits>
#include <vector>

#include "check.hpp"

using namespace thriftwood;

TEST_CASE("codes of other categories are translated") {
  const std::vector<std::int8_t> given{1, 0, -1, 1, 0, 2};
  const std::vector<Index> translation{4, unseen_code, 0};
  std::vector<Index> out(3);
  CHECK(translate(Strided<std::int8_t>{given.data(), 2, 3}, std::span(translation), std::span(out)) == unseen_code);  // every second one
  CHECK(out == (std::vector<Index>{unseen_code, missing_code, 4}));
  out.resize(6);
  CHECK(translate(Strided<std::int8_t>{given.data(), 1, 6}, std::span(translation), std::span(out)) == unseen_code);
  CHECK(out == (std::vector<Index>{unseen_code, 4, missing_code, unseen_code, 4, 0}));
  CHECK_THROWS_AS(InputError, translate(Strided<std::int8_t>{given.data(), 1, 6}, std::span(translation).first(2), std::span(out)));
}

TEST_CASE("whole numbers are looked up") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Index> code_of{0, unseen_code, 1};  // of -1, 0 and 1
  std::vector<double> given{1.0, -1.0};
  std::vector<Index> out(2);
  CHECK(code_numbers(Strided<double>{given.data(), 1, 2}, -1.0, std::span(code_of), std::span(out)) == 0);
  CHECK(out == (std::vector<Index>{1, 0}));
  given = {nan, 1.0, 0.0, 0.5, 2.0, -1e300};
  out.resize(6);
  CHECK(code_numbers(Strided<double>{given.data(), 1, 1}, -1.0, std::span(code_of), std::span(out)) == missing_code);
  CHECK(code_numbers(Strided<double>{given.data(), 1, 6}, -1.0, std::span(code_of), std::span(out)) == unseen_code);
  CHECK(out == (std::vector<Index>{missing_code, 1, unseen_code, unseen_code, unseen_code, unseen_code}));
  given[5] = std::numeric_limits<double>::infinity();
  CHECK(code_numbers(Strided<double>{given.data(), 1, 6}, -1.0, std::span(code_of), std::span(out)) == unseen_code - 1);
}
