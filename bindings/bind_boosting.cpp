#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "boosting/boost.hpp"
#include "boosting/booster_ledger.hpp"
#include "pickling.hpp"
#include "tree_arrays.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

nb::tuple learn(const PyTable& table, const InPacked<Index>& labels, std::size_t classes, const std::optional<InPacked<double>>& weights,
                const std::optional<InPacked<std::uint8_t>>& held_out, const Prices* prices, const BoostSettings& settings) {
  BoostInput input{table.table, span_of(labels, "labels"), classes, span_of(weights, "weights"), {}, prices};
  if (held_out) input.held_out = span_of(*held_out, "held_out");
  auto [boosted, interrupted] = interruptible_in_parts([&] { return boost(input, settings); });
  return nb::make_tuple(nb::cast(std::move(boosted.booster)), to_numpy(std::move(boosted.held_out_loss)), interrupted);
}

void make(Booster* self, const std::vector<double>& start, const std::vector<nb::object>& trees) {
  Booster booster{start, {}};
  for (const nb::object& tree : trees) booster.stages.push_back(nb::cast<const PyTree&>(tree).tree());
  validate(booster);
  new (self) Booster(std::move(booster));
}

nb::typed<nb::list, PyTree> stages(const Booster& self) {
  nb::list list;
  for (const Tree& stage : self.stages) list.append(nb::cast(PyTree(stage)));
  return nb::typed<nb::list, PyTree>(list);
}

nb::tuple scores(const Booster& self, const PyTable& table, double stop, const Prices* prices, int n_threads) {
  Fresh<double> found(table.table.rows * self.classes());
  Fresh<Index> answered(table.table.rows);
  {
    const nb::gil_scoped_release unlocked;
    score(self, table.table, {stop, prices}, n_threads, {found.span(), answered.span()});
  }
  return nb::make_tuple(std::move(found).matrix(table.table.rows, self.classes()), std::move(answered).vector());
}

nb::tuple ledger(const Booster& self, const Prices& charged, const PyTable& table, double stop, const Prices* prices, int n_threads) {
  Fresh<double> found(table.table.rows * self.classes());
  Fresh<Index> answered(table.table.rows);
  Ledger kept;
  {
    const nb::gil_scoped_release unlocked;
    kept = keep_ledger(self, {stop, prices}, charged, table.table, n_threads, {found.span(), answered.span()});
  }
  return nb::make_tuple(nb::cast(std::move(kept)), std::move(found).matrix(table.table.rows, self.classes()), std::move(answered).vector());
}

}  // namespace

void bind_boosting(nb::module_& m) {
  nb::class_<BoostSettings>(m, "BoostSettings", "How a booster learns.")
      .def(nb::init<>())
      .def_rw("rounds", &BoostSettings::rounds)
      .def_rw("learning_rate", &BoostSettings::learning_rate)
      .def_rw("max_leaves", &BoostSettings::max_leaves)
      .def_rw("max_depth", &BoostSettings::max_depth)
      .def_rw("min_leaf_weight", &BoostSettings::min_leaf_weight)
      .def_rw("l2", &BoostSettings::l2)
      .def_rw("row_share", &BoostSettings::row_share)
      .def_rw("feature_share", &BoostSettings::feature_share)
      .def_rw("bins", &BoostSettings::bins)
      .def_rw("cost_weight", &BoostSettings::cost_weight)
      .def_rw("cheap_first", &BoostSettings::cheap_first)
      .def_rw("cheap_rounds", &BoostSettings::cheap_rounds)
      .def_rw("stop", &BoostSettings::stop)
      .def_rw("patience", &BoostSettings::patience)
      .def_rw("seed", &BoostSettings::seed)
      .def_rw("threads", &BoostSettings::threads);

  nb::class_<Booster>(m, "Booster", "A boosted classifier: a start and the steps of one stage after another.")
      .def("__init__", &make, "start"_a, "stages"_a, nb::sig("def __init__(self, start: collections.abc.Sequence[float], stages: list[Tree]) -> None"))
      .def_ro("start", &Booster::start, "The score of each class before the first stage.")
      .def_prop_ro("stages", &stages, "The stages, trees with a step for every class at their leaves; copies.")
      .def_prop_ro("n_stages", [](const Booster& self) { return self.stages.size(); })
      .def("tests", [](const Booster& self) { return to_numpy(tests_of(self)); }, "The tests it may ask, in the order of the columns.")
      .def("scores", &scores, "table"_a, nb::kw_only(), "stop"_a, "prices"_a.none(), "n_threads"_a = 1,
           nb::sig("def scores(self, table: Table, *, stop: float, prices: Prices | None, n_threads: int = 1) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]"),
           "Per row the scores of the classes, and how many stages answered. prices: the booster's own, for what is delayed or upfront.")
      .def("ledger", &ledger, "charged"_a, "table"_a, nb::kw_only(), "stop"_a, "prices"_a.none(), "n_threads"_a = 1,
           nb::sig("def ledger(self, charged: Prices, table: Table, *, stop: float, prices: Prices | None, n_threads: int = 1) -> "
                   "tuple[Ledger, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]"),
           "What every row buys, at the prices `charged`; with what `scores` gives.")
      .def("__getstate__", [](const Booster& self) { return nb::make_tuple(self.start, stages(self)); },
           nb::sig("def __getstate__(self) -> tuple[list[float], list[Tree]]"))
      .def("__reduce__", &reduced, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__setstate__", [](Booster& self, const nb::tuple& state) {
             if (state.size() != 2) throw InputError("Not a valid booster: its state has a start and stages.");
             make(&self, nb::cast<std::vector<double>>(state[0]), nb::cast<std::vector<nb::object>>(state[1]));
           },
           nb::sig("def __setstate__(self, state: tuple[list[float], list[Tree]], /) -> None"))
      .def("__eq__", [](const Booster& self, const Booster& other) {
             return self.start == other.start && self.stages.size() == other.stages.size() &&
                    std::equal(self.stages.begin(), self.stages.end(), other.stages.begin(), identical);
           },
           nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"), "Equal in every stage, to the last bit.")
      .def("__hash__", [](const Booster& self) {
        std::uint64_t result = self.stages.size();
        for (const Tree& stage : self.stages) result = result * 31 + digest(stage);
        return static_cast<Py_hash_t>(result >> 2);
      });
  m.def("boost", &learn, "table"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::kw_only(), nb::arg("weights").noconvert().none(),
        nb::arg("held_out").noconvert().none(), "prices"_a.none(), "settings"_a,
        nb::sig("def boost(table: Table, labels: numpy.typing.NDArray[numpy.int32], n_classes: int, *, "
                "weights: numpy.typing.NDArray[numpy.float64] | None, held_out: numpy.typing.NDArray[numpy.uint8] | None, prices: Prices | None, "
                "settings: BoostSettings) -> tuple[Booster, numpy.typing.NDArray[numpy.float64], bool]"),
        "Learns a booster; with the mean loss of the held-out cases before each round and at the end, and whether Ctrl-C ended it.");
}
