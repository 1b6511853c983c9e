#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "trials/trials.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// A trial and the Python objects its parts lie in. Trials of one fold share their arrays of rows.
struct PyTrial {
  Settings settings;
  PyCut cut;
  nb::object prices, bill;  // Prices or None
  InPacked<Row> grow_rows, judge_rows;
  std::optional<InPacked<double>> grow_weights, cut_weights;

  PyTrial(const Settings& how, nb::object guide, const std::optional<PyCut>& pruning, InPacked<Row> grow, InPacked<Row> judge,
          nb::object charged, std::optional<InPacked<double>> growing, std::optional<InPacked<double>> cutting)
      : settings(how),
        cut(pruning.value_or(PyCut{})),
        prices(std::move(guide)),
        bill(charged.is_none() ? prices : std::move(charged)),
        grow_rows(std::move(grow)),
        judge_rows(std::move(judge)),
        grow_weights(std::move(growing)),
        cut_weights(std::move(cutting)) {
    for (const nb::object& object : {prices, bill})
      if (!object.is_none() && !nb::isinstance<Prices>(object))
        throw nb::type_error(("A trial takes Prices or None, got " + described(object) + ".").c_str());
  }

  Trial trial() const {
    Trial made{settings, cut.rule, given(bill), span_of(grow_rows, "grow_rows"), span_of(judge_rows, "judge_rows"),
               span_of(grow_weights, "grow_weights"), span_of(cut_weights, "cut_weights")};
    made.settings.prices = given(prices);
    return made;
  }

 private:
  static const Prices* given(const nb::object& object) { return object.is_none() ? nullptr : nb::cast<const Prices*>(object); }
};

// An outcome as Python holds it; the tree is one of Python's trees.
struct PyOutcome {
  nb::object tree;
  Outcome outcome;
};

struct PyOutcomes {
  nb::list outcomes;  // a PyOutcome or None for each trial
  bool interrupted = false;
};

// The objects are held, not the trials alone: other threads run while the trials do, and may drop the list.
PyOutcomes run(const PyTable& table, const std::vector<nb::object>& trials, const InPacked<Index>& labels, Index classes,
               const std::optional<InPacked<double>>& weights, const std::optional<InMatrix>& loss,
               int n_threads, nb::object progress, const std::optional<Smoothing>& smoothing) {
  const TrialTable shared{table.table, span_of(labels, "labels"), classes, span_of(weights, "weights"), loss_of(loss, "loss", classes),
                          smoothing.value_or(Smoothing{})};
  std::vector<Trial> made;
  made.reserve(trials.size());
  for (const nb::object& trial : trials) made.push_back(nb::cast<const PyTrial&>(trial).trial());
  Watch watch(std::move(progress), trials.size());
  Signals& signals = watch.signals();
  auto outcomes = listening([&] { return run_trials(shared, made, n_threads, std::ref(watch)); }, [&] { return signals.raised(); });
  signals.raise_others();
  PyOutcomes result;
  result.interrupted = signals.interrupted();
  if (!result.interrupted) watch.tell(trials.size());
  for (std::optional<Outcome>& outcome : outcomes) {
    if (outcome) {
      nb::object tree = nb::cast(std::move(outcome->tree));
      result.outcomes.append(nb::cast(PyOutcome{std::move(tree), std::move(*outcome)}));
    } else {
      result.outcomes.append(nb::none());
    }
  }
  return result;
}

const Outcome& inside(nb::handle_t<PyOutcome> self) { return nb::cast<const PyOutcome&>(self).outcome; }

template <class T>
OutVector<const T> view(const std::vector<T>& values, nb::handle owner) {
  static const T none{};
  return OutVector<const T>(values.empty() ? &none : values.data(), {values.size()}, owner);
}

OutMatrix<const double> probabilities(nb::handle_t<PyOutcome> self) {
  static const double none = 0.0;
  const Outcome& outcome = inside(self);
  const auto width = static_cast<std::size_t>(nb::cast<const PyTree&>(nb::cast<const PyOutcome&>(self).tree).tree().width);
  return OutMatrix<const double>(outcome.probabilities.empty() ? &none : outcome.probabilities.data(), {outcome.labels.size(), width}, self);
}

}  // namespace

void bind_trials(nb::module_& m) {
  nb::class_<PyTrial>(m, "Trial", "Grow one tree on some rows, cut it back, and judge it on other rows.")
      .def(nb::init<const Settings&, nb::object, const std::optional<PyCut>&, InPacked<Row>, InPacked<Row>, nb::object,
                    std::optional<InPacked<double>>, std::optional<InPacked<double>>>(), "settings"_a,
           "prices"_a.none(), "pruning"_a.none(), nb::arg("grow_rows").noconvert(), nb::arg("judge_rows").noconvert(),
           "bill"_a.none() = nb::none(), nb::arg("grow_weights").noconvert().none() = nb::none(), nb::arg("cut_weights").noconvert().none() = nb::none(),
           nb::sig("def __init__(self, settings: Settings, prices: Prices | None, pruning: Cut | None, "
                   "grow_rows: numpy.typing.NDArray[numpy.uint32], judge_rows: numpy.typing.NDArray[numpy.uint32], "
                   "bill: Prices | None = None, grow_weights: numpy.typing.NDArray[numpy.float64] | None = None, "
                   "cut_weights: numpy.typing.NDArray[numpy.float64] | None = None) -> None"),
           "prices guide growth, bill is what is charged (None: prices). grow_rows: ascending, each once; judge_rows: any, or none.\n"
           "grow_weights, cut_weights: per class, how many times its weight a case counts while the tree grows, and while it is cut back\n"
           "(None: once).");

  nb::class_<PyOutcome>(m, "Outcome", "What became of a trial.")
      .def_prop_ro("tree", [](const PyOutcome& self) { return self.tree; }, nb::sig("def tree(self) -> Tree"), "The finished tree.")
      .def_prop_ro("labels", [](nb::handle_t<PyOutcome> self) { return view(inside(self).labels, self); }, "Per row judged: the class answered.")
      .def_prop_ro("probabilities", &probabilities, "Per row judged: the share of each class where it ends.")
      .def_prop_ro("test_cost", [](nb::handle_t<PyOutcome> self) { return view(inside(self).test_cost, self); },
                   "Per row judged: what its tests cost, as the bill's payment says; empty without prices.")
      .def_prop_ro("upfront_cost", [](const PyOutcome& self) { return self.outcome.upfront_cost; },
                   "All tests of the tree, bought once each in pre-order; 0 without prices.");

  nb::class_<PyOutcomes>(m, "Outcomes", "One Outcome for each trial, in their order; None for those that Ctrl-C kept from beginning.")
      .def_prop_ro("interrupted", [](const PyOutcomes& self) { return self.interrupted; },
                   "Whether Ctrl-C came; nothing was raised. It may have come too late to leave a trial out.")
      .def("__len__", [](const PyOutcomes& self) { return self.outcomes.size(); })
      .def("__getitem__", [](const PyOutcomes& self, nb::handle key) { return nb::object(nb::handle(self.outcomes)[key]); },
           nb::sig("def __getitem__(self, key: int, /) -> Outcome | None"))
      .def("__iter__", [](const PyOutcomes& self) { return nb::iter(self.outcomes); },
           nb::sig("def __iter__(self) -> collections.abc.Iterator[Outcome | None]"));

  m.def("run_trials", &run, "table"_a, "trials"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::arg("weights").noconvert().none() = nb::none(),
        nb::arg("loss").noconvert().none() = nb::none(), "n_threads"_a = 1,
        "progress"_a.none() = nb::none(), "smoothing"_a.none() = nb::none(),
        nb::sig("def run_trials(table: Table, trials: collections.abc.Sequence[Trial], labels: numpy.typing.NDArray[numpy.int32], n_classes: int, "
                "weights: numpy.typing.NDArray[numpy.float64] | None = None, loss: numpy.typing.NDArray[numpy.float64] | None = None, "
                "n_threads: int = 1, "
                "progress: collections.abc.Callable[[int, int], object] | None = None, smoothing: Smoothing | None = None) -> Outcomes"),
        "Runs all trials in parallel, each on one thread. progress(done, total) is called now and then, and once at the end. Ctrl-C begins\n"
        "no further trial; see Outcomes.interrupted.");
}
