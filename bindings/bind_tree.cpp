#include <nanobind/operators.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "pickling.hpp"
#include "tree/answer.hpp"
#include "tree_arrays.hpp"

using namespace nb::literals;
using thriftwood::ArrayRow;
using thriftwood::Index;
using thriftwood::InputError;
using thriftwood::Tree;

namespace {

const Tree& tree_of(nb::handle_t<PyTree> self) { return nb::cast<const PyTree&>(self).tree(); }

OutVector<const Index> index_view(const std::vector<Index>& values, nb::handle owner) {
  static const Index none = 0;
  return OutVector<const Index>(values.empty() ? &none : values.data(), {values.size()}, owner);
}

OutVector<const double> number_view(const std::vector<double>& values, nb::handle owner) {
  static const double none = 0.0;
  return OutVector<const double>(values.empty() ? &none : values.data(), {values.size()}, owner);
}

OutMatrix<const double> values(nb::handle_t<PyTree> self) {
  const Tree& tree = tree_of(self);
  return OutMatrix<const double>(tree.values.data(),
                                 {tree.nodes.size(), static_cast<std::size_t>(tree.width)}, self);
}

template <class T, class Method>
Fresh<T> batch(const PyTree& self, const PyTable& table, int n_threads, std::size_t width, Method method) {
  Fresh<T> result(table.table.rows * width);
  const nb::gil_scoped_release unlocked;
  (self.*method)(table.table, n_threads, result.span());
  return result;
}

OutVector<Index> apply(const PyTree& self, const PyTable& table, int n_threads) {
  return batch<Index>(self, table, n_threads, 1, &PyTree::apply).vector();
}

OutVector<Index> predict_labels(const PyTree& self, const PyTable& table, int n_threads) {
  return batch<Index>(self, table, n_threads, 1, &PyTree::labels).vector();
}

OutVector<double> predict_numbers(const PyTree& self, const PyTable& table, int n_threads) {
  return batch<double>(self, table, n_threads, 1, &PyTree::numbers).vector();
}

OutMatrix<double> predict_proba(const PyTree& self, const PyTable& table, int n_threads) {
  const auto width = static_cast<std::size_t>(self.tree().width);
  return batch<double>(self, table, n_threads, width, &PyTree::class_shares).matrix(table.table.rows, width);
}

std::tuple<OutVector<std::int64_t>, OutVector<Index>> decision_path(const PyTree& self, const PyTable& table,
                                                                    int n_threads) {
  thriftwood::Paths paths;
  {
    const nb::gil_scoped_release unlocked;
    paths = self.paths(table.table, n_threads);
  }
  return {to_numpy(std::move(paths.starts)), to_numpy(std::move(paths.nodes))};
}

template <class Float>
nb::object answer(const PyTree& self, const Float* data, std::ptrdiff_t stride, std::size_t size) {
  const std::size_t wanted = self.tree().feature_values.size();
  if (size != wanted)
    throw InputError("The row has " + std::to_string(size) + " values, the tree was grown on " +
                     std::to_string(wanted) + " features.");
  require_aligned<Float>(data, "The row");
  const ArrayRow<Float> row{data, stride};
  if (self.tree().regression) return nb::float_(self.number_of(row));
  return nb::int_(self.label_of(row));
}

// Takes any object rather than overloads: trying signatures in turn would cost more than the walk.
nb::object decide(const PyTree& self, nb::handle row) {
  if (nb::isinstance<nb::list>(row)) {
    std::vector<double> numbers;
    const auto list = nb::borrow<nb::list>(row);
    numbers.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const nb::object item = list[i];
      double number = 0.0;
      if (!nb::try_cast(item, number, true))
        throw InputError("Value " + std::to_string(i) +
                         " of the row must be a number (NaN if missing), got " + described(item) + ".");
      numbers.push_back(number);
    }
    return answer(self, numbers.data(), 1, numbers.size());
  }
  if (InVector<double> wide; nb::try_cast(row, wide, false))
    return answer(self, wide.data(), wide.stride(0), wide.shape(0));
  if (InVector<float> narrow; nb::try_cast(row, narrow, false))
    return answer(self, narrow.data(), narrow.stride(0), narrow.shape(0));
  throw InputError("A row must be a 1-D float64 or float32 array or a list of numbers, got " +
                   described(row) + ".");
}

}  // namespace

void bind_tree(nb::module_& m) {
  nb::class_<PyTree> tree(m, "Tree",
                          "A finished tree: flat arrays, fixed once made. The arrays are read-only views.");
  each_node_field([&](const char* name, auto member, const char* meaning) {
    tree.def_prop_ro(
        name, [member](nb::handle_t<PyTree> self) { return field_view(tree_of(self).nodes, member, self); },
        meaning);
  });
  tree.def_prop_ro("values", &values, "Per node: the weight of each class, or (regression) the prediction.")
      .def_prop_ro(
          "branch_map", [](nb::handle_t<PyTree> self) { return index_view(tree_of(self).branch_map, self); },
          "Nominal tests: branch_map[map_offset[node] + code] is the branch, -1 none.")
      .def_prop_ro("surrogates", &surrogate_arrays,
                   nb::sig("def surrogates(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
                   "The surrogates for missing tests: kind, feature, map_offset, flipped, threshold, "
                   "agreement, adjusted.")
      .def_prop_ro(
          "feature_values",
          [](nb::handle_t<PyTree> self) { return index_view(tree_of(self).feature_values, self); },
          "Per feature: the number of categories, 0 for a numeric feature.")
      .def_prop_ro(
          "loss",
          [](nb::handle_t<PyTree> self) { return number_view(tree_of(self).loss, self); },
          "What answers cost, width * n_answers numbers by actual class, then answer; empty: 1 for a mistake.")
      .def_prop_ro(
          "smoothing", [](nb::handle_t<PyTree> self) { return number_view(tree_of(self).smoothing, self); },
          "The weight added to each class before the shares of a node are taken; empty: none.")
      .def_prop_ro(
          "cases", [](const PyTree& self) { return self.tree().cases; },
          "Training cases behind the root's weight, where they have weights of their own; 0: each weighs 1.")
      .def_prop_ro(
          "n_answers", [](const PyTree& self) { return self.tree().answers(); }, "The classes, and the answers besides them: columns of loss.")
      .def_prop_ro(
          "width", [](const PyTree& self) { return self.tree().width; }, "Columns of values.")
      .def_prop_ro("regression", [](const PyTree& self) { return self.tree().regression; })
      .def_prop_ro("n_nodes", [](const PyTree& self) { return self.tree().size(); })
      .def_prop_ro("n_leaves", [](const PyTree& self) { return self.tree().leaves(); })
      .def_prop_ro("depth", [](const PyTree& self) { return self.tree().depth(); })
      .def(
          "cheapest_answer",
          [](const PyTree& self, const std::vector<double>& shares) {
            if (self.tree().regression || shares.size() != static_cast<std::size_t>(self.tree().width))
              throw InputError("Give one share for each class of a classification tree.");
            return thriftwood::cheapest_answer(shares, self.tree().loss);
          },
          "shares"_a, "The number of the answer that costs least for a case with these shares of the classes.")
      .def("to_arrays", &to_arrays, nb::sig("def to_arrays(self) -> dict[str, typing.Any]"),
           "Every field under its name; from_arrays makes an equal tree of them.")
      .def_static(
          "from_arrays", [](const nb::dict& arrays) { return PyTree(from_arrays(arrays)); }, "arrays"_a,
          nb::sig("def from_arrays(arrays: dict[str, typing.Any]) -> Tree"),
          "The tree of a dict such as to_arrays gives. ValueError unless every number in it is possible.")
      .def("__getstate__", &to_arrays, nb::sig("def __getstate__(self) -> dict[str, typing.Any]"))
      .def("__reduce__", &reduced, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](PyTree& self, const nb::dict& arrays) { new (&self) PyTree(from_arrays(arrays)); },
          nb::sig("def __setstate__(self, arrays: dict[str, typing.Any], /) -> None"))
      .def(
          "__eq__",
          [](const PyTree& self, const PyTree& other) { return identical(self.tree(), other.tree()); },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"),
          "Equal in every field, to the last bit.")
      .def("__hash__", [](const PyTree& self) { return static_cast<Py_hash_t>(digest(self.tree()) >> 2); })
      .def("apply", &apply, "table"_a, "n_threads"_a = 1,
           "The node each row ends in; of several (a missing value spread the row) the one with the largest "
           "share.")
      .def("predict_labels", &predict_labels, "table"_a, "n_threads"_a = 1, "The class number of each row.")
      .def("predict_proba", &predict_proba, "table"_a, "n_threads"_a = 1,
           "The share of each class where each row ends.")
      .def("predict_numbers", &predict_numbers, "table"_a, "n_threads"_a = 1,
           "The number a regression tree gives each row.")
      .def("decision_path", &decision_path, "table"_a, "n_threads"_a = 1,
           "(indptr, indices): the numbers of all nodes that row r visits are indices[indptr[r]:indptr[r + "
           "1]].")
      .def("decide", &decide, "row"_a.none(),
           nb::sig("def decide(self, row: numpy.typing.NDArray[typing.Any] | list[float]) -> int | float"),
           "The answer for one row: numbers, category codes as numbers, NaN for a missing value.");
}
