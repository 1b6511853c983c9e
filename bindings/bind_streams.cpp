#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "arrays.hpp"
#include "streams/adaptive_window.hpp"
#include "streams/hoeffding.hpp"
#include "streams/revised.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

constexpr double largest = 1e150;  // its square is a number, so that a window can be kept and restored

// Adds numbers in order; whether the mean was found to have risen after one of them.
bool add_all(AdaptiveWindow& window, const InPacked<double>& values) {
  const auto fits = [](double value) { return std::abs(value) <= largest; };
  if (!std::all_of(values.data(), values.data() + values.size(), fits))
    throw std::invalid_argument("A window takes numbers of up to 1e150, and no NaN: give costs in a larger unit.");
  bool rose = false;
  for (std::size_t i = 0; i < values.size(); ++i) rose |= window.add(values.data()[i]) == AdaptiveWindow::Change::Rise;
  return rose;
}

std::vector<double> state_of(const AdaptiveWindow& window) {
  std::vector<double> numbers;
  window.write(numbers);
  return numbers;
}

// What does not fit together is an error, and the window stays as it was.
void restore_window(AdaptiveWindow& window, const InPacked<double>& numbers) {
  std::size_t at = 0;
  AdaptiveWindow found = window;
  found.read([&numbers, &at] {
    if (at == numbers.size()) throw std::invalid_argument("The state of the window ends too early.");
    if (!std::isfinite(numbers.data()[at])) throw std::invalid_argument("The state of the window has a number that is not finite.");
    return numbers.data()[at++];
  });
  if (at != numbers.size()) throw std::invalid_argument("The state of the window has numbers too many.");
  // `read` brings what is out of bounds into them: what it then holds is not what was given.
  if (numbers.data()[0] < 0.0 || !std::ranges::equal(state_of(found), std::span(numbers.data(), numbers.size())))
    throw std::invalid_argument("The state of the window has numbers that no window has.");
  window = std::move(found);
}

std::shared_ptr<const Prices> shared(const Prices* prices) { return prices == nullptr ? nullptr : std::make_shared<const Prices>(*prices); }

using Leaves = nb::typed<nb::tuple, NaiveBayes, OutVector<Index>>;

void bind_hoeffding(nb::module_& m) {
  nb::enum_<LeafAnswer>(m, "LeafAnswer", "What answers at a leaf of a Hoeffding tree.")
      .value("Counts", LeafAnswer::Counts)
      .value("Bayes", LeafAnswer::Bayes)
      .value("Adaptive", LeafAnswer::Adaptive);
  nb::class_<HoeffdingSettings>(m, "HoeffdingSettings", "When a Hoeffding tree makes a test, and how much it remembers.")
      .def(nb::init<>())
      .def_rw("delta", &HoeffdingSettings::delta)
      .def_rw("tau", &HoeffdingSettings::tau)
      .def_rw("grace", &HoeffdingSettings::grace)
      .def_rw("bins", &HoeffdingSettings::bins)
      .def_rw("max_leaves", &HoeffdingSettings::max_leaves)
      .def_rw("max_depth", &HoeffdingSettings::max_depth)
      .def_rw("revise", &HoeffdingSettings::revise)
      .def_rw("revise_every", &HoeffdingSettings::revise_every)
      .def_rw("drift", &HoeffdingSettings::drift)
      .def_rw("leaves", &HoeffdingSettings::leaves);
  nb::class_<HoeffdingTree>(m, "HoeffdingTree", "A tree that learns a stream in one pass.")
      .def("__init__", [](HoeffdingTree* self, const PyTable& first, Index classes, const Settings& growth, const Prices* prices, const HoeffdingSettings& settings) {
        new (self) HoeffdingTree(first.table, classes, growth, shared(prices), settings);
      }, "first"_a, "classes"_a, "growth"_a, "prices"_a.none(), "settings"_a)
      .def("learn", [](HoeffdingTree& self, const PyTable& table, const InPacked<Index>& labels) {
        const std::span<const Index> given{labels.data(), labels.size()};
        nb::gil_scoped_release unlocked;
        self.learn(table.table, given);
      }, "table"_a, "labels"_a.noconvert(), "Learn from rows, in their order.")
      .def("learn_row", [](HoeffdingTree& self, const InPacked<double>& values, Index label) { self.learn_row({values.data(), values.size()}, label); },
           "values"_a.noconvert(), "label"_a, "Learn from one case: numbers and codes in the order of the features.")
      .def("widen", [](HoeffdingTree& self, Index classes, const std::vector<Index>& place, const std::vector<double>& loss) { self.widen(classes, place, loss); },
           "classes"_a, "place"_a, "loss"_a, "Know more classes from now on.")
      .def("tree", [](const HoeffdingTree& self) { return PyTree(self.tree()); }, "The tree as it is now.")
      .def("leaf_densities", [](const HoeffdingTree& self) {
        LeafDensities found = self.leaf_densities();
        return Leaves(nb::make_tuple(nb::cast(std::move(found.bayes)), to_numpy(std::move(found.group))));
      }, "Naive Bayes of the leaves that answer by it, and by node of the tree whose densities are its own, or -1.")
      .def("state", [](const HoeffdingTree& self) { return to_numpy(self.state()); }, "What it has learnt, as numbers.")
      .def("restore", [](HoeffdingTree& self, const InPacked<double>& numbers) { self.restore({numbers.data(), numbers.size()}); }, "numbers"_a.noconvert(),
           "Take what another one with the same settings had learnt.")
      .def_prop_ro("leaves", &HoeffdingTree::leaves)
      .def_prop_ro("bytes", &HoeffdingTree::bytes, "What its counts take.");
}

using Cases = nb::typed<nb::tuple, OutMatrix<double>, OutVector<Index>>;

std::span<const double> row_of(const InMatrix& rows, std::size_t i) { return {rows.data() + i * rows.shape(1), rows.shape(1)}; }

void bind_revised(nb::module_& m) {
  nb::class_<RevisedTree>(m, "RevisedTree", "The tree of the cases so far, revised by every case.")
      .def("__init__", [](RevisedTree* self, const std::vector<Index>& feature_values, Index classes, const Settings& growth, const Prices* prices, bool discard) {
        new (self) RevisedTree(feature_values, classes, growth, shared(prices), discard);
      }, "feature_values"_a, "classes"_a, "growth"_a, "prices"_a.none(), "discard"_a = false)
      .def("add", [](RevisedTree& self, const InMatrix& rows, const InPacked<Index>& labels) {
        for (std::size_t i = 0; i < labels.size(); ++i) self.add(row_of(rows, i), labels.data()[i]);
      }, "rows"_a.noconvert(), "labels"_a.noconvert(), "Add cases: numbers and codes, NaN where missing.")
      .def("add_errors", [](RevisedTree& self, const InMatrix& rows, const InPacked<Index>& labels) {
        std::vector<std::uint8_t> known(labels.size(), 0);
        for (bool more = true; more;) {
          more = false;
          for (std::size_t i = 0; i < labels.size(); ++i) {
            if (known[i] != 0 || self.answer(row_of(rows, i)) == labels.data()[i]) continue;
            self.add(row_of(rows, i), labels.data()[i]);
            known[i] = 1;
            more = true;
          }
        }
      }, "rows"_a.noconvert(), "labels"_a.noconvert(), "Add those that are answered wrongly, until none is that was not added.")
      .def("forget", [](RevisedTree& self, const InMatrix& rows, const InPacked<Index>& labels) {
        for (std::size_t i = 0; i < labels.size(); ++i)
          if (!self.forget(row_of(rows, i), labels.data()[i])) return static_cast<std::ptrdiff_t>(i);
        return std::ptrdiff_t{-1};
      }, "rows"_a.noconvert(), "labels"_a.noconvert(), "Take cases back; the number of the first that is not there, or -1.")
      .def("settle", static_cast<void (RevisedTree::*)()>(&RevisedTree::settle), "Choose the tests again whose counts have changed.")
      .def("tree", [](RevisedTree& self) { return PyTree(self.tree()); }, "The tree as it is now.")
      .def("cases", [](const RevisedTree& self) {
        const std::vector<Index> labels = self.labels();
        std::vector<double> values = self.values();
        const std::size_t rows = labels.size(), columns = rows == 0 ? 0 : values.size() / rows;
        return Cases(nb::make_tuple(to_numpy(std::move(values), rows, columns), to_numpy(labels)));
      }, "The values and the labels of all cases.")
      .def_prop_ro("n_cases", &RevisedTree::cases)
      .def_prop_ro("chosen", &RevisedTree::chosen, "How many tests were chosen.")
      .def_prop_ro("changed", &RevisedTree::changed, "How many of them were others than before.");
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<AdaptiveWindow>(m, "AdaptiveWindow", "A window over numbers that loses its older part when their mean changes (ADWIN).")
      .def(nb::init<double>(), "delta"_a)
      .def("add", &add_all, "values"_a.noconvert(), "Add numbers; tell whether their mean was found to have risen.")
      .def("state", [](const AdaptiveWindow& self) { return to_numpy(state_of(self)); }, "What it holds, as numbers.")
      .def("restore", &restore_window, "numbers"_a.noconvert(), "Take what another one of the same delta held.")
      .def_prop_ro("count", &AdaptiveWindow::count, "How many numbers it holds.")
      .def_prop_ro("mean", &AdaptiveWindow::mean, "Their mean.");
  bind_hoeffding(m);
  bind_revised(m);
}
