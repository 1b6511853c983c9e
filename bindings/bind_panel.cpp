#include <nanobind/stl/vector.h>

#include "ensembles/panel_ledger.hpp"
#include "panel.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

std::vector<const Predictor*> trees_of(const std::vector<nb::object>& list) {
  std::vector<const Predictor*> trees;
  for (const nb::object& tree : list) trees.push_back(&nb::cast<const PyTree&>(tree));
  return trees;
}

void voting(PyPanel* self, const std::vector<nb::object>& trees, const std::vector<double>& vote_weight, bool shares, bool short_cut, bool tie_ends) {
  new (self) PyPanel{trees, Panel(trees_of(trees), Vote{vote_weight, shares, short_cut, tie_ends})};
}

PyPanel stacked(const std::vector<nb::object>& trees, const nb::object& tree, const std::vector<Index>& member, const std::vector<Index>& share_of) {
  std::vector<nb::object> keep = trees;
  keep.push_back(tree);
  return PyPanel{std::move(keep), Panel(trees_of(trees), StackedTree{&nb::cast<const PyTree&>(tree), member, share_of})};
}

nb::tuple in_numpy(Answers found, const Panel& panel) {
  const std::size_t rows = found.answer.size();
  return nb::make_tuple(to_numpy(std::move(found.answer)), to_numpy(std::move(found.shares), rows, panel.width()), to_numpy(std::move(found.n_consulted)));
}

nb::tuple answers(const PyPanel& self, const PyTable& table, int n_threads) {
  Answers found;
  {
    const nb::gil_scoped_release unlocked;
    found = answer(self.panel, table.table, n_threads);
  }
  return in_numpy(std::move(found), self.panel);
}

nb::tuple ledger(const PyPanel& self, const Prices& prices, const PyTable& table, int n_threads) {
  PanelLedger kept;
  {
    const nb::gil_scoped_release unlocked;
    kept = keep_ledger(self.panel, prices, table.table, n_threads);
  }
  return nb::make_tuple(nb::cast(std::move(kept.ledger)), to_numpy(std::move(kept.apart)), in_numpy(std::move(kept.answers), self.panel));
}

}  // namespace

void bind_panel(nb::module_& m) {
  nb::class_<PyPanel>(m, "Panel", "Trees of one table that answer together and are asked one after the other.")
      .def("__init__", &voting, "trees"_a, "vote_weight"_a, nb::kw_only(), "shares"_a = false, "short_cut"_a = false, "tie_ends"_a = false,
           nb::sig("def __init__(self, trees: collections.abc.Sequence[Tree], vote_weight: collections.abc.Sequence[float], *, shares: bool = False, "
                   "short_cut: bool = False, tie_ends: bool = False) -> None"),
           "A vote: the class with most weight is answered.")
      .def_static("stacked", &stacked, "trees"_a, "tree"_a, "member"_a, "share_of"_a,
                  nb::sig("def stacked(trees: collections.abc.Sequence[Tree], tree: Tree, member: collections.abc.Sequence[int], "
                          "share_of: collections.abc.Sequence[int]) -> Panel"),
                  "A tree that asks the others. Per column of it: the member asked, and the class whose share is asked for (-1: the answer).")
      .def("answer", &answers, "table"_a, "n_threads"_a = 1,
           nb::sig("def answer(self, table: Table, n_threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]"),
           "Per row: the class answered, the shares of the classes, and the number of members consulted.")
      .def("ledger", &ledger, "prices"_a, "table"_a, "n_threads"_a = 1,
           nb::sig("def ledger(self, prices: Prices, table: Table, n_threads: int = 1) -> tuple[Ledger, numpy.typing.NDArray[numpy.float64], "
                   "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]]"),
           "The bills of all rows, what they would be if every member paid for its own tests, and what `answer` gives.")
      .def("may_be_consulted", [](const PyPanel& self) { return self.panel.may_be_consulted(); },
           "The members that anybody may come to, in the order a reader meets them.")
      .def("tests", [](const PyPanel& self) { return to_numpy(self.panel.tests()); }, "The features that these members test, each once, in the order of the columns; surrogates are left out.");
}
