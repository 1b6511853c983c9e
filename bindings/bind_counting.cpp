#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <variant>

#include "arrays.hpp"
#include "growing/grow.hpp"
#include "pickling.hpp"
#include "splitting/binning.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

using AnyTuple = nb::typed<nb::tuple, nb::object, nb::ellipsis>;
using AnyList = nb::typed<nb::list, nb::object>;

// Codes, labels and weights of some rows, and the arrays they lie in.
struct PyShard {
  Shard shard;
  std::vector<nb::object> keep;
};

using ColumnCoding = std::variant<InPacked<double>, Index>;

using GridTuple = std::tuple<double, double, double>;

Coding coding_of(const std::vector<ColumnCoding>& columns, Index classes, bool weighted, const std::optional<InPacked<double>>& class_weights,
                 double grid, const std::optional<GridTuple>& numbers) {
  Coding coding;
  for (const ColumnCoding& column : columns) {
    if (const Index* categories = std::get_if<Index>(&column)) {
      if (*categories < 0 || *categories > most_branches) throw InputError("A nominal column has from 0 to 65520 categories; got " + std::to_string(*categories) + ".");
      coding.columns.push_back(nominal_coding(*categories));
      continue;
    }
    const auto edges = span_of(std::get<InPacked<double>>(column), "edges");
    if (edges.size() >= static_cast<std::size_t>(most_codes)) throw InputError("A numeric column has at most 254 edges; got " + std::to_string(edges.size()) + ".");
    coding.columns.push_back(numeric_coding({edges.begin(), edges.end()}));
  }
  if (coding.columns.empty()) throw InputError("A table has at least one column.");
  if (classes < 0 || classes > 65535) throw InputError("The number of classes must be from 0 (numbers) to 65535; got " + std::to_string(classes) + ".");
  coding.classes = classes;
  coding.regression = classes == 0;
  coding.grid = grid;
  if (numbers) coding.numbers = {std::get<0>(*numbers), std::get<1>(*numbers), std::get<2>(*numbers)};
  if (numbers && !(coding.regression && coding.numbers.step > 0.0 && coding.numbers.weight_step > 0.0))
    throw InputError("Steps of numbers are above 0, and for numbers that are predicted.");
  const auto factors = span_of(class_weights, "class_weights");
  if (!factors.empty() && factors.size() != static_cast<std::size_t>(classes)) throw InputError("There is one weight for each class.");
  coding.class_weights.assign(factors.begin(), factors.end());
  coding.weighted = weighted || !factors.empty();
  return coding;
}

template <class T>
const T* rows_of(const InPacked<T>& array, std::size_t rows, const char* what) {
  if (array.shape(0) != rows) throw InputError(std::string(what) + " of a shard must have one entry for each of its " + std::to_string(rows) + " rows.");
  return span_of(array, what).data();
}

template <class T>
bool codes_fit(const T* codes, std::size_t rows, Index last) {
  for (std::size_t i = 0; i < rows; ++i)
    if (codes[i] > last) return false;
  return true;
}

template <class T>
void take_codes(PyShard& made, nb::handle given, Index last, bool trusted) {
  InPacked<T> codes;
  if (!nb::try_cast(given, codes, false)) throw InputError("A column of a shard must be an array of " + std::string(sizeof(T) == 1 ? "uint8" : "uint16") + ", got " + described(given) + ".");
  const T* data = rows_of(codes, made.shard.rows, "The codes");
  if (!trusted && !codes_fit(data, made.shard.rows, last)) throw InputError("A shard has a code that its column does not have.");
  made.shard.codes.push_back(data);
  made.keep.push_back(nb::borrow(given));
}

void make_shard(PyShard* self, const Coding& coding, std::size_t rows, const AnyList& codes, const std::optional<InPacked<std::uint16_t>>& labels,
                const std::optional<InPacked<double>>& numbers, const std::optional<InPacked<double>>& weights, bool trusted) {
  PyShard made;
  made.shard.rows = rows;
  if (codes.size() != coding.columns.size()) throw InputError("A shard has the codes of every column.");
  for (std::size_t f = 0; f < codes.size(); ++f) {
    const auto feature = static_cast<Index>(f);
    if (coding.wide(feature)) take_codes<std::uint16_t>(made, codes[f], coding.column(feature).codes, trusted);
    else take_codes<std::uint8_t>(made, codes[f], coding.column(feature).codes, trusted);
  }
  if (coding.regression != numbers.has_value() || coding.regression == labels.has_value()) throw InputError("A shard has labels, or numbers where those are predicted.");
  if (labels) {
    made.shard.labels = rows_of(*labels, rows, "The labels");
    if (!trusted && !codes_fit(made.shard.labels, rows, coding.classes - 1)) throw InputError("A shard has a label that is not a class.");
    made.keep.push_back(nb::cast(*labels));
  }
  if (numbers) {
    made.shard.numbers = rows_of(*numbers, rows, "The numbers");
    made.keep.push_back(nb::cast(*numbers));
  }
  if (weights) {
    made.shard.weights = rows_of(*weights, rows, "The weights");
    made.keep.push_back(nb::cast(*weights));
  }
  new (self) PyShard(std::move(made));
}

OutVector<double> count_shard(const PyShard& shard, const Coding& coding, const Routes& routes) {
  check_routes(routes, coding);
  std::vector<double> sums(routes.goals * routes.cells(coding), 0.0);
  interruptible([&] { count(shard.shard, coding, routes, sums); return 0; });
  return to_numpy(std::move(sums));
}

// One goal: the codes of every column, labels or numbers, weights (empty: none).
nb::tuple to_arrays(CodedRows&& rows, const Coding& coding) {
  nb::list codes;
  for (std::size_t f = 0; f < rows.bytes.size(); ++f) {
    if (coding.wide(static_cast<Index>(f))) codes.append(nb::cast(to_numpy(std::move(rows.pairs[f]))));
    else codes.append(nb::cast(to_numpy(std::move(rows.bytes[f]))));
  }
  return nb::make_tuple(codes, to_numpy(std::move(rows.labels)), to_numpy(std::move(rows.numbers)), to_numpy(std::move(rows.weights)));
}

AnyList gather_shard(const PyShard& shard, const Coding& coding, const Routes& routes) {
  check_routes(routes, coding);
  std::vector<CodedRows> goals(routes.goals, CodedRows(coding.columns.size()));
  interruptible([&] { gather(shard.shard, coding, routes, goals); return 0; });
  nb::list made;
  for (CodedRows& rows : goals) made.append(to_arrays(std::move(rows), coding));
  return AnyList(made);
}

template <class T>
void append(std::vector<T>& to, nb::handle given, const char* what) {
  const auto entries = span_of(nb::cast<InPacked<T>>(given), what);
  to.insert(to.end(), entries.begin(), entries.end());
}

// Numbers as bytes: arrays that came over a network need not be aligned.
template <class T>
nb::bytes packed(const std::vector<T>& numbers) {
  return nb::bytes(numbers.data(), numbers.size() * sizeof(T));
}

template <class T>
void unpack(std::vector<T>& numbers, nb::handle given) {
  const auto content = nb::cast<nb::bytes>(given);
  if (content.size() % sizeof(T) != 0) throw InputError("These are not the bytes of routes.");
  numbers.resize(content.size() / sizeof(T));
  std::copy_n(static_cast<const std::byte*>(content.data()), content.size(), reinterpret_cast<std::byte*>(numbers.data()));
}

// Asks a Python object to count: `count(routes)` gives the sums, `gather(routes)` for each shard in turn what Shard.gather gives.
class PyCounter final : public Counter {
 public:
  PyCounter(nb::handle counter, const Coding& coding, Signals& signals) : counter_(counter), coding_(coding), signals_(signals) {}

  std::vector<double> count(const Routes& routes) override {
    std::vector<double> sums;
    with_python([&] { append(sums, counter_.attr("count")(routes), "counts"); });
    if (sums.size() != routes.goals * routes.cells(coding_)) throw InputError("Counts came that do not fit what was asked for.");
    return sums;
  }

  std::vector<CodedRows> gather(const Routes& routes) override {
    std::vector<CodedRows> goals(routes.goals, CodedRows(coding_.columns.size()));
    with_python([&] {
      for (nb::handle shard : counter_.attr("gather")(routes)) {
        std::size_t goal = 0;
        for (nb::handle given : shard) take(nb::cast<nb::tuple>(given), goals.at(goal++));
      }
    });
    return goals;
  }

 private:
  void take(const nb::tuple& given, CodedRows& rows) const {
    const auto codes = nb::cast<nb::list>(given[0]);
    if (codes.size() != rows.bytes.size()) throw InputError("Gathered cases have the codes of every column.");
    for (std::size_t f = 0; f < rows.bytes.size(); ++f) {
      if (coding_.wide(static_cast<Index>(f))) append(rows.pairs[f], codes[f], "codes");
      else append(rows.bytes[f], codes[f], "codes");
    }
    append(rows.labels, given[1], "labels");
    append(rows.numbers, given[2], "numbers");
    append(rows.weights, given[3], "weights");
  }

  // What Python raises ends the growing, and is raised when that has ended.
  template <class Work>
  void with_python(const Work& work) {
    const nb::gil_scoped_acquire locked;
    try {
      work();
    } catch (nb::python_error& error) {
      signals_.keep(std::move(error));
      throw Interrupted{};
    }
  }

  nb::handle counter_;
  const Coding& coding_;
  Signals& signals_;
};

CountingLimits limits_of(std::size_t gathered_node, std::size_t gathered_rows, std::size_t counted_cells) {
  return {std::min<std::size_t>(gathered_node, row_mask), std::max(gathered_rows, gathered_node), counted_cells};
}

template <class Grow>
PyTree growing(const Coding& coding, const Settings& settings, const Prices* prices, Signals& signals, const Grow& grow) {
  if (prices != nullptr && prices->tests() != coding.features())
    throw InputError("The price list has " + std::to_string(prices->tests()) + " tests, the table " + std::to_string(coding.features()) + " features.");
  Settings own = settings;
  own.prices = prices;
  try {
    return listening([&] { return PyTree(grow(own)); }, [&] { return signals.raised(); });
  } catch (const Interrupted&) {
    signals.raise_any();
    raise_interrupt();
  }
}

PyTree grow_shards(const Coding& coding, std::uint64_t cases, const Settings& settings, const AnyList& shards, const Prices* prices,
                   std::size_t gathered_node, std::size_t gathered_rows, std::size_t counted_cells, nb::object progress) {
  std::vector<Shard> all;
  std::size_t rows = 0;
  for (nb::handle shard : shards) {
    all.push_back(nb::cast<const PyShard&>(shard).shard);
    rows += all.back().rows;
  }
  if (rows != cases) throw InputError("The shards have " + std::to_string(rows) + " rows, and there are " + std::to_string(cases) + " cases.");
  Signals signals;
  const auto tell = [&](std::size_t done) {
    if (progress.is_none()) return;
    const nb::gil_scoped_acquire locked;
    try {
      progress(done);
    } catch (nb::python_error& error) {
      signals.keep(std::move(error));
      throw Interrupted{};
    }
  };
  return growing(coding, settings, prices, signals, [&](const Settings& own) {
    ThreadPool pool(own.threads);
    ShardCounter counter(coding, std::move(all), pool, tell);
    return grow_counted(coding, cases, own, counter, limits_of(gathered_node, gathered_rows, counted_cells), pool);
  });
}

PyTree grow_elsewhere(const Coding& coding, std::uint64_t cases, const Settings& settings, nb::handle counter, const Prices* prices,
                      std::size_t gathered_node, std::size_t gathered_rows, std::size_t counted_cells) {
  Signals signals;
  PyCounter asked(counter, coding, signals);
  return growing(coding, settings, prices, signals, [&](const Settings& own) {
    ThreadPool pool(own.threads);
    return grow_counted(coding, cases, own, asked, limits_of(gathered_node, gathered_rows, counted_cells), pool);
  });
}

OutVector<double> bin_edges(const InPacked<double>& sample, int bins) {
  if (bins < 2 || bins > most_codes) throw InputError("bins must be from 2 to 255; got " + std::to_string(bins) + ".");
  const auto numbers = span_of(sample, "sample");
  SortSpace space;
  for (double number : numbers)
    if (!std::isnan(number)) space.numbers.push_back(number);
  return to_numpy(quantile_edges(sorted_numbers(space), bins));
}

template <class T>
void bin_all(const Binner& binner, const InVector<T>& numbers, std::uint8_t* out) {
  require_aligned<T>(numbers.data(), "numbers");
  binner.bin(numbers.data(), numbers.shape(0) > 1 ? numbers.stride(0) : 1, numbers.shape(0), out);
}

void bin_numbers(const Binner& binner, nb::handle numbers, const nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& out) {
  InVector<float> singles;
  InVector<double> doubles;
  const bool single = nb::try_cast(numbers, singles, false);
  if (!single && !nb::try_cast(numbers, doubles, false)) throw InputError("Expected a 1-D array of float64 or float32, got " + described(numbers) + ".");
  if (out.shape(0) != (single ? singles.shape(0) : doubles.shape(0))) throw InputError("There is one code for each number.");
  if (single) bin_all(binner, singles, out.data());
  else bin_all(binner, doubles, out.data());
}

}  // namespace

void bind_counting(nb::module_& m) {
  m.def("bin_edges", &bin_edges, "sample"_a.noconvert(), "bins"_a, "Where a numeric column is cut into bins, by a sample of its values.");
  m.def("common_step", [](const InPacked<double>& weights) { return common_step(span_of(weights, "weights")); }, "weights"_a.noconvert(),
        "The largest power of two that weights are multiples of already; those of 0 say nothing.");
  m.def("exact_grid", &exact_grid, "rows"_a, "largest"_a, "common"_a = 0.0,
        "What weights are to be multiples of, so that sums of so many are exact. common: a power of two that all are multiples of already.");
  m.def("number_grid", [](double lowest, double highest, std::size_t rows, double weight_step, double largest) {
          const NumberGrid grid = number_grid(lowest, highest, rows, weight_step, largest);
          return GridTuple(grid.step, grid.origin, grid.weight_step);
        }, "lowest"_a, "highest"_a, "rows"_a, "weight_step"_a = 1.0, "largest"_a = 1.0,
        "What numbers to predict are multiples of, what they are counted from, and what weights are multiples of: sums of so many are exact.");
  nb::class_<Binner>(m, "Binner", "Finds the bin of numbers between edges.")
      .def("__init__", [](Binner* self, const InPacked<double>& edges) { const auto all = span_of(edges, "edges"); new (self) Binner({all.begin(), all.end()}); }, "edges"_a.noconvert())
      .def("encode", &bin_numbers, "numbers"_a, "out"_a.noconvert(), "Writes the bin of every number; the last one + 1 for NaN.");
  nb::class_<Coding>(m, "Coding", "What the byte codes of a table stand for: edges or the number of categories of each column.")
      .def("__init__", [](Coding* self, const std::vector<ColumnCoding>& columns, Index classes, bool weighted, const std::optional<InPacked<double>>& class_weights, double grid,
                          const std::optional<GridTuple>& numbers) {
             new (self) Coding(coding_of(columns, classes, weighted, class_weights, grid, numbers));
           }, "columns"_a, "n_classes"_a, "weighted"_a = false, "class_weights"_a.noconvert().none() = nb::none(), "grid"_a = 0.0, "numbers"_a.none() = nb::none(),
           "n_classes 0: numbers are predicted. grid: see exact_grid; numbers: see number_grid.")
      .def_prop_ro("n_features", [](const Coding& self) { return self.columns.size(); })
      .def("is_wide", [](const Coding& self, std::size_t feature) { return self.columns.at(feature).form == Form::Wide; }, "feature"_a, "Whether codes of the column take two bytes.");
  nb::class_<Routes>(m, "Routes", "The way of every row to the node it belongs to, for one pass over shards.")
      .def_prop_ro("n_goals", [](const Routes& self) { return self.goals; }, "The nodes that are counted or gathered.")
      .def("__getstate__", [](const Routes& self) {
        return AnyTuple(nb::make_tuple(self.start, packed(self.feature), packed(self.first), packed(self.next), self.goals, packed(self.features)));
      })
      .def("__setstate__", [](Routes& self, const AnyTuple& state) {
        new (&self) Routes();
        self.start = nb::cast<std::uint32_t>(state[0]);
        unpack(self.feature, state[1]);
        unpack(self.first, state[2]);
        unpack(self.next, state[3]);
        self.goals = nb::cast<std::uint32_t>(state[4]);
        unpack(self.features, state[5]);
      })
      .def("__reduce__", [](nb::handle self) { return AnyTuple(reduced(self)); });
  nb::class_<PyShard>(m, "Shard", "The codes, labels and weights of some rows, looked at where they lie.")
      .def("__init__", &make_shard, "coding"_a, "n_rows"_a, "codes"_a, "labels"_a.noconvert().none() = nb::none(), "numbers"_a.noconvert().none() = nb::none(),
           "weights"_a.noconvert().none() = nb::none(), "trusted"_a = false, "trusted: codes are not looked through, they were checked when they were written.")
      .def_prop_ro("n_rows", [](const PyShard& self) { return self.shard.rows; })
      .def("count", &count_shard, "coding"_a, "routes"_a, "What each goal counts, by feature, code and class.")
      .def("gather", &gather_shard, "coding"_a, "routes"_a, "The rows of each goal: codes by column, labels, numbers, weights.");
  m.def("grow_shards", &grow_shards, "coding"_a, "n_rows"_a, "settings"_a, "shards"_a, "prices"_a.none() = nb::none(), "gathered_node"_a = std::size_t{1} << 20,
        "gathered_rows"_a = std::size_t{1} << 22, "counted_cells"_a = std::size_t{1} << 25, "progress"_a.none() = nb::none(),
        "Grows a tree on shards, counting them in passes. Nodes of up to gathered_node cases are gathered and grown in memory.\n"
        "progress: called with the rows that the pass at hand has seen.");
  m.def("grow_elsewhere", &grow_elsewhere, "coding"_a, "n_rows"_a, "settings"_a, "counter"_a, "prices"_a.none() = nb::none(),
        "gathered_node"_a = std::size_t{1} << 20, "gathered_rows"_a = std::size_t{1} << 22, "counted_cells"_a = std::size_t{1} << 25,
        "The same where a Python object counts: counter.count(routes) and counter.gather(routes).");
}
