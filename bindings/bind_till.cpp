#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "accounting/case_till.hpp"
#include "accounting/node_payments.hpp"
#include "accounting/tree_ledger.hpp"
#include "arrays.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// Python's Till: that of one case, and the prices it looks at.
struct PyTill {
  nb::object keep;
  CaseTill till;
};

using Tests = std::vector<Index>;
using Purchases = std::vector<std::pair<Index, double>>;

void require_test(const CaseTill& till, Index test) {
  if (test < 0 || test >= till.prices().tests())
    throw InputError("There is no test " + std::to_string(test) + "; tests are 0 to " + std::to_string(till.prices().tests() - 1) + ".");
}

const Tests& checked(const CaseTill& till, const Tests& tests) {
  for (const Index test : tests) require_test(till, test);
  return tests;
}

const Tree& checked(const CaseTill& till, const PyTree& tree, Index node, Index test) {
  require_prices(tree.tree(), till.prices());
  require_test(till, test);
  if (node < 0 || node >= tree.tree().size()) throw InputError("There is no node " + std::to_string(node) + ".");
  return tree.tree();
}

Purchases listed(std::span<const Bought> entries) {
  Purchases purchases;
  for (const Bought& bought : entries) purchases.emplace_back(bought.test, bought.cost);
  return purchases;
}

// What is bought meanwhile.
template <class Work>
Purchases bought_by(CaseTill& till, const Work& work) {
  const std::size_t before = till.entries().size();
  work();
  return listed(till.entries().subspan(before));
}

Purchases ask(PyTill& self, const PyTree& tree, Index node, Index test) {
  return bought_by(self.till, [&] { self.till.ask(checked(self.till, tree, node, test), node, test); });
}

Purchases order(PyTill& self, const Tests& tests) {
  return bought_by(self.till, [&] { self.till.order(checked(self.till, tests)); });
}

nb::tuple payments(const PyTree& tree, const Prices& prices) {
  const NodePayments found = node_payments(tree.tree(), prices);
  nb::dict orders;
  for (const auto& [node, bought] : found.orders) orders[nb::int_(node)] = listed(bought);
  return nb::make_tuple(orders, found.bill);
}

}  // namespace

void bind_till(nb::module_& m) {
  m.attr("BUDGET_ROUNDING") = budget_rounding;
  nb::class_<PyTill>(m, "Till", "What one case buys while its answers come one at a time. Tests go by the numbers of their features.")
      .def("__init__", [](PyTill* self, nb::handle prices) { new (self) PyTill{nb::borrow(prices), CaseTill(nb::cast<const Prices&>(prices))}; },
           "prices"_a, nb::sig("def __init__(self, prices: Prices) -> None"))
      .def("copy", [](const PyTill& self) { return self; }, "A till with the same purchases, to go on from here in another way.")
      .def("give", [](PyTill& self, const Tests& tests) { for (const Index test : checked(self.till, tests)) self.till.give(test); }, "tests"_a,
           "These tests were known before: they are free, and open no discount.")
      .def("answer", [](PyTill& self, Index test, bool has_value) { require_test(self.till, test); self.till.answer(test, has_value); }, "test"_a,
           "has_value"_a, "The test has its answer. Where missing values are free, one without a value is taken off the bill.")
      .def("ordered_at", [](const PyTill& self, const PyTree& tree, Index node, Index test) {
             return self.till.ordered_at(checked(self.till, tree, node, test), node, test);
           },
           "tree"_a, "node"_a, "test"_a,
           "What is bought when a test has its answer that is asked at a node, as its own test or as a surrogate. Tests whose answers are\n"
           "known are left out; of those that were bought before, nothing is said.")
      .def("order", &order, "tests"_a, "Buys tests in this order; what was bought, each with its price.")
      .def("order_with", [](PyTill& self, Index test, const Tests& tests) { require_test(self.till, test); self.till.order_with(test, checked(self.till, tests)); },
           "test"_a, "tests"_a, "Buys what is ordered with a test that has its answer; nothing, if that is missing and missing values are free.")
      .def("ask", &ask, "tree"_a, "node"_a, "test"_a, "The walk of the case reads a test at a node; what was bought, each with its price.")
      .def("has", [](const PyTill& self, Index test) { require_test(self.till, test); return self.till.has(test); }, "test"_a, "Was it bought?")
      .def("had", [](const PyTill& self, Index test) { require_test(self.till, test); return self.till.had(test); }, "test"_a,
           "Does it cost nothing to ask for it: was it bought, given, or found to be unavailable?")
      .def("price", [](const PyTill& self, const Tests& tests) { return self.till.price(checked(self.till, tests)); }, "tests"_a,
           "What these tests cost now, bought in this order.")
      .def("most", [](const PyTill& self, const Tests& tests) { return self.till.most(checked(self.till, tests)); }, "tests"_a,
           "The most that the bill can come to when these tests are bought too, whichever of them turn out to be missing.")
      .def_prop_ro("spent", [](const PyTill& self) { return self.till.spent(); }, "The sum of the bill.")
      .def_prop_ro("bought", [](const PyTill& self) { return listed(self.till.entries()); }, "What was bought, in order, each test with its price.")
      .def_prop_ro("upfront", [](const PyTill& self) { return self.till.prices().upfront(); }, "Is every test paid before anything is asked?");

  m.def("payments", &payments, "tree"_a, "prices"_a,
        nb::sig("def payments(tree: Tree, prices: Prices) -> tuple[dict[int, list[tuple[int, float]]], list[float]]"),
        "What the tests of a tree cost where they stand: nodes whose test was not paid before, with what is bought there; and per node\n"
        "what a case has paid when it arrives.");
}
