// Strings of bits.
#include "evolution/bits.hpp"

#include "check.hpp"
#include "splitting/numbers.hpp"

using namespace thriftwood;

TEST_CASE("bits are read as they are written, and fields are numbers with the first bit highest") {
  const Bits bits = Bits::read("01 10 00");
  CHECK(bits.size() == 6);
  CHECK(bits.text() == "011000");
  CHECK(bits.field(0, 2) == 1);
  CHECK(bits.field(2, 2) == 2);
  CHECK(bits.field(1, 3) == 6);
  CHECK(bits.field(6, 0) == 0);
  CHECK_THROWS_AS(InputError, Bits::read("012"));
}

TEST_CASE("what is put into a field is what is read from it, across words too") {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    Bits bits(200);
    std::string text(200, '0');
    for (int i = 0; i < 30; ++i) {
      const auto length = static_cast<unsigned>(1 + below(random, 32));
      const auto first = static_cast<std::size_t>(below(random, 200 - length));
      const auto value = static_cast<std::uint32_t>(random()) >> (32 - length);
      bits.put(first, length, value);
      for (unsigned b = 0; b < length; ++b) text[first + b] = (value >> (length - 1 - b)) & 1u ? '1' : '0';
      CHECK(bits.field(first, length) == value);
    }
    CHECK(bits.text() == text);
  }
}

TEST_CASE("exchanging a part of two strings exchanges that part alone") {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + below(random, 190);
    std::string a, b;
    for (std::size_t i = 0; i < size; ++i) {
      a += below(random, 2) ? '1' : '0';
      b += below(random, 2) ? '1' : '0';
    }
    const std::size_t first = below(random, size + 1);
    const std::size_t last = first + below(random, size - first + 1);
    Bits left = Bits::read(a), right = Bits::read(b);
    Bits::exchange(left, right, first, last);
    for (std::size_t i = first; i < last; ++i) std::swap(a[i], b[i]);
    CHECK(left == Bits::read(a));
    CHECK(right == Bits::read(b));
  }
}
