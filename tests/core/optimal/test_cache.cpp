#include "optimal/cache.hpp"

#include "check.hpp"

using namespace thriftwood;
using namespace thriftwood::optimal;

namespace {

Known known(std::uint64_t number, double cost) {
  Known made;
  made.key = {number * 0x9e3779b97f4a7c15u, number};
  made.cost = cost;
  made.column = 3;
  made.cut = 7;
  made.state = Known::State::Exact;
  return made;
}

}  // namespace

TEST_CASE("what was put into the cache is found again") {
  Cache cache(1 << 20);
  for (std::uint64_t i = 1; i <= 5000; ++i) cache.put(known(i, static_cast<double>(i)));
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    const Known* found = cache.find(known(i, 0.0).key);
    CHECK(found != nullptr && found->cost == static_cast<double>(i) && found->column == 3 && found->cut == 7);
  }
  CHECK(cache.find(known(5001, 0.0).key) == nullptr);
}

TEST_CASE("a cache keeps within its memory, and what is asked for stays") {
  Cache cache(256 * 1024);
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    cache.put(known(i, static_cast<double>(i)));
    if (i % 100 == 0) CHECK(cache.find(known(1, 0.0).key) != nullptr);
  }
  CHECK(cache.bytes() <= 256 * 1024);
  CHECK(cache.find(known(100'000, 0.0).key) != nullptr);
  CHECK(cache.find(known(2, 0.0).key) == nullptr);
}
