// The list of criteria as data: what each one reads and which parameters it has.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "criteria/criterion.hpp"

using namespace thriftwood;

namespace {

const char* word_of(ParameterKind kind) {
  return kind == ParameterKind::Number ? "number" : kind == ParameterKind::Flag ? "flag" : "choice";
}

// As Python writes a parameter's default: None where one must be given, or where there is no limit.
nb::object default_of(const Parameter& parameter) {
  if (parameter.must_be_given || parameter.preset == infinity) return nb::none();
  if (parameter.kind == ParameterKind::Flag) return nb::bool_(parameter.preset != 0.0);
  if (parameter.kind == ParameterKind::Choice) return nb::cast(parameter.choices[static_cast<std::size_t>(parameter.preset)]);
  return nb::float_(parameter.preset);
}

void bind_parameter(nb::module_& m) {
  nb::class_<Parameter>(m, "Parameter", "A parameter of a criterion: what it accepts, and what it does.")
      .def_ro("name", &Parameter::name)
      .def_ro("words", &Parameter::words, "What it does.")
      .def_prop_ro("kind", [](const Parameter& p) { return word_of(p.kind); }, "'number', 'flag' or 'choice'.")
      .def_prop_ro("default", &default_of, "None: one must be given, or there is no limit.")
      .def_prop_ro("low", [](const Parameter& p) { return p.range.low; })
      .def_prop_ro("high", [](const Parameter& p) { return p.range.high; })
      .def_prop_ro("above", [](const Parameter& p) { return p.range.above; }, "Whether `low` itself is left out.")
      .def_prop_ro("below", [](const Parameter& p) { return p.range.below; }, "Whether `high` itself is left out.")
      .def_prop_ro("choices", [](const Parameter& p) { return std::vector<std::string>(p.choices.begin(), p.choices.end()); })
      .def_ro("weighs_prices", &Parameter::weighs_prices, "Whether it says how much prices count.")
      .def_ro("must_be_given", &Parameter::must_be_given, "Nobody published a value.")
      .def_ro("unit", &Parameter::unit, "What a unit of price is weighed against; empty: whatever its unit.")
      .def_prop_ro("tried", [](const Parameter& p) { return std::vector<double>(p.tried.begin(), p.tried.end()); },
                   "Values worth trying; empty: they depend on the prices, or there are few.");
}

}  // namespace

void bind_criteria(nb::module_& m) {
  bind_parameter(m);
  nb::class_<Criterion>(m, "Criterion", "What a criterion reads, in which unit it counts, and its parameters.")
      .def_ro("name", &Criterion::name, "As users write it.")
      .def_ro("value_object", &Criterion::value_object, "The class that holds its parameters; empty: it has none.")
      .def_ro("formula", &Criterion::formula, "What it makes as large as it can.")
      .def_ro("reference", &Criterion::reference)
      .def_ro("asks_prices", &Criterion::asks_prices, "Whether it looks at what tests cost.")
      .def_ro("asks_errors", &Criterion::asks_errors, "Whether it looks at what mistakes cost.")
      .def_ro("asks_split_info", &Criterion::asks_split_info, "Whether it looks at the split information.")
      .def_ro("averages_gain", &Criterion::averages_gain, "Whether C4.5's rule of average gain goes with it.")
      .def_ro("samples", &Criterion::samples, "Whether it looks ahead by trees sampled below every test.")
      .def_ro("samples_by_cost", &Criterion::samples_by_cost, "Whether it judges them by what tests and mistakes are expected to cost.")
      .def_ro("two_outcomes", &Criterion::two_outcomes, "Whether it plans for the outcomes of a test, which must be two.")
      .def_prop_ro("in_money", [](const Criterion& c) { return c.in_money(); }, "Whether prices and error costs must be in one unit.")
      .def_prop_ro("gain_in_money", [](const Criterion& c) { return c.gain_in_money(); }, "Whether the gain of a test is what it saves.")
      .def_prop_ro("predicts_numbers", [](const Criterion& c) { return c.predicts_numbers(); }, "Whether it is for numbers, not for classes.")
      .def_prop_ro("by_median", [](const Criterion& c) { return c.impurity == ImpurityName::AbsoluteError; },
                   "Whether it looks at every value at a node, not at sums over them.")
      .def_prop_ro("parameters", [](const Criterion& c) { return std::vector<Parameter>(c.parameters.begin(), c.parameters.end()); });
  m.def("criteria", [] { return std::vector<Criterion>(criteria.begin(), criteria.end()); }, "All criteria, in the order of the list.");
}
