// A test framework that fits on a page: the core's tests need a compiler and nothing else.
//
// A test case is a block that registers itself under a sentence; a check inside it records a failure and goes on:
//
//   TEST_CASE("a pure node has no entropy") {
//     CHECK(entropy({4, 0}) == 0.0);
//     CHECK_NEAR(entropy({9, 5}), 0.940, 5e-4);
//     CHECK_THROWS(entropy({-1, 2}));                          // any std::exception
//     CHECK_THROWS_AS(std::invalid_argument, entropy({-1, 2}));  // this type or one derived from it
//   }
//
// A case fails when a check fails, when an exception leaves it, or when it made no check at all.
#pragma once

#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace thriftwood::check {

struct Case {
  const char* name;
  const char* file;
  void (*body)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;  // a function's static, so that registration order between files does not matter
  return all;
}

struct Register {
  Register(const char* name, const char* file, void (*body)()) { cases().push_back({name, file, body}); }
};

// What the running case has seen. Checks may come from several threads.
struct Record {
  std::atomic<int> checks{0};
  std::mutex guard;
  std::vector<std::string> failures;
};

inline Record& record() {
  static Record current;
  return current;
}

inline void fail(const char* file, int line, const std::string& what) {
  std::ostringstream text;
  text << file << ":" << line << ": " << what;
  const std::lock_guard lock(record().guard);
  record().failures.push_back(text.str());
}

inline void that(bool holds, const char* expression, const char* file, int line) {
  ++record().checks;
  if (!holds) fail(file, line, std::string("CHECK(") + expression + ") does not hold");
}

inline void near(double got, double wanted, double tolerance, const char* expression, const char* file, int line) {
  ++record().checks;
  // Written so that NaN fails; equal infinities are near.
  if (got == wanted || std::abs(got - wanted) <= tolerance) return;
  std::ostringstream text;
  text.precision(17);
  text << "CHECK_NEAR(" << expression << "): got " << got << ", wanted " << wanted << " within " << tolerance;
  fail(file, line, text.str());
}

template <class Wanted>
void throws(const std::function<void()>& call, const char* expression, const char* file, int line) {
  ++record().checks;
  try {
    call();
  } catch (const Wanted&) {
    return;
  } catch (...) {
    return fail(file, line, std::string(expression) + " threw another type");
  }
  fail(file, line, std::string(expression) + " did not throw");
}

}  // namespace thriftwood::check

#define THRIFTWOOD_JOIN_(a, b) a##b
#define THRIFTWOOD_JOIN(a, b) THRIFTWOOD_JOIN_(a, b)
#define THRIFTWOOD_TEST_CASE(name, body)                                                           \
  static void body();                                                                              \
  static const ::thriftwood::check::Register THRIFTWOOD_JOIN(body, _entry){name, __FILE__, &body}; \
  static void body()

#define TEST_CASE(name) THRIFTWOOD_TEST_CASE(name, THRIFTWOOD_JOIN(test_case_, __LINE__))
#define CHECK(...) ::thriftwood::check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_NEAR(got, wanted, tolerance) ::thriftwood::check::near((got), (wanted), (tolerance), #got ", " #wanted, __FILE__, __LINE__)
#define CHECK_THROWS_AS(type, ...) ::thriftwood::check::throws<type>([&] { static_cast<void>(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(...) CHECK_THROWS_AS(std::exception, __VA_ARGS__)
