#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "boosting/asking.hpp"
#include "flowtype/chunk.hpp"
#include "flowtype/lazy_row.hpp"
#include "flowtype/timing.hpp"
#include "panel.hpp"
#include "tree/walk.hpp"

using namespace nb::literals;
using namespace thriftwood;
namespace ft = thriftwood::flowtype;

namespace {

ft::Bytes bytes_of(const nb::bytes& object) { return {static_cast<const std::uint8_t*>(object.data()), object.size()}; }

// A chunk and the bytes it looks at.
struct PyFlowChunk {
  explicit PyFlowChunk(nb::bytes object) : held(std::move(object)), chunk(bytes_of(held)) {}

  nb::bytes held;
  ft::Chunk chunk;
};

std::size_t checked(const PyFlowChunk& self, std::size_t number) {
  if (number >= ft::n_features)
    throw InputError("There is no feature " + std::to_string(number) + ". Give a number below " + std::to_string(ft::n_features) + ".");
  if (!self.chunk.has(number))
    throw InputError("The chunk has " + std::to_string(self.chunk.size()) + " bytes; this feature needs " +
                     std::to_string(ft::sizes[number / ft::n_statistics]) + ".");
  return number;
}

std::string named(std::string_view what, std::size_t size) { return std::string(what) + "@" + std::string(ft::size_names[size]); }

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < ft::n_features; ++f) names.push_back(named(ft::statistics[f % ft::n_statistics].name, f / ft::n_statistics));
  return names;
}

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (std::size_t size = 0; size < ft::sizes.size(); ++size)
    for (const std::string_view step : ft::step_names) names.push_back(named(step, size));
  return names;
}

// Per feature the names of the steps it needs.
std::vector<std::vector<std::string>> feature_steps() {
  std::vector<std::vector<std::string>> all;
  for (std::size_t f = 0; f < ft::n_features; ++f) {
    std::vector<std::string>& names = all.emplace_back();
    for (const ft::Step step : ft::statistics[f % ft::n_statistics].needs())
      names.push_back(named(ft::step_names[static_cast<std::size_t>(step)], f / ft::n_statistics));
  }
  return all;
}

std::vector<std::string> steps_done(const PyFlowChunk& self) {
  std::vector<std::string> names;
  for (std::size_t size = 0; size < ft::sizes.size(); ++size)
    for (std::size_t step = 0; step < ft::n_steps; ++step)
      if (self.chunk.is_done(static_cast<ft::Step>(step), size)) names.push_back(named(ft::step_names[step], size));
  return names;
}

nb::list features_known(const PyFlowChunk& self) {
  nb::list numbers;
  for (std::size_t f = 0; f < ft::n_features; ++f)
    if (self.chunk.known(f)) numbers.append(f);
  return numbers;
}

OutMatrix<double> features(const std::vector<nb::bytes>& chunks, int n_threads) {
  std::vector<ft::Bytes> views;
  for (const nb::bytes& chunk : chunks) views.push_back(bytes_of(chunk));
  std::vector<double> table;
  {
    const nb::gil_scoped_release unlocked;
    table = ft::features_of(views, n_threads);
  }
  return to_numpy(std::move(table), views.size(), ft::n_features);
}

nb::tuple times(const std::vector<nb::bytes>& chunks, int rounds) {
  std::vector<ft::Bytes> views;
  for (const nb::bytes& chunk : chunks) {
    views.push_back(bytes_of(chunk));
    if (views.back().size() < ft::sizes.back())
      throw InputError("A chunk to time has " + std::to_string(views.back().size()) + " bytes. Give at least " + std::to_string(ft::sizes.back()) + ".");
  }
  if (views.empty()) throw InputError("There is no chunk to time. Give at least one.");
  ft::Times taken;
  {
    const nb::gil_scoped_release unlocked;
    taken = ft::time_features(views, rounds);
  }
  return nb::make_tuple(to_numpy(std::move(taken.steps)), to_numpy(std::move(taken.features)));
}

// Per column of a model's table the number of its feature.
std::span<const Index> numbers_of(const InPacked<Index>& features, std::size_t columns) {
  const auto numbers = span_of(features, "features");
  if (numbers.size() != columns)
    throw InputError("features has " + std::to_string(numbers.size()) + " entries; the model was grown on " + std::to_string(columns) + " columns.");
  for (const Index number : numbers)
    if (number < 0 || static_cast<std::size_t>(number) >= ft::n_features)
      throw InputError("There is no feature " + std::to_string(number) + ". Give numbers below " + std::to_string(ft::n_features) + ".");
  return numbers;
}

// Where a tree ends for a chunk: (node, share of the case), most often one.
nb::list endings(PyFlowChunk& self, const PyTree& tree, const InPacked<Index>& features) {
  const auto numbers = numbers_of(features, tree.tree().feature_values.size());
  nb::list found;
  walk(tree.tree(), ft::LazyRow{self.chunk, numbers}, [&found](Index node, double share) { found.append(nb::make_tuple(node, share)); });
  return found;
}

// The class that a panel answers; members that it need not consult compute nothing.
Index decide(PyFlowChunk& self, const PyPanel& panel, const InPacked<Index>& features) {
  const ft::LazyRow row{self.chunk, numbers_of(features, panel.panel.member(0).tree().feature_values.size())};
  PanelAnswer found;
  consult_members(panel.panel, PlainReader<ft::LazyRow>{row}, found);
  return found.answer;
}

// The scores of the classes by a booster.
OutVector<double> scores(PyFlowChunk& self, const Booster& booster, const InPacked<Index>& features, double stop, const Prices* prices) {
  const auto numbers = numbers_of(features, booster.stages.empty() ? features.size() : booster.stages.front().feature_values.size());
  if (prices != nullptr && static_cast<std::size_t>(prices->tests()) != numbers.size())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the booster " + std::to_string(numbers.size()) + " columns.");
  std::vector<double> found(booster.classes());
  ask(booster, ft::LazyRow{self.chunk, numbers}, {stop, prices}, found);
  return to_numpy(std::move(found));
}

}  // namespace

void bind_flowtype(nb::module_& m) {
  nb::class_<PyFlowChunk>(m, "FlowChunk", "The first 16 KB of a byte stream, and what was computed of them.")
      .def(nb::init<nb::bytes>(), "content"_a)
      .def("feature", [](PyFlowChunk& self, std::size_t number) { return self.chunk.feature(checked(self, number)); }, "number"_a,
           "A feature by its number, with the steps it needs where they were not done before.")
      .def("endings", &endings, "tree"_a, nb::arg("features").noconvert(),
           nb::sig("def endings(self, tree: Tree, features: numpy.typing.NDArray[numpy.int32]) -> list[tuple[int, float]]"),
           "Where a tree ends for the chunk, as (node, share); computes what the tree asks. features: per column of the tree the\n"
           "number of the feature.")
      .def("decide", &decide, "panel"_a, nb::arg("features").noconvert(),
           nb::sig("def decide(self, panel: Panel, features: numpy.typing.NDArray[numpy.int32]) -> int"),
           "The class that a panel answers for the chunk; computes what the members consulted ask. features as for endings.")
      .def("scores", &scores, "booster"_a, nb::arg("features").noconvert(), nb::kw_only(), "stop"_a, "prices"_a.none(),
           nb::sig("def scores(self, booster: Booster, features: numpy.typing.NDArray[numpy.int32], *, stop: float, prices: Prices | None) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "The scores of the classes by a booster; computes what its stages ask until the answer is sure. features as for endings.")
      .def_prop_ro("size", [](const PyFlowChunk& self) { return self.chunk.size(); })
      .def_prop_ro("steps_done", &steps_done)
      .def_prop_ro("features_known", &features_known, nb::sig("def features_known(self) -> list[int]"));
  m.def("flow_feature_names", &feature_names);
  m.def("flow_step_names", &step_names);
  m.def("flow_feature_steps", &feature_steps, "Per feature the names of the steps it needs.");
  m.def("flow_sizes", [] { return std::vector<std::size_t>(ft::sizes.begin(), ft::sizes.end()); });
  m.def("flow_features", &features, "chunks"_a, nb::kw_only(), "n_threads"_a = 1,
        nb::sig("def flow_features(chunks: collections.abc.Sequence[bytes], *, n_threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
        "A row of features per chunk, NaN where a chunk is too short.");
  m.def("time_flow_features", &times, "chunks"_a, "rounds"_a,
        nb::sig("def time_flow_features(chunks: collections.abc.Sequence[bytes], rounds: int) -> "
                "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
        "Seconds for one chunk: of every step, and of every feature once its steps are done.");
}
