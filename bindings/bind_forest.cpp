#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "ensembles/forest.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// What a forest is grown on, with the arrays it lies in: made once, used to grow, to count again and to ask who was left out.
struct PyForestry {
  nb::object table_object;
  const Table& table;
  Target target;
  Bagging bagging;

  PyForestry(nb::object of, const InPacked<Index>& labels, Index classes, const std::optional<InPacked<double>>& weights,
             const std::optional<InPacked<Row>>& case_of, std::size_t cases, int trees, std::size_t draws, bool replacement, std::uint64_t seed)
      : table_object(std::move(of)),
        table(nb::cast<const PyTable&>(table_object).table),
        target(class_target(span_of(labels, "labels"), classes, span_of(weights, "weights"))) {
    bagging = {trees, draws, replacement, seed, {}, cases};
    if (case_of) {
      kept_.assign(case_of->data(), case_of->data() + case_of->size());
      bagging.case_of = kept_;
      count_votes(target, kept_);
    }
  }
  PyForestry(const PyForestry&) = delete;

 private:
  std::vector<Row> kept_;
};

nb::typed<nb::list, PyTree> as_list(std::vector<Tree>&& trees) {
  nb::list result;
  for (Tree& tree : trees) result.append(nb::cast(PyTree(std::move(tree))));
  return nb::typed<nb::list, PyTree>(result);
}

nb::typed<nb::tuple, nb::typed<nb::list, PyTree>, bool> grow(PyForestry& forestry, Settings settings, const Prices* prices) {
  if (prices != nullptr && prices->tests() != forestry.table.features())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(forestry.table.features()) + " features.");
  settings.prices = prices;
  auto [trees, interrupted] =
      interruptible_in_parts([&] { return grow_forest(forestry.table, forestry.target, settings, forestry.bagging); });
  return nb::typed<nb::tuple, nb::typed<nb::list, PyTree>, bool>(nb::make_tuple(as_list(std::move(trees)), interrupted));
}

// The trees are held, not looked at through the list: other threads run meanwhile, and may change it.
std::vector<const PyTree*> trees_of(const std::vector<nb::object>& list) {
  std::vector<const PyTree*> trees;
  for (const nb::object& tree : list) trees.push_back(&nb::cast<const PyTree&>(tree));
  if (trees.empty()) throw InputError("A forest without trees has no answers.");
  return trees;
}

template <class Ask>
OutMatrix<double> shares(const std::vector<nb::object>& list, const PyTable& table, const Ask& ask) {
  const std::vector<const PyTree*> trees = trees_of(list);
  const auto width = static_cast<std::size_t>(trees.front()->tree().width);
  Fresh<double> result(table.table.rows * width);
  {
    const nb::gil_scoped_release unlocked;
    ask(trees, result.span());
  }
  return std::move(result).matrix(table.table.rows, width);
}

OutMatrix<double> mean_of(const std::vector<nb::object>& list, const PyTable& table, int n_threads) {
  return shares(list, table, [&](const auto& trees, std::span<double> out) { mean_shares(trees, table.table, n_threads, out); });
}

OutMatrix<double> left_out(const PyForestry& forestry, const std::vector<nb::object>& list, const PyTable& table, int n_threads) {
  return shares(list, table, [&](const auto& trees, std::span<double> out) {
    left_out_shares(trees, table.table, forestry.target, forestry.bagging, n_threads, out);
  });
}

nb::typed<nb::list, PyTree> recounted(const PyForestry& forestry, const std::vector<nb::object>& list, const PyTable& table,
                                      const InPacked<Index>& labels, const InMatrix& costs, const InMatrix& loss,
                                      const std::optional<InPacked<double>>& weights, int n_threads) {
  const Cases cases{table.table, span_of(labels, "labels"), span_of(weights, "weights")};
  const std::span<const double> means = span_of(std::optional(loss), "loss"), entries = entries_of(costs);
  std::vector<Tree> trees;
  for (const PyTree* tree : trees_of(list)) trees.push_back(tree->tree());
  {
    const nb::gil_scoped_release unlocked;
    recount_forest(trees, cases, forestry.target, forestry.bagging, entries, means, n_threads);
  }
  return as_list(std::move(trees));
}

}  // namespace

void bind_forest(nb::module_& m) {
  const auto labels = nb::arg("labels").noconvert();
  const auto weights = nb::arg("weights").noconvert().none() = nb::none();
  nb::class_<PyForestry>(m, "Forestry", "What the trees of a forest are grown on: a table, its classes, and how bags are drawn.")
      .def(nb::init<nb::object, const InPacked<Index>&, Index, const std::optional<InPacked<double>>&, const std::optional<InPacked<Row>>&,
                    std::size_t, int, std::size_t, bool, std::uint64_t>(),
           "table"_a, labels, "n_classes"_a, nb::arg("weights").noconvert().none(), nb::arg("case_of").noconvert().none(), "n_cases"_a, "n_trees"_a,
           "draws"_a, "replacement"_a, "seed"_a,
           "Bags are drawn among cases: the rows, or, where case_of says the case of each row, those.")
      .def("grow", &grow, "settings"_a, "prices"_a.none() = nb::none(), "Grows all trees, in parallel; and whether Ctrl-C was pressed. Then there are the first ones, as many as are done.")
      .def("left_out_proba", &left_out, "trees"_a, "table"_a, "n_threads"_a = 1,
           "Per case, a row each of the table: the mean class shares of the trees whose bags it is not in; NaN if it is in all.")
      .def("recounted", &recounted, "trees"_a, "table"_a, labels, nb::arg("costs").noconvert(), nb::arg("loss").noconvert(), weights, "n_threads"_a = 1,
           "The trees with cases counted at their nodes, as often as they are in each tree's bag; see recount.");
  m.def("mean_proba", &mean_of, "trees"_a, "table"_a, "n_threads"_a = 1, "The mean over the trees of the class shares where each row ends.");
}
