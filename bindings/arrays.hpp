// Arrays at the border between numpy and the core: what comes in is looked at where it lies, what goes out
// owns its memory. Arguments of these types are bound with `.noconvert()`, or nanobind would copy an array of
// another dtype without a word.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pruning/cut.hpp"
#include "table.hpp"
#include "tree/predict.hpp"

namespace nb = nanobind;

// Coming in: one dimension of a known dtype, or any dtype (to be asked for with `.dtype()`).
template <class T>
using InVector = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;
// Side by side in memory, as the core reads them.
template <class T>
using InPacked = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InAny = nb::ndarray<nb::ro, nb::device::cpu>;

// Going out.
template <class T>
using OutVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using OutMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// A table and the arrays its columns point into.
struct PyTable {
  thriftwood::Table table;
  std::vector<nb::object> keep;
};

// Python's Tree: a finished tree, ready to answer. `.tree()` is the tree; PyTree(std::move(tree))
// makes one.
using PyTree = thriftwood::Predictor;

// Python's Cut. A type of its own: nanobind would take a bare variant for one of its members.
struct PyCut {
  thriftwood::CutRule rule = {};
};

// A Python object that owns `value` for as long as it lives.
template <class T>
nb::capsule owner_of(T&& value) {
  using Value = std::decay_t<T>;
  auto held = std::make_unique<Value>(std::forward<T>(value));
  nb::capsule owner(held.get(), [](void* p) noexcept { delete static_cast<Value*>(p); });
  held.release();
  return owner;
}

template <class T>
OutVector<T> to_numpy(std::vector<T> values) {
  T* data = values.data();
  const std::size_t size = values.size();
  return OutVector<T>(data, {size}, owner_of(std::move(values)));
}

template <class T>
OutMatrix<T> to_numpy(std::vector<T> values, std::size_t rows, std::size_t columns) {
  T* data = values.data();
  return OutMatrix<T>(data, {rows, columns}, owner_of(std::move(values)));
}

// Memory for a result that is about to be written in full; unlike a vector's it is not filled with zeros
// first.
template <class T>
struct Fresh {
  explicit Fresh(std::size_t n) : memory(std::make_unique_for_overwrite<T[]>(n)), size(n) {}

  std::span<T> span() { return {memory.get(), size}; }
  OutVector<T> vector() && {
    T* data = memory.get();
    return OutVector<T>(data, {size}, owner_of(std::move(memory)));
  }
  OutMatrix<T> matrix(std::size_t rows, std::size_t columns) && {
    T* data = memory.get();
    return OutMatrix<T>(data, {rows, columns}, owner_of(std::move(memory)));
  }

  std::unique_ptr<T[]> memory;
  std::size_t size;
};

inline std::string text_of(nb::handle object) { return nb::str(object).c_str(); }

// "a 1-D float64 array" or "a list": what came, for an error message.
inline std::string described(nb::handle object) {
  if (nb::hasattr(object, "dtype") && nb::hasattr(object, "ndim"))
    return "a " + text_of(nb::object(object.attr("ndim"))) + "-D " + text_of(nb::object(object.attr("dtype"))) + " array";
  return "a " + text_of(nb::object(object.type().attr("__name__")));
}

// numpy allows numbers that straddle the machine's natural boundaries; the core does not.
template <class T>
void require_aligned(const void* data, const std::string& what) {
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    throw thriftwood::InputError(what + " is not aligned in memory. Pass a copy of it (numpy.array(x)).");
}

template <class T>
std::span<const T> span_of(const InPacked<T>& array, const char* what) {
  require_aligned<T>(array.data(), what);
  return {array.data(), array.shape(0)};
}

// For the core an empty span means "not given", so an empty array must not pass for one.
inline void require_entries(std::size_t size, const char* what) {
  if (size == 0) throw thriftwood::InputError(std::string(what) + " is an empty array. Give its numbers, or None.");
}

inline std::span<const double> span_of(const std::optional<InPacked<double>>& array, const char* what) {
  if (!array) return {};
  require_entries(array->size(), what);
  return span_of(*array, what);
}

inline std::span<const double> entries_of(const InMatrix& matrix) {
  require_aligned<double>(matrix.data(), "A matrix");
  return {matrix.data(), matrix.size()};
}

// What answers cost; see core/basics/loss.hpp.
inline std::span<const double> span_of(const std::optional<InMatrix>& matrix, const char* what) {
  if (!matrix) return {};
  require_entries(matrix->size(), what);
  if (matrix->shape(0) > matrix->shape(1))
    throw thriftwood::InputError(std::string(what) + " has " + std::to_string(matrix->shape(0)) + " rows and " + std::to_string(matrix->shape(1)) +
                                 " columns. Give one row and one column per class, and a column for every other answer: [actual, predicted].");
  require_aligned<double>(matrix->data(), what);
  return {matrix->data(), matrix->size()};
}

// The same for so many classes.
inline std::span<const double> loss_of(const std::optional<InMatrix>& matrix, const char* what, thriftwood::Index classes) {
  if (matrix && matrix->shape(0) != static_cast<std::size_t>(classes))
    throw thriftwood::InputError(std::string(what) + " has " + std::to_string(matrix->shape(0)) + " rows; " + std::to_string(classes) +
                                 " classes need " + std::to_string(static_cast<std::size_t>(classes) * static_cast<std::size_t>(classes)) +
                                 " entries, one row and one column per class: [actual, predicted].");
  return span_of(matrix, what);
}
