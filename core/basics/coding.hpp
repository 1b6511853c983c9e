// Categories in the codes of the tree: codes of another list of categories translated, and whole numbers looked up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "types.hpp"

namespace thriftwood {

// Entries that need not be neighbours in memory.
template <class T>
struct Strided {
  const T* data;
  std::ptrdiff_t stride;
  std::size_t size;

  const T& operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

// out[i] = translation[code i]; below 0: missing_code. Returns the smallest of them. Throws InputError at a code beyond the translation.
template <class Int>
Index translate(Strided<Int> codes, std::span<const Index> translation, std::span<Index> out) {
  Index lowest = 0;
  for (std::size_t i = 0; i < codes.size; ++i) {
    const Int code = codes[i];
    if (code >= 0 && static_cast<std::size_t>(code) >= translation.size())
      throw InputError("Entry " + std::to_string(i) + " has the code " + std::to_string(code) + ", and there are " +
                       std::to_string(translation.size()) + " categories.");
    out[i] = code < 0 ? missing_code : translation[static_cast<std::size_t>(code)];
    lowest = std::min(lowest, out[i]);
  }
  return lowest;
}

// out[i] = code of number i, where code_of[k] is that of the number first + k; unseen_code for any other, missing_code for NaN. Returns the
// smallest of them; infinities: unseen_code - 1, and the rest of `out` is not written.
template <class Float>
Index code_numbers(Strided<Float> numbers, double first, std::span<const Index> code_of, std::span<Index> out) {
  Index lowest = 0;
  const auto size = static_cast<double>(code_of.size());
  for (std::size_t i = 0; i < numbers.size; ++i) {
    const double place = static_cast<double>(numbers[i]) - first;
    if (place >= 0.0 && place < size) {
      const auto k = static_cast<std::size_t>(place);
      out[i] = static_cast<double>(k) == place ? code_of[k] : unseen_code;
    } else if (std::isinf(place)) {
      return unseen_code - 1;
    } else {
      out[i] = std::isnan(place) ? missing_code : unseen_code;
    }
    lowest = std::min(lowest, out[i]);
  }
  return lowest;
}

}  // namespace thriftwood
