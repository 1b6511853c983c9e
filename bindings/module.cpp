#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_table(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_criteria(nb::module_& m);
void bind_growing(nb::module_& m);
void bind_pruning(nb::module_& m);
void bind_accounting(nb::module_& m);
void bind_till(nb::module_& m);
void bind_trials(nb::module_& m);
void bind_ensembles(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_panel(nb::module_& m);
void bind_evolution(nb::module_& m);
void bind_flowtype(nb::module_& m);
void bind_boosting(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_optimal(nb::module_& m);
void bind_bayes(nb::module_& m);
void bind_streams(nb::module_& m);

NB_MODULE(_core, m) {
  // Trees and settings kept in caches live until the interpreter ends; that is no leak to report to a user.
  nb::set_leak_warnings(false);
  m.doc() =
      "The native core: tables, trees, growing, pruning, the ledger, trials, ensembles, forests, evolution, optimal trees, naive Bayes, streams of "
      "cases, types "
      "of byte streams.";
  bind_table(m);
  bind_tree(m);
  bind_criteria(m);
  bind_growing(m);
  bind_pruning(m);
  bind_accounting(m);
  bind_till(m);
  bind_trials(m);
  bind_ensembles(m);
  bind_forest(m);
  bind_panel(m);
  bind_evolution(m);
  bind_flowtype(m);
  bind_boosting(m);
  bind_counting(m);
  bind_optimal(m);
  bind_bayes(m);
  bind_streams(m);
}
