#include "arrays.hpp"
#include "streams/adaptive_window.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// Adds numbers in order; whether the mean was found to have risen after one of them.
bool add_all(AdaptiveWindow& window, const InPacked<double>& values) {
  bool rose = false;
  for (std::size_t i = 0; i < values.size(); ++i) rose |= window.add(values.data()[i]) == AdaptiveWindow::Change::Rise;
  return rose;
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<AdaptiveWindow>(m, "AdaptiveWindow", "A window over numbers that loses its older part when their mean changes (ADWIN).")
      .def(nb::init<double>(), "delta"_a)
      .def("add", &add_all, "values"_a.noconvert(), "Add numbers; tell whether their mean was found to have risen.")
      .def_prop_ro("count", &AdaptiveWindow::count, "How many numbers it holds.")
      .def_prop_ro("mean", &AdaptiveWindow::mean, "Their mean.");
}
