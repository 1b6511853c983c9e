#include "basics/stopping.hpp"

#include "check.hpp"

using namespace thriftwood;

TEST_CASE("a stop without a reason is never reached") {
  Stop never;
  CHECK(!never.reached());
  CHECK(never.why() == Stop::Why::No);
}

TEST_CASE("time is up after the seconds given, and the first reason stays") {
  bool asked = false;
  Stop soon(1e-9, [&] { return asked = true; });
  while (!soon.reached()) {
  }
  CHECK(soon.why() == Stop::Why::Time);
  CHECK(soon.reached());
  CHECK(!asked);
}

TEST_CASE("only the thread that made it asks the outside") {
  int questions = 0;
  Stop stop(infinity, [&] { return ++questions == 1; });
  std::jthread([&] { CHECK(!stop.reached()); }).join();
  CHECK(questions == 0);
  CHECK(stop.reached());
  CHECK(stop.why() == Stop::Why::Asked);
  std::jthread([&] { CHECK(stop.reached()); }).join();
  CHECK(questions == 1);
}
