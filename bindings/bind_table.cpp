#include <limits>

#include "arrays.hpp"
#include "basics/coding.hpp"

using namespace nb::literals;
using thriftwood::Column;
using thriftwood::Index;
using thriftwood::InputError;
using thriftwood::Storage;

namespace {

void require_countable(std::size_t n, const char* what) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  if (n > most)
    throw InputError("A table can have at most " + std::to_string(most) + " " + what + ", got " +
                     std::to_string(n) + ".");
}

// An array of numbers that the core can read in place.
InAny numbers(nb::handle object, std::size_t ndim, const std::string& what) {
  InAny array;
  const bool usable = nb::try_cast(object, array, false) && array.ndim() == ndim &&
                      (array.dtype() == nb::dtype<float>() || array.dtype() == nb::dtype<double>());
  if (!usable)
    throw InputError(what + " must be a " + std::to_string(ndim) +
                     "-D float32 or float64 array (native byte order, no packed records), got " +
                     described(object) + ". Convert it first; nothing is converted here.");
  if (array.itemsize() == sizeof(float))
    require_aligned<float>(array.data(), what);
  else
    require_aligned<double>(array.data(), what);
  return array;
}

bool single_precision(const InAny& array) { return array.itemsize() == sizeof(float); }

PyTable from_dense(nb::object X) {
  const InAny array = numbers(X, 2, "X");
  require_countable(array.shape(0), "rows");
  require_countable(array.shape(1), "features");
  PyTable result;
  result.table.rows = array.shape(0);
  const auto step = array.stride(1) * static_cast<std::ptrdiff_t>(array.itemsize());
  for (std::size_t f = 0; f < array.shape(1); ++f) {
    Column column;
    column.storage = single_precision(array) ? Storage::Float32 : Storage::Float64;
    column.data = static_cast<const char*>(array.data()) + static_cast<std::ptrdiff_t>(f) * step;
    column.stride = array.stride(0);
    result.table.columns.push_back(column);
  }
  result.keep.push_back(owner_of(array));
  return result;
}

// Are all codes in range? Told without a jump for each, and several at a time where they are neighbours in memory.
bool all_in_range(const Index* codes, std::ptrdiff_t stride, std::size_t size, Index n_values) {
  Index low = 0;
  Index high = -1;
  const auto look = [&](std::ptrdiff_t step) {
    for (std::size_t i = 0; i < size; ++i) {
      const Index code = codes[static_cast<std::ptrdiff_t>(i) * step];
      low = std::min(low, code);
      high = std::max(high, code);
    }
  };
  stride == 1 ? look(1) : look(stride);
  return low >= thriftwood::unseen_code && high < n_values;
}

void check_codes(const InVector<Index>& codes, Index n_values, const std::string& what) {
  const auto view = codes.view();
  if (all_in_range(codes.data(), codes.stride(0), codes.shape(0), n_values)) return;
  for (std::size_t row = 0; row < codes.shape(0); ++row) {
    const Index code = view(row);
    if (code >= thriftwood::unseen_code && code < n_values) continue;
    throw InputError(what + " has the code " + std::to_string(code) + " in row " + std::to_string(row) +
                     "; codes go from 0 to " + std::to_string(n_values - 1) +
                     ", or -1 for missing and -2 for an unseen category.");
  }
}

Column nominal_column(nb::tuple item, const std::string& what, PyTable& result) {
  InVector<Index> codes;
  Index n_values = 0;
  if (item.size() != 2)
    throw InputError(what + " must be (codes, n_values), got a tuple of " + std::to_string(item.size()) +
                     ".");
  if (!nb::try_cast(item[0], codes, false))
    throw InputError(what + " must have its codes in a 1-D int32 array, got " +
                     described(nb::object(item[0])) + ".");
  if (!nb::try_cast(item[1], n_values, true) || n_values < 0)
    throw InputError(what + " must have a number of categories from 0 to " +
                     std::to_string(std::numeric_limits<Index>::max()) + ".");
  require_aligned<Index>(codes.data(), what);
  check_codes(codes, n_values, what);
  result.table.rows = codes.shape(0);
  result.keep.push_back(owner_of(codes));
  Column column;
  column.storage = Storage::Codes;
  column.data = codes.data();
  column.stride = codes.stride(0);
  column.values = n_values;
  return column;
}

Column numeric_column(nb::handle item, const std::string& what, PyTable& result) {
  const InAny array = numbers(item, 1, what);
  Column column;
  column.storage = single_precision(array) ? Storage::Float32 : Storage::Float64;
  column.data = array.data();
  column.stride = array.stride(0);
  result.table.rows = array.shape(0);
  result.keep.push_back(owner_of(array));
  return column;
}

PyTable from_columns(nb::list columns) {
  if (columns.size() == 0) throw InputError("A table needs at least one column, got an empty list.");
  require_countable(columns.size(), "features");
  PyTable result;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const std::size_t rows = result.table.rows;
    const std::string what = "Column " + std::to_string(f);
    const nb::object item = columns[f];
    result.table.columns.push_back(nb::isinstance<nb::tuple>(item)
                                       ? nominal_column(nb::borrow<nb::tuple>(item), what, result)
                                       : numeric_column(item, what, result));
    if (f > 0 && result.table.rows != rows)
      throw InputError(what + " has " + std::to_string(result.table.rows) +
                       " rows, the columns before it have " + std::to_string(rows) + ".");
  }
  require_countable(result.table.rows, "rows");
  return result;
}

std::vector<std::int64_t> integers(nb::handle object, const char* what) {
  std::vector<std::int64_t> result;
  auto copy = [&](const auto& array) {
    const auto view = array.view();
    result.reserve(array.shape(0));
    for (std::size_t i = 0; i < array.shape(0); ++i) result.push_back(static_cast<std::int64_t>(view(i)));
    return result;
  };
  if (InVector<std::int32_t> narrow; nb::try_cast(object, narrow, false)) return copy(narrow);
  if (InVector<std::int64_t> wide; nb::try_cast(object, wide, false)) return copy(wide);
  throw InputError(std::string(what) + " must be a 1-D int32 or int64 array, got " + described(object) + ".");
}

// Row numbers as the core reads them: in place if they are int32 side by side, else in a copy that the table
// keeps.
const Index* row_numbers(nb::handle object, std::size_t& size, std::int64_t n_rows, PyTable& result) {
  if (InVector<Index> in_place;
      nb::try_cast(object, in_place, false) && (in_place.shape(0) <= 1 || in_place.stride(0) == 1)) {
    require_aligned<Index>(in_place.data(), "indices");
    size = in_place.shape(0);
    result.keep.push_back(owner_of(in_place));
    return in_place.data();
  }
  std::vector<Index> rows;
  for (const std::int64_t row : integers(object, "indices")) {
    if (row < 0 || row >= n_rows)
      throw InputError("indices has the row number " + std::to_string(row) + ", but the table has " +
                       std::to_string(n_rows) + " rows.");
    rows.push_back(static_cast<Index>(row));
  }
  size = rows.size();
  const Index* data = rows.data();
  result.keep.push_back(owner_of(std::move(rows)));
  return data;
}

void check_sparse_rows(const Index* rows, std::int64_t begin, std::int64_t end, std::int64_t n_rows,
                       std::size_t column) {
  for (std::int64_t i = begin; i < end; ++i) {
    const bool ascending = i == begin || rows[i] > rows[i - 1];
    if (rows[i] >= 0 && rows[i] < n_rows && ascending) continue;
    throw InputError(
        "Column " + std::to_string(column) + " stores row " + std::to_string(rows[i]) +
        (ascending
             ? ", but the table has " + std::to_string(n_rows) + " rows."
             : " out of order: rows must be strictly ascending. Call sum_duplicates() on the matrix first."));
  }
}

PyTable from_csc(nb::object indptr, nb::object indices, nb::object data, std::int64_t n_rows) {
  if (n_rows < 0) throw InputError("n_rows must not be negative, got " + std::to_string(n_rows) + ".");
  require_countable(static_cast<std::size_t>(n_rows), "rows");
  const std::vector<std::int64_t> starts = integers(indptr, "indptr");
  const InAny values = numbers(data, 1, "data");
  if (values.shape(0) > 1 && values.stride(0) != 1)
    throw InputError("data must be contiguous. Pass a copy of it (numpy.array(x)).");
  if (starts.empty() || starts.front() != 0) throw InputError("indptr must begin with 0.");
  require_countable(starts.size() - 1, "features");

  PyTable result;
  result.table.rows = static_cast<std::size_t>(n_rows);
  std::size_t stored = 0;
  const Index* rows = row_numbers(indices, stored, n_rows, result);
  result.keep.push_back(owner_of(values));
  if (stored != values.shape(0))
    throw InputError("indices and data must be of one length, got " + std::to_string(stored) + " and " +
                     std::to_string(values.shape(0)) + ".");
  for (std::size_t f = 0; f + 1 < starts.size(); ++f) {
    const std::int64_t begin = starts[f];
    const std::int64_t end = starts[f + 1];
    if (end < begin || end > static_cast<std::int64_t>(stored))
      throw InputError("indptr must rise and end within the " + std::to_string(stored) +
                       " stored values; entry " + std::to_string(f + 1) + " is " + std::to_string(end) + ".");
    check_sparse_rows(rows, begin, end, n_rows, f);
    Column column;
    column.storage = single_precision(values) ? Storage::SparseFloat32 : Storage::SparseFloat64;
    column.data =
        static_cast<const char*>(values.data()) + begin * static_cast<std::ptrdiff_t>(values.itemsize());
    column.stored_rows = rows + begin;
    column.stored = static_cast<std::size_t>(end - begin);
    result.table.columns.push_back(column);
  }
  return result;
}

template <class T>
thriftwood::Strided<T> strided(const InVector<T>& array, const char* what) {
  require_aligned<T>(array.data(), what);
  return {array.data(), array.shape(0) > 1 ? array.stride(0) : 1, array.shape(0)};
}

using OutCodes = nb::ndarray<Index, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<Index> room_for(const OutCodes& out, std::size_t size) {
  require_aligned<Index>(out.data(), "out");
  if (out.shape(0) != size)
    throw InputError("out has room for " + std::to_string(out.shape(0)) + " codes, and there are " +
                     std::to_string(size) + ".");
  return {out.data(), size};
}

// The first of the types that the array is of.
template <class T, class... Others, class Work>
Index with_type(nb::handle array, const char* wanted, const Work& work) {
  if (InVector<T> typed; nb::try_cast(array, typed, false)) return work(strided(typed, "The array"));
  if constexpr (sizeof...(Others) > 0)
    return with_type<Others...>(array, wanted, work);
  else
    throw InputError(std::string("Expected a 1-D array of ") + wanted + ", got " + described(array) + ".");
}

Index translate_codes(nb::object codes, InPacked<Index> translation, OutCodes out) {
  return with_type<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
      codes, "signed integers", [&](const auto& entries) {
        return thriftwood::translate(entries, span_of(translation, "translation"), room_for(out, entries.size));
      });
}

Index code_numbers(nb::object numbers, double first, InPacked<Index> code_of, OutCodes out) {
  return with_type<double, float>(numbers, "float64 or float32", [&](const auto& entries) {
    return thriftwood::code_numbers(entries, first, span_of(code_of, "code_of"), room_for(out, entries.size));
  });
}

OutVector<Index> feature_values(const PyTable& self) {
  std::vector<Index> values;
  for (const Column& column : self.table.columns) values.push_back(column.values);
  return to_numpy(std::move(values));
}

}  // namespace

void bind_table(nb::module_& m) {
  m.def("translate_codes", &translate_codes, "codes"_a, "translation"_a.noconvert(), "out"_a.noconvert(),
        "Writes codes of another list of categories as ours (below 0: missing), and returns the smallest.");
  m.def("code_numbers", &code_numbers, "numbers"_a, "first"_a, "code_of"_a.noconvert(), "out"_a.noconvert(),
        "Writes the codes of numbers, and returns the smallest: code_of[k] for first + k, -2 for any other, -1\n"
        "for NaN. It returns -3 where a number is infinite; the codes are then not complete.");
  nb::class_<PyTable>(
      m, "Table", "An encoded table: columns that look at numpy arrays where they lie, and keep them alive.")
      .def_static(
          "from_dense", &from_dense, "X"_a,
          nb::sig("def from_dense(X: numpy.typing.NDArray[typing.Any]) -> Table"),
          "A table of the columns of a 2-D float32 or float64 array in any memory order. NaN is missing.")
      .def_static(
          "from_columns", &from_columns, "columns"_a,
          nb::sig("def from_columns(columns: list[typing.Any]) -> Table"),
          "A table of columns: 1-D float32/float64 arrays (numeric, NaN is missing) and tuples (codes, "
          "n_values) of an\n"
          "int32 array and its number of categories (nominal; -1 is missing, -2 a category not seen before).")
      .def_static("from_csc", &from_csc, "indptr"_a, "indices"_a, "data"_a, "n_rows"_a,
                  nb::sig("def from_csc(indptr: numpy.typing.NDArray[typing.Any], indices: "
                          "numpy.typing.NDArray[typing.Any], data: "
                          "numpy.typing.NDArray[typing.Any], n_rows: int) -> Table"),
                  "A table of sparse columns in scipy's CSC form; what is not stored is 0. Rows ascend "
                  "within a column.")
      .def_prop_ro("n_rows", [](const PyTable& self) { return self.table.rows; })
      .def_prop_ro("n_features", [](const PyTable& self) { return self.table.columns.size(); })
      .def_prop_ro("feature_values", &feature_values, nb::rv_policy::automatic,
                   "Per feature: the number of categories, 0 for a numeric feature.");
}
