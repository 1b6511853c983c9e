#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "arrays.hpp"
#include "growing/grow.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// The words Python uses for the core's choices; one place, so that errors can list them.
template <class Value, std::size_t n>
struct Words {
  const char* what;
  std::array<std::pair<std::string_view, Value>, n> words;

  Value read(const std::string& word) const {
    std::string known;
    for (const auto& [name, value] : words) {
      if (name == word) return value;
      known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
    }
    throw InputError(std::string("Unknown ") + what + " '" + word + "'. Choose one of " + known + ".");
  }
  std::string write(Value value) const {
    for (const auto& [name, known] : words)
      if (known == value) return std::string(name);
    throw std::logic_error("a value without a word");
  }
};

constexpr Words<NominalTests, 4> nominal_words{"kind of nominal tests", {{{"multiway", NominalTests::Multiway}, {"grouped", NominalTests::Grouped}, {"binary", NominalTests::Binary}, {"value", NominalTests::Value}}}};
constexpr Words<Missing, 5> missing_words{"treatment of missing values", {{{"fractional", Missing::Fractional}, {"surrogate", Missing::Surrogate}, {"branch", Missing::Branch}, {"stay", Missing::Stay}, {"majority", Missing::Majority}}}};
constexpr Words<Order, 3> order_words{"order of growth", {{{"depth", Order::Depth}, {"breadth", Order::Breadth}, {"best", Order::Best}}}};
constexpr Words<CutAt, 2> cut_words{"place of cuts", {{{"midpoint", CutAt::Midpoint}, {"observed", CutAt::Observed}}}};
constexpr Words<AfterSurrogates, 2> after_words{"rule for cases that no surrogate decides", {{{"majority", AfterSurrogates::Majority}, {"stop", AfterSurrogates::Stop}}}};

constexpr Words<FeatureDraw, 4> draw_words{"way of drawing features", {{{"all", FeatureDraw::All}, {"number", FeatureDraw::Number}, {"share", FeatureDraw::Share}, {"sqrt", FeatureDraw::Root}}}};
constexpr Words<Choosing, 3> choosing_words{"way of choosing", {{{"best", Choosing::Best}, {"drawn", Choosing::Drawn}, {"look-ahead", Choosing::LookAhead}}}};

template <class Value, std::size_t n>
void choice(nb::class_<Settings>& bound, const char* name, Value Settings::*field, const Words<Value, n>& words) {
  bound.def_prop_rw(
      name, [field, &words](const Settings& s) { return words.write(s.*field); },
      [field, &words](Settings& s, const std::string& word) { s.*field = words.read(word); });
}

std::string criterion_of(const Settings& settings) {
  for (const Criterion& c : criteria)
    if (c.impurity == settings.impurity && c.merit.index() == settings.merit.index()) return std::string(c.name);
  throw std::logic_error("settings without a criterion");
}

void set_criterion(Settings& settings, const std::string& name) {
  for (const Criterion& c : criteria) {
    if (c.name != name) continue;
    settings.impurity = c.impurity;
    settings.merit = c.merit;
    settings.asks_split_info = c.asks_split_info;
    settings.asks_saving = c.asks_saving;
    return;
  }
  throw InputError("The core has no criterion '" + name + "'.");
}

using ParameterValue = std::variant<bool, double, std::string>;

// Calls visit(field, member) for the parameter of the criterion that has the name.
void with_parameter(Settings& settings, const std::string& name, const auto& visit) {
  bool found = false;
  std::visit([&](auto& merit) {
    each_parameter(merit, [&](const auto& field, auto& member) {
      if (field.name != name) return;
      found = true;
      visit(field, member);
    });
  }, settings.merit);
  if (!found) throw InputError("The criterion '" + criterion_of(settings) + "' has no parameter '" + name + "'.");
}

template <class Value>
Value read_parameter(const Parameter& parameter, const ParameterValue& given) {
  if constexpr (std::is_enum_v<Value>) {
    if (const auto* word = std::get_if<std::string>(&given))
      for (std::size_t i = 0; i < parameter.choices.size(); ++i)
        if (parameter.choices[i] == *word) return static_cast<Value>(i);
  } else if (const Value* value = std::get_if<Value>(&given)) {
    if (!std::is_same_v<Value, double> || parameter.range.has(static_cast<double>(*value))) return *value;
  }
  throw InputError("The parameter '" + std::string(parameter.name) + "' of a criterion does not accept this value.");
}

void set_parameter(Settings& settings, const std::string& name, const ParameterValue& given) {
  with_parameter(settings, name, [&](const Parameter& parameter, auto& member) {
    member = read_parameter<std::remove_cvref_t<decltype(member)>>(parameter, given);
  });
}

ParameterValue parameter_of(Settings settings, const std::string& name) {
  ParameterValue value;
  with_parameter(settings, name, [&](const Parameter& parameter, const auto& member) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(member)>>)
      value = std::string(parameter.choices[static_cast<std::size_t>(member)]);
    else
      value = member;
  });
  return value;
}

void set_loss(Settings& settings, const InMatrix& loss) {
  const auto entries = span_of(std::optional(loss), "loss");
  settings.loss.assign(entries.begin(), entries.end());
}

void set_class_weights(Settings& settings, const InPacked<double>& weights) {
  const auto entries = span_of(std::optional(weights), "class_weights");
  settings.class_weights.assign(entries.begin(), entries.end());
}

void set_budget(Settings& settings, double limit, const Prices& prices, bool tests_may_go) {
  if (!(limit >= 0.0)) throw InputError("A budget for tests is 0 or more, got " + std::to_string(limit) + ".");
  settings.budget = {limit, std::make_shared<const Prices>(prices), tests_may_go};
}

template <class T>
std::span<const T> view(const std::optional<InVector<T>>& array) {
  if (!array) return {};
  require_aligned<T>(array->data(), "An array of labels, numbers, weights or rows");
  if (array->size() > 1 && array->stride(0) != 1) throw InputError("Labels, weights and rows must be contiguous arrays.");
  return {array->data(), array->size()};
}

// Exactly one of labels (with the number of classes) and numbers is given.
Target target_of(const std::optional<InVector<Index>>& labels, Index classes, const std::optional<InVector<double>>& numbers,
                 const std::optional<InVector<double>>& weights, const std::optional<InVector<Row>>& case_of) {
  if (labels.has_value() == numbers.has_value()) throw InputError("Give either labels or numbers to predict.");
  if (weights && weights->size() == 0) throw InputError("The weights are an empty array. Leave them out, or give one for each row.");
  Target target = labels ? class_target(view(labels), classes, view(weights)) : number_target(view(numbers), view(weights));
  if (case_of) count_votes(target, view(case_of));
  return target;
}

// Settings with the prices they are to grow by; one entry per feature of the table.
Settings priced(Settings settings, const Prices* prices, const PyTable& table, Stop* stop = nullptr) {
  if (prices != nullptr && prices->tests() != table.table.features())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(table.table.features()) + " features.");
  settings.prices = prices;
  settings.stop = stop;
  return settings;
}

PyTree grow_one(const PyTable& table, const Settings& settings, const std::optional<InVector<Index>>& labels, Index classes,
                const std::optional<InVector<double>>& numbers, const std::optional<InVector<double>>& weights,
                const std::optional<InVector<Row>>& rows, const Prices* prices, const std::optional<InVector<Row>>& case_of, Stop* stop) {
  const auto row_view = view(rows);
  if (rows && row_view.empty()) throw InputError("Rows to grow on: none were given. Leave `rows` out for all.");
  const auto work = [&] {
    Target target = target_of(labels, classes, numbers, weights, case_of);
    return PyTree(grow(table.table, target, priced(settings, prices, table, stop), row_view));
  };
  return stop == nullptr ? interruptible(work) : interruptible(work, *stop, std::chrono::milliseconds(400));
}

using PyTrees = nb::typed<nb::tuple, nb::typed<nb::list, PyTree>, bool>;

PyTrees grow_several(const PyTable& table, const Settings& settings, const std::vector<InVector<Row>>& rows,
                     const std::optional<InVector<Index>>& labels, Index classes, const std::optional<InVector<double>>& numbers,
                     const std::optional<InVector<double>>& weights, const Prices* prices, const std::optional<InVector<Row>>& case_of) {
  std::vector<std::vector<Row>> lists;
  for (const auto& list : rows) {
    const auto span = view(std::optional(list));
    lists.emplace_back(span.begin(), span.end());
  }
  auto [trees, interrupted] = interruptible_in_parts([&] {
    Target target = target_of(labels, classes, numbers, weights, case_of);
    return grow_many(table.table, target, priced(settings, prices, table), lists);
  });
  nb::list result;
  for (Tree& tree : trees) result.append(nb::cast(PyTree(std::move(tree))));
  return PyTrees(nb::make_tuple(result, interrupted));
}

// Whether Ctrl-C was pressed; what another signal's handler raises goes on to the caller.
bool interrupted() {
  if (Helpers::is_helper()) return Helpers::are_ended();
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() == 0) return false;
  if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
  PyErr_Clear();
  return true;
}

void bind_stop(nb::module_& m) {
  nb::class_<Stop>(m, "Stop", "Ends long growth early: after some seconds, or when Ctrl-C is pressed.")
      .def("__init__", [](Stop* self, std::optional<double> seconds) { new (self) Stop(seconds.value_or(infinity), &interrupted); },
           "seconds"_a.none() = nb::none())
      .def_prop_ro("why", [](const Stop& stop) -> std::optional<std::string> {
        if (stop.why() == Stop::Why::No) return std::nullopt;
        return stop.why() == Stop::Why::Time ? "time" : "interrupt";
      }, "'time', 'interrupt', or None: not ended early.");
  nb::class_<Helpers>(m, "Helpers", "Threads that work for another one, which hears Ctrl-C for them.")
      .def(nb::init<>())
      .def("join", &Helpers::join, "Makes the calling thread one of them.")
      .def("end", &Helpers::end, "Ends what they do in the core, with KeyboardInterrupt there.");
}

}  // namespace

void bind_growing(nb::module_& m) {
  bind_stop(m);
  nb::class_<Settings> settings(m, "Settings", "Everything that decides how a tree grows; see thriftwood.learning.Growth.");
  settings.def(nb::init<>()).def("__copy__", [](const Settings& s) { return s; });
  settings.def_prop_rw("criterion", &criterion_of, &set_criterion, "By name; its parameters are then at their defaults.");
  settings.def("parameter", &parameter_of, "name"_a, "The value of a parameter of the criterion.");
  settings.def_prop_ro("leaf_confidence", [](const Settings& s) { return leaf_confidence(s.merit); },
                       "Looking ahead by cost: the confidence factor of the mistakes expected from a leaf.");
  settings.def("set_parameter", &set_parameter, "name"_a, "value"_a, "Give a parameter of the criterion a value.");
  choice(settings, "nominal", &Settings::nominal, nominal_words);
  choice(settings, "missing", &Settings::missing, missing_words);
  choice(settings, "order", &Settings::order, order_words);
  choice(settings, "cut_at", &Settings::cut_at, cut_words);
  choice(settings, "after_surrogates", &Settings::after_surrogates, after_words);
  choice(settings, "choosing", &Settings::choosing, choosing_words);
  choice(settings, "feature_draw", &Settings::feature_draw, draw_words);
  settings.def_prop_rw("loss", [](const Settings& s) { return to_numpy(s.loss); }, &set_loss, nb::for_getter(nb::rv_policy::automatic), nb::for_setter(nb::arg("loss").noconvert()),
                       "What answers cost: set as a matrix [actual, predicted], read as its entries in a row.");
  settings.def_prop_rw("class_weights", [](const Settings& s) { return to_numpy(s.class_weights); }, &set_class_weights, nb::for_getter(nb::rv_policy::automatic),
                       nb::for_setter(nb::arg("class_weights").noconvert()), "What a case of each class counts where priors or error costs alter it; see count_cases.");
  settings.def("set_budget", &set_budget, "limit"_a, "prices"_a, "tests_may_go"_a,
               "No case is to pay more for tests than the limit, by these prices. tests_may_go: pruning may take a test out of a path.");
  settings.def_rw("max_depth", &Settings::max_depth)
      .def_rw("max_leaves", &Settings::max_leaves)
      .def_rw("max_splits", &Settings::max_splits)
      .def_rw("min_split_weight", &Settings::min_split_weight)
      .def_rw("min_branch_weight", &Settings::min_branch_weight)
      .def_rw("count_cases", &Settings::count_cases)
      .def_rw("two_branches", &Settings::two_branches)
      .def_rw("share_rule", &Settings::share_rule)
      .def_rw("min_gap", &Settings::min_gap)
      .def_rw("cut_penalty", &Settings::cut_penalty)
      .def_rw("average_gain", &Settings::average_gain)
      .def_rw("gain_floor", &Settings::gain_floor)
      .def_rw("min_decrease", &Settings::min_decrease)
      .def_rw("min_relative_gain", &Settings::min_relative_gain)
      .def_rw("max_features", &Settings::max_features)
      .def_rw("slack", &Settings::slack)
      .def_rw("reuse_nominal", &Settings::reuse_nominal)
      .def_rw("confidence", &Settings::confidence)
      .def_rw("bonferroni", &Settings::bonferroni)
      .def_rw("max_exhaustive", &Settings::max_exhaustive)
      .def_rw("many_categories", &Settings::many_categories)
      .def_rw("max_surrogates", &Settings::max_surrogates)
      .def_rw("surrogate_known_only", &Settings::surrogate_known_only)
      .def_rw("reuse_is_free", &Settings::reuse_is_free)
      .def_rw("samples", &Settings::samples)
      .def_rw("lookahead", &Settings::lookahead)
      .def_rw("rollouts", &Settings::rollouts)
      .def_rw("seed", &Settings::seed)
      .def_rw("bins", &Settings::bins)
      .def_rw("threads", &Settings::threads);

  m.def("grow", &grow_one, "table"_a, "settings"_a, "labels"_a.noconvert().none() = nb::none(), "n_classes"_a = 0,
        "numbers"_a.noconvert().none() = nb::none(), "weights"_a.noconvert().none() = nb::none(), "rows"_a.noconvert().none() = nb::none(), "prices"_a.none() = nb::none(),
        "case_of"_a.noconvert().none() = nb::none(), "stop"_a.none() = nb::none(),
        "Grows one tree on all rows, or on the given ones. Where case_of says the case of each row, rows are votes of cases.");
  m.def("grow_many", &grow_several, "table"_a, "settings"_a, "rows"_a, "labels"_a.noconvert().none() = nb::none(), "n_classes"_a = 0,
        "numbers"_a.noconvert().none() = nb::none(), "weights"_a.noconvert().none() = nb::none(), "prices"_a.none() = nb::none(),
        "case_of"_a.noconvert().none() = nb::none(),
        "Grows one tree per list of rows, in parallel; and whether Ctrl-C was pressed. Then there are those of the first lists, as many as are done.");
}
