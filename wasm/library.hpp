// What the core asks of the standard library and emscripten's (3.1.6, clang 14) lacks; included before every file. Where a later one has
// it, nothing is defined here.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>
#include <version>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
#endif

#ifndef __cpp_lib_smart_ptr_for_overwrite
template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}
#endif

#ifndef __cpp_lib_jthread
// One thread: the pool has no other workers, but it has a list of them.
class jthread {
 public:
  template <class Work>
  explicit jthread(Work&&) {}
};
#endif

#ifndef __cpp_lib_ranges
namespace ranges {
inline constexpr auto fill = [](auto& to, const auto& value) { std::fill(std::begin(to), std::end(to), value); };
inline constexpr auto reverse = [](auto& what) { std::reverse(std::begin(what), std::end(what)); };
inline constexpr auto max = [](const auto& of) { return *std::max_element(std::begin(of), std::end(of)); };
inline constexpr auto copy = [](const auto& from, auto to) { std::copy(std::begin(from), std::end(from), to); };
inline constexpr auto equal = [](const auto& a, const auto& b) { return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b)); };
inline constexpr auto stable_sort = [](auto& what, auto less) { std::stable_sort(std::begin(what), std::end(what), less); };
}  // namespace ranges
#endif

}  // namespace std
