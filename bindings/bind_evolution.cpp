#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "ecco_shape.hpp"
#include "evolution/ecco.hpp"
#include "evolution/evolve.hpp"
#include "evolution/icet.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

using Labels = InPacked<Index>;
using MaybeVector = std::optional<InPacked<double>>;
using MaybeMatrix = std::optional<InMatrix>;

// The Python objects that a genome's cases lie in.
struct Kept {
  nb::object table, prices;
  Labels labels;
  MaybeVector weights;
  MaybeMatrix loss;

  Kept(nb::object cases, Labels classes, MaybeVector counts, MaybeMatrix errors, nb::object bill)
      : table(std::move(cases)), prices(std::move(bill)), labels(std::move(classes)), weights(std::move(counts)), loss(std::move(errors)) {}

  Judged judged(Index classes) const {
    const Prices* charged = prices.is_none() ? nullptr : nb::cast<const Prices*>(prices);
    return {nb::cast<const PyTable&>(table).table, span_of(labels, "labels"), classes, span_of(weights, "weights"), span_of(loss, "loss"), charged};
  }
};

template <class Kind>
struct PyGenome {
  Kept kept;
  std::unique_ptr<Kind> genome;
};
using PyIcet = PyGenome<Icet>;
using PyEcco = PyGenome<Ecco>;

void make_icet(PyIcet* self, nb::object table, Labels labels, Index classes, MaybeVector weights, MaybeMatrix loss, nb::object prices,
               const Settings& growth, const PyCut& cut, double mutation, bool flip, bool cheapest, bool true_prices_first) {
  const auto* pessimistic = std::get_if<PessimisticCut>(&cut.rule);
  if (pessimistic == nullptr) throw InputError("ICET prunes pessimistically: its strings have a confidence factor.");
  Kept kept(std::move(table), std::move(labels), std::move(weights), std::move(loss), std::move(prices));
  IcetSettings settings;
  settings.mutation = mutation;
  settings.flip = flip;
  settings.cheapest = cheapest;
  settings.true_prices_first = true_prices_first;
  auto genome = interruptible([&] { return std::make_unique<Icet>(kept.judged(classes), growth, *pessimistic, settings); });
  new (self) PyIcet{std::move(kept), std::move(genome)};
}

constexpr const char* oversized_error = "OversizedTreeError";

NominalTests nominal_tests(const std::string& word) {
  if (word == "multiway") return NominalTests::Multiway;
  if (word == "value") return NominalTests::Value;
  throw InputError("Nominal questions of ECCO are 'multiway' or 'value'; got '" + word + "'.");
}

void make_ecco(PyEcco* self, nb::object table, Labels labels, Index classes, MaybeVector weights, MaybeMatrix loss, nb::object prices,
               std::optional<std::size_t> depth, std::size_t max_bits, std::size_t cuts, const std::string& nominal, double mutation, double leaf_share,
               bool prune_always, std::optional<double> budget, Stop& stop) {
  Kept kept(std::move(table), std::move(labels), std::move(weights), std::move(loss), std::move(prices));
  const Judged judged = kept.judged(classes);
  const NominalTests asked = nominal_tests(nominal);
  std::unique_ptr<Ecco> genome;
  try {
    const nb::gil_scoped_release unlocked;
    auto questions = list_questions(judged, cuts, asked, &stop);
    const Shape shape = ecco_shape(questions, depth, max_bits, judged.table.rows);
    EccoSettings settings{shape.depth, mutation, leaf_share, prune_always};
    if (budget && judged.prices != nullptr) settings.budget = {*budget, std::make_shared<const Prices>(*judged.prices)};
    genome = std::make_unique<Ecco>(judged, std::move(questions), settings, &stop);
  } catch (const Interrupted&) {
    raise_interrupt();
  } catch (const OversizedTree& found) {
    PyErr_SetObject(nb::module_::import_("thriftwood._core").attr(oversized_error).ptr(), nb::cast(found).ptr());
    throw nb::python_error();
  }
  new (self) PyEcco{std::move(kept), std::move(genome)};
}

// Tells Python how a generation did. What Python raised is kept until the run is over; Ctrl-C ends it in peace.
class Telling {
 public:
  explicit Telling(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(std::size_t generation, std::size_t generations, const Generation& costs) {
    if (progress_.is_none()) return true;
    const nb::gil_scoped_acquire locked;
    try {
      progress_(generation, generations, costs.best, costs.mean);
      return true;
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
      return false;
    }
  }
  void raise_others() const {
    if (raised_ && !raised_->matches(PyExc_KeyboardInterrupt)) throw *raised_;
  }

 private:
  nb::object progress_;
  std::optional<nb::python_error> raised_;
};

template <class Kind>
Evolved run(const PyGenome<Kind>& self, Stop& stop, std::size_t population, std::size_t trials, double crossover, double gap, std::size_t window,
            bool elitist, std::size_t patience, Key seed, int n_threads, nb::object progress) {
  const Evolution how{population, trials, crossover, gap, window, elitist, patience, seed, n_threads};
  Telling telling(std::move(progress));
  Evolved evolved = interruptible([&] { return evolve(*self.genome, how, stop, std::ref(telling)); }, stop, {});
  telling.raise_others();
  return evolved;
}

template <class Kind>
double cost(const PyGenome<Kind>& self, const std::string& string, Key trial) {
  const Bits bits = Bits::read(string);
  if (bits.size() != self.genome->bits())
    throw InputError("Strings have " + std::to_string(self.genome->bits()) + " bits here. Got " + std::to_string(bits.size()) + ".");
  const nb::gil_scoped_release unlocked;
  return self.genome->judge()->cost(bits, trial);
}

template <class Kind>
void bind_genome(nb::class_<PyGenome<Kind>>& bound) {
  bound.def_prop_ro("bits", [](const PyGenome<Kind>& self) { return self.genome->bits(); }, "How long its strings are.")
      .def("cost", &cost<Kind>, "string"_a, "trial"_a = 0, "The mean cost of a case in a trial of the string.")
      .def("evolve", &run<Kind>, "stop"_a, "population"_a, "trials"_a, "crossover"_a, "gap"_a, "window"_a, "elitist"_a, "patience"_a, "seed"_a,
           "n_threads"_a = 1, "progress"_a.none() = nb::none(),
           nb::sig("def evolve(self, stop: Stop, population: int, trials: int, crossover: float, gap: float, window: int, elitist: bool, "
                   "patience: int, seed: int, n_threads: int = 1, "
                   "progress: collections.abc.Callable[[int, int, float, float], object] | None = None) -> Evolved"),
           "Evolves strings. progress(generation, generations, best, mean) is called after each generation; patience 0 is without end.");
}

std::string end_word(const Evolved& evolved) {
  switch (evolved.end) {
    case Evolved::End::Patience: return "patience";
    case Evolved::End::Time: return "time";
    case Evolved::End::Asked: return "interrupt";
    default: return "trials";
  }
}

template <double Generation::* field>
OutVector<double> history(const Evolved& evolved) {
  std::vector<double> values;
  for (const Generation& generation : evolved.history) values.push_back(generation.*field);
  return to_numpy(std::move(values));
}

}  // namespace

void bind_evolution(nb::module_& m) {
  nb::class_<Evolved>(m, "Evolved", "What became of an evolution.")
      .def_prop_ro("best", [](const Evolved& self) { return self.best.text(); }, "The best string of all trials, in 0 and 1.")
      .def_prop_ro("last", [](const Evolved& self) { return self.last.text(); }, "The best string of the last whole generation.")
      .def_ro("last_cost", &Evolved::last_cost, "The mean cost of a case in the trial that `last` was the best of.")
      .def_ro("cost", &Evolved::cost, "The mean cost of a case in the trial that `best` was the best of.")
      .def_ro("trial", &Evolved::trial, "The key of that trial.")
      .def_ro("trials", &Evolved::trials, "Strings judged.")
      .def_prop_ro("ended", &end_word, "'trials', 'patience', 'time' or 'interrupt' (Ctrl-C, be it with the last trial).")
      .def_prop_ro("generation_best", &history<&Generation::best>, nb::rv_policy::automatic, "Per generation: the least cost.")
      .def_prop_ro("generation_mean", &history<&Generation::mean>, nb::rv_policy::automatic, "Per generation: the mean cost.");

  nb::class_<PyIcet> icet(m, "Icet", "ICET's genome: strings of biases for C4.5 with EG2's criterion.");
  icet.def("__init__", &make_icet, "table"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::arg("weights").noconvert().none(),
           nb::arg("loss").noconvert().none(), "prices"_a.none(), "growth"_a, "cut"_a, "mutation"_a, "flip"_a, "cheapest"_a, "true_prices_first"_a,
           nb::sig("def __init__(self, table: Table, labels: numpy.typing.NDArray[numpy.int32], n_classes: int, "
                   "weights: numpy.typing.NDArray[numpy.float64] | None, loss: numpy.typing.NDArray[numpy.float64] | None, prices: Prices | None, "
                   "growth: Settings, cut: Cut, mutation: float, flip: bool, cheapest: bool, true_prices_first: bool) -> None"));
  bind_genome(icet);
  icet.def("decode", [](const PyIcet& self, const std::string& string) {
        Biases biases = self.genome->decode(Bits::read(string));
        return std::tuple(to_numpy(std::move(biases.price)), biases.w, biases.cf);
      }, "string"_a, "(biases, w, cf) of a string.")
      .def("encode", [](const PyIcet& self, std::vector<double> biases, double w, double cf) { return self.genome->encode({std::move(biases), w, cf}).text(); },
           "biases"_a, "w"_a, "cf"_a, "The string nearest to these numbers.")
      .def("halves", [](const PyIcet& self, Key trial) {
        Icet::Halves halves = self.genome->halves(trial);
        return std::pair(to_numpy(std::move(halves.grow)), to_numpy(std::move(halves.judge)));
      }, "trial"_a, "The rows that a trial grows its tree on, and those it judges it on.")
      .def("tree", [](const PyIcet& self, const std::string& string) {
        const Bits bits = Bits::read(string);
        return interruptible([&] { return PyTree(self.genome->tree(bits)); });
      }, "string"_a, "The tree of a string, grown on all rows.");

  nb::class_<OversizedTree>(m, "OversizedTree", "A tree whose string has too many bits, and what would help, each alone.")
      .def_ro("depth", &OversizedTree::depth)
      .def_ro("bits", &OversizedTree::bits, "None: more than can be counted.")
      .def_ro("questions", &OversizedTree::questions)
      .def_ro("branches", &OversizedTree::branches)
      .def_ro("widest", &OversizedTree::widest, "The feature with most outcomes; None: all questions have two.")
      .def_ro("widest_names_cases", &OversizedTree::widest_names_cases)
      .def_ro("without_widest", &OversizedTree::without_widest)
      .def_ro("nominal_by_value", &OversizedTree::nominal_by_value)
      .def_ro("one_cut", &OversizedTree::one_cut)
      .def_ro("smaller_depth", &OversizedTree::smaller_depth)
      .def_ro("more_bits", &OversizedTree::more_bits);
  const std::string full_name = nb::cast<std::string>(m.attr("__name__")) + "." + oversized_error;
  m.attr(oversized_error) = nb::steal(PyErr_NewExceptionWithDoc(full_name.c_str(), "Its argument is an OversizedTree.", PyExc_ValueError, nullptr));

  nb::class_<PyEcco> ecco(m, "Ecco", "ECCO's genome: strings of whole trees.");
  ecco.def("__init__", &make_ecco, "table"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::arg("weights").noconvert().none(),
           nb::arg("loss").noconvert().none(), "prices"_a.none(), "depth"_a.none(), "max_bits"_a, "cuts_per_feature"_a, "nominal"_a, "mutation"_a,
           "leaf_share"_a, "prune_always"_a, "budget"_a.none(), "stop"_a,
           nb::sig("def __init__(self, table: Table, labels: numpy.typing.NDArray[numpy.int32], n_classes: int, "
                   "weights: numpy.typing.NDArray[numpy.float64] | None, loss: numpy.typing.NDArray[numpy.float64] | None, prices: Prices | None, "
                   "depth: int | None, max_bits: int, cuts_per_feature: int, nominal: str, mutation: float, leaf_share: float, "
                   "prune_always: bool, budget: float | None, stop: Stop) -> None"),
           "depth None: the deepest from 5 to 11 with fewer than max_bits bits; an OversizedTreeError if there is none. Only a Ctrl-C stops it here.");
  m.attr("ECCO_MOST_BITS") = most_bits;
  bind_genome(ecco);
  ecco.def_prop_ro("depth", [](const PyEcco& self) { return self.genome->shape().depth; }, "Levels of questions.")
      .def_prop_ro("branches", [](const PyEcco& self) { return self.genome->shape().branches; }, "The largest number of outcomes of a question.")
      .def_prop_ro("questions", [](const PyEcco& self) {
        std::vector<std::tuple<Index, double, Index>> listed;
        for (const Question& question : self.genome->questions()) listed.emplace_back(question.feature, question.threshold, question.outcomes);
        return listed;
      }, "(feature, threshold, outcomes) of every question; number 1 is the first. Nominal ones have the threshold 0.")
      .def("decode", [](const PyEcco& self, const std::string& string) { return to_numpy(self.genome->decode(Bits::read(string))); }, "string"_a,
           "The number of the question at every node, level by level; 0: none.")
      .def("encode", [](const PyEcco& self, const std::vector<Index>& numbers) { return self.genome->encode(numbers).text(); }, "numbers"_a,
           "The string of these numbers.")
      .def("tree", [](const PyEcco& self, const std::string& string, bool pruned) {
        const Bits bits = Bits::read(string);
        return interruptible([&] { return PyTree(self.genome->tree(bits, pruned)); });
      }, "string"_a, "pruned"_a, "The tree of a string, pruned by what it costs the training cases if asked for.");
}
