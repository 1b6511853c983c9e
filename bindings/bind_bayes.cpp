#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bayes/naive_bayes.hpp"
#include "pickling.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

using State = nb::typed<nb::tuple, std::vector<Index>, Index, double, OutMatrix<double>, OutMatrix<double>>;
using InBytes = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The categories of the columns, the number of classes, the smoothing; by group the weights of the classes and what was learnt.
State state(const NaiveBayes& self) {
  std::vector<double> classes, learnt;
  for (const auto& group : self.groups()) {
    classes.insert(classes.end(), group.classes.begin(), group.classes.end());
    learnt.insert(learnt.end(), group.learnt.begin(), group.learnt.end());
  }
  const Densities& of = self.densities();
  const std::size_t groups = self.groups().size();
  return State(nb::make_tuple(of.feature_values(), of.classes(), of.smoothing(), to_numpy(std::move(classes), groups, static_cast<std::size_t>(of.classes())),
                              to_numpy(std::move(learnt), groups, of.size())));
}

std::vector<double> row_of(const InMatrix& rows, std::size_t i) { return {rows.data() + i * rows.shape(1), rows.data() + (i + 1) * rows.shape(1)}; }

void restore(NaiveBayes& self, const nb::tuple& state) {
  if (state.size() != 5) throw InputError("This is not what naive Bayes has learnt.");
  const auto classes = nb::cast<InMatrix>(state[3]), learnt = nb::cast<InMatrix>(state[4]);
  if (classes.shape(0) != learnt.shape(0)) throw InputError("This is not what naive Bayes has learnt.");
  std::vector<NaiveBayes::Group> groups;
  for (std::size_t i = 0; i < classes.shape(0); ++i) groups.push_back({row_of(classes, i), row_of(learnt, i)});
  Densities densities(nb::cast<std::vector<Index>>(state[0]), nb::cast<Index>(state[1]), nb::cast<double>(state[2]));
  new (&self) NaiveBayes(std::move(densities), std::move(groups));
}

}  // namespace

void bind_bayes(nb::module_& m) {
  nb::class_<NaiveBayes>(m, "NaiveBayes", "How common the values of columns are in each class.")
      .def("__init__", [](NaiveBayes* self, const PyTable& table, const InPacked<Index>& labels, const std::optional<InPacked<double>>& weights,
                          const std::vector<Index>& feature_values, Index classes, double smoothing) {
        const std::span<const double> given = weights ? std::span<const double>{weights->data(), weights->size()} : std::span<const double>{};
        new (self) NaiveBayes({feature_values, classes, smoothing}, table.table, {labels.data(), labels.size()}, given);
      }, "table"_a, "labels"_a.noconvert(), "weights"_a.noconvert().none(), "feature_values"_a, "classes"_a, "smoothing"_a,
         "Learn from the cases of a table; feature_values: the categories of each column, 0 for numbers.")
      .def("shares", [](const NaiveBayes& self, const PyTable& table, const InBytes& asked, const InPacked<Index>& group) {
        std::vector<double> shares;
        {
          nb::gil_scoped_release unlocked;
          shares = self.shares(table.table, {asked.data(), asked.size()}, {group.data(), group.size()});
        }
        return to_numpy(std::move(shares), table.table.rows, static_cast<std::size_t>(self.densities().classes()));
      }, "table"_a, "asked"_a.noconvert(), "group"_a.noconvert(),
         "The share of each class by row, of the values that were asked; group: whose densities count, -1: none, and the shares are 0.")
      .def_prop_ro("n_groups", [](const NaiveBayes& self) { return self.groups().size(); }, "How many sets of densities there are.")
      .def("__getstate__", &state)
      .def("__setstate__", &restore, nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"))
      .def("__reduce__", &reduced, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}
