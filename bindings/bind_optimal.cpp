#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <optional>

#include "arrays.hpp"
#include "optimal/optimal.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

struct PyOptimal {
  PyTree tree;
  double cost, lower;
  std::string ended;
};

NominalTests nominal_tests(const std::string& word) {
  if (word == "multiway") return NominalTests::Multiway;
  if (word == "value") return NominalTests::Value;
  throw InputError("Nominal questions of an optimal tree are 'multiway' or 'value'; got '" + word + "'.");
}

Missing missing_values(const std::string& word) {
  if (word == "branch") return Missing::Branch;
  if (word == "stay") return Missing::Stay;
  throw InputError("Missing values of an optimal tree are treated as 'branch' or 'stay'; got '" + word + "'.");
}

// Tells Python how far the search is. What Python raises ends the search and is raised afterwards.
class Telling {
 public:
  explicit Telling(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(double cost, double lower) {
    const nb::gil_scoped_acquire locked;
    try {
      progress_(cost, lower);
      return true;
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
      return false;
    }
  }
  void raise() const {
    if (raised_) throw *raised_;
  }

 private:
  nb::object progress_;
  std::optional<nb::python_error> raised_;
};

// A search keeps some of its time to finish its tree, so the stop itself need not have been reached.
std::string end_word(const OptimalOutline& outline, const Stop& stop, bool searched) {
  if (outline.exact()) return "proof";
  if (!searched && stop.why() == Stop::Why::No) return "rollouts";
  return stop.why() == Stop::Why::Asked ? "interrupt" : "time";
}

PyOptimal find(const PyTable& table, const InPacked<Index>& labels, Index n_classes, const InMatrix& answer_costs, const std::optional<InPacked<double>>& weights,
               const Prices* prices, int depth, const std::string& nominal, const std::string& missing, int bins, double budget, double leaf_fee,
               double prior_weight, std::vector<double> prior_cost, std::size_t memory, std::size_t tried, Stop& stop, nb::object progress) {
  if (prices != nullptr && prices->tests() != table.table.features())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(table.table.features()) + " features.");
  const OptimalInput input{table.table, span_of(weights, "weights"), entries_of(answer_costs), static_cast<Index>(answer_costs.shape(1)), prices};
  const OptimalSettings settings{depth, nominal_tests(nominal), missing_values(missing), bins, budget, leaf_fee, prior_weight, std::move(prior_cost), memory};
  const auto classes = span_of(labels, "labels");
  Telling telling(progress);
  std::optional<OptimalOutline> outline;
  std::optional<PyTree> tree;
  interruptible([&] {
    if (tried > 0)
      outline = roll_out(input, settings, stop, tried);
    else
      outline = find_optimal(input, settings, stop, progress.is_none() ? std::function<bool(double, double)>() : std::ref(telling));
    tree.emplace(to_tree(*outline, input, settings, classes, n_classes));
  }, stop, std::chrono::milliseconds(400));
  telling.raise();
  return {std::move(*tree), outline->cost, outline->lower, end_word(*outline, stop, tried == 0)};
}

}  // namespace

void bind_optimal(nb::module_& m) {
  nb::class_<PyOptimal>(m, "Optimal", "What a search for the cheapest tree has found.")
      .def_ro("tree", &PyOptimal::tree, "The tree.")
      .def_ro("cost", &PyOptimal::cost, "What it costs all cases together: tests, answers and fees.")
      .def_ro("lower", &PyOptimal::lower, "No tree of this depth costs less.")
      .def_ro("ended", &PyOptimal::ended, "'proof', 'rollouts', 'time' or 'interrupt'.");
  m.def("find_optimal", &find, "table"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::arg("answer_costs").noconvert(), nb::arg("weights").noconvert().none(),
        "prices"_a.none(), "depth"_a, "nominal"_a, "missing"_a, "bins"_a, "budget"_a, "leaf_fee"_a, "prior_weight"_a, "prior_cost"_a, "memory"_a, "tried"_a, "stop"_a,
        "progress"_a.none() = nb::none(),
        nb::sig("def find_optimal(table: Table, labels: numpy.typing.NDArray[numpy.int32], n_classes: int, answer_costs: numpy.typing.NDArray[numpy.float64], "
                "weights: numpy.typing.NDArray[numpy.float64] | None, prices: Prices | None, depth: int, nominal: str, missing: str, bins: int, "
                "budget: float, leaf_fee: float, prior_weight: float, prior_cost: collections.abc.Sequence[float], memory: int, tried: int, stop: Stop, "
                "progress: collections.abc.Callable[[float, float], object] | None = None) -> Optimal"),
        "Searches the tree that costs the cases least; answer_costs: per row and answer, the classes first. tried: 0, or a good tree by rollouts of so many questions at a node. progress(cost, lower) is called now and then.");
}
