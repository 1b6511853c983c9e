// Runs every test case, or those whose name or file contains the first argument.
#include <cstdio>
#include <string>

#include "check.hpp"

namespace {

using thriftwood::check::Case;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool passes(const Case& test) {
  auto& record = thriftwood::check::record();
  record.checks = 0;
  record.failures.clear();
  try {
    test.body();
  } catch (const std::exception& error) {
    record.failures.push_back(std::string("left by an exception: ") + error.what());
  } catch (...) {
    record.failures.push_back("left by something that is not a std::exception");
  }
  if (record.checks == 0 && record.failures.empty()) record.failures.push_back("made no check");
  if (record.failures.empty()) return true;
  std::printf("FAILED %s (%s)\n", test.name, test.file);
  for (const auto& failure : record.failures) std::printf("  %s\n", failure.c_str());
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string wanted = count > 1 ? arguments[1] : "";
  int passed = 0;
  int failed = 0;
  for (const Case& test : thriftwood::check::cases()) {
    if (!contains(test.name, wanted) && !contains(test.file, wanted)) continue;
    ++(passes(test) ? passed : failed);
    std::fflush(stdout);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0) std::printf("no test case matches '%s'\n", wanted.c_str());
  return failed == 0 && passed > 0 ? 0 : 1;
}
