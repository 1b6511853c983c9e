#include "basics/stopping.hpp"

#include "check.hpp"

using namespace thriftwood;

TEST_CASE("a stop without a reason is never reached") {
  Stop never;
  CHECK(!never.reached());
  CHECK(never.why() == Stop::Why::No);
}

TEST_CASE("time is up after the seconds given, and nobody is asked any more") {
  bool asked = false;
  Stop soon(1e-9, [&] { return asked = true; });
  while (!soon.reached()) {
  }
  CHECK(soon.why() == Stop::Why::Time);
  CHECK(soon.reached());
  CHECK(!asked);
}

TEST_CASE("who asks after the time was up is told so, and what is not finished by then is broken off") {
  using namespace std::chrono_literals;
  Stop soon(1e-9, [] { return true; });
  while (!soon.reached()) {
  }
  CHECK(!soon.asked_since(30ms));  // first asked here
  CHECK(soon.why() == Stop::Why::Asked);
  while (!soon.asked_since(30ms)) {
  }
  CHECK(soon.why() == Stop::Why::Asked);
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
