#include <nanobind/stl/vector.h>

#include <type_traits>

#include "accounting/budget_ledger.hpp"
#include "accounting/dearest.hpp"
#include "accounting/tree_ledger.hpp"
#include "arrays.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

// An array of the compiled price list, copied: a price list is small beside the tables it prices.
template <class T>
std::vector<T> copied(nb::handle list, const char* name) {
  const nb::object object = nb::getattr(list, name, nb::none());
  InVector<T> array;
  if (!nb::try_cast(object, array, false))
    throw InputError(std::string("The price list's ") + name + " must be a 1-D array as Costs.compile makes it, got " + described(object) + ".");
  require_aligned<T>(array.data(), name);
  const auto view = array.view();
  std::vector<T> result(array.shape(0));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = view(i);
  return result;
}

bool flag(nb::handle list, const char* name) {
  const nb::object object = nb::getattr(list, name, nb::none());
  if (!nb::isinstance<nb::bool_>(object))
    throw InputError(std::string("The price list's ") + name + " must be True or False, got " + described(object) + ".");
  return nb::cast<bool>(object);
}

PriceList read(nb::handle list) {
  return {copied<double>(list, "price"),         copied<Index>(list, "needs_indptr"), copied<Index>(list, "needs_indices"),
          copied<double>(list, "resource_price"), copied<Index>(list, "group"),        copied<double>(list, "after"),
          copied<std::uint8_t>(list, "delayed"),  flag(list, "upfront"),               flag(list, "charge_missing")};
}

OutVector<double> list_price(const Prices& prices) {
  std::vector<double> result(static_cast<std::size_t>(prices.tests()));
  for (Index t = 0; t < prices.tests(); ++t) result[static_cast<std::size_t>(t)] = prices.list_price(t);
  return to_numpy(std::move(result));
}

void require_tests(const Prices& prices, const std::vector<Index>& tests) {
  for (Index test : tests)
    if (test < 0 || test >= prices.tests())
      throw InputError("There is no test " + std::to_string(test) + "; tests are 0 to " + std::to_string(prices.tests() - 1) + ".");
}

OutVector<double> purchase(const Prices& prices, const std::vector<Index>& tests) {
  require_tests(prices, tests);
  Basket basket(prices);
  std::vector<double> paid;
  paid.reserve(tests.size());
  for (Index test : tests) paid.push_back(basket.buy(test));
  return to_numpy(std::move(paid));
}

OutVector<Index> free_after(const Prices& prices, const std::vector<Index>& tests) {
  require_tests(prices, tests);
  Basket basket(prices);
  for (Index test : tests) basket.buy(test);
  return to_numpy(basket.free());
}

double most(const Prices& prices, const std::vector<Index>& tests) {
  require_tests(prices, tests);
  return most_paid(prices, tests);
}

Ledger ledger_of(const PyTree& tree, const Prices& prices, const PyTable& table, int n_threads) {
  tree.check_fits(table.table);
  const nb::gil_scoped_release unlocked;
  return keep_ledger(tree.tree(), prices, table.table, n_threads);
}

nb::tuple within_budget_of(const PyTree& tree, const Prices& prices, const PyTable& table, double budget, int n_threads) {
  tree.check_fits(table.table);
  BudgetLedger found;
  {
    const nb::gil_scoped_release unlocked;
    found = keep_to_budget(tree, prices, table.table, budget, n_threads);
  }
  nb::object answers = tree.tree().regression ? nb::cast(to_numpy(std::move(found.numbers))) : nb::cast(to_numpy(std::move(found.labels)));
  return nb::make_tuple(std::move(found.ledger), answers, to_numpy(std::move(found.stopped)));
}

OutVector<Index> tests_of_subtree(const PyTree& tree, Index node) {
  if (node < 0 || node >= tree.tree().size()) throw InputError("There is no node " + std::to_string(node) + ".");
  return to_numpy(tests_below(tree.tree(), node));
}

const Ledger& inside(nb::handle_t<Ledger> self) { return nb::cast<const Ledger&>(self); }

template <class T>
OutVector<const T> view(const std::vector<T>& values, nb::handle owner) {
  static const T none{};
  return OutVector<const T>(values.empty() ? &none : values.data(), {values.size()}, owner);
}

// One field of all entries, looked at where it lies.
template <class T>
OutVector<const T> field(nb::handle_t<Ledger> self, T Bought::* member) {
  static_assert(sizeof(Bought) % sizeof(T) == 0, "a stride is a whole number of elements");
  static const Bought none{};
  const auto& entries = inside(self).entries;
  const Bought& first = entries.empty() ? none : entries.front();
  return OutVector<const T>(&(first.*member), {entries.size()}, self, {static_cast<std::int64_t>(sizeof(Bought) / sizeof(T))});
}

}  // namespace

void bind_accounting(nb::module_& m) {
  nb::class_<Prices>(m, "Prices", "What every test costs, given the tests bought before; made of what Costs.compile returns.")
      .def("__init__", [](Prices* self, nb::handle list) { new (self) Prices(read(list)); }, "price_list"_a,
           nb::sig("def __init__(self, price_list: typing.Any) -> None"))
      .def("list_price", &list_price, "Per test: what it costs when nothing was bought before, its resources included.")
      .def("purchase", &purchase, "tests"_a, "What each test costs when they are bought in this order, once each.")
      .def("free_after", &free_after, "tests"_a, "The other tests that cost nothing once these are bought.")
      .def("most", &most, "tests"_a, "The most that tests cost together, asked for in this order, whichever of their values are missing.");

  nb::class_<Ledger>(m, "Ledger", "The tests every case bought: case r has the entries starts[r] to starts[r + 1] - 1.")
      .def_prop_ro("test_cost", [](nb::handle_t<Ledger> self) { return view(inside(self).test_cost, self); }, "Per case.")
      .def_prop_ro("starts", [](nb::handle_t<Ledger> self) { return view(inside(self).starts, self); }, "Per case, and the end.")
      .def_prop_ro("test", [](nb::handle_t<Ledger> self) { return field(self, &Bought::test); }, "Per entry: the test bought.")
      .def_prop_ro("share", [](nb::handle_t<Ledger> self) { return field(self, &Bought::share); },
                   "Per entry: the share of the case that bought it; 1 unless a missing value spread the case.")
      .def_prop_ro("cost", [](nb::handle_t<Ledger> self) { return field(self, &Bought::cost); }, "Per entry: what was paid, weighted by share.");

  m.def("ledger", &ledger_of, "tree"_a, "prices"_a, "table"_a, "n_threads"_a = 1, "The bills of all rows of a table.");
  m.def("ledger_within", &within_budget_of, "tree"_a, "prices"_a, "table"_a, "budget"_a, "n_threads"_a = 1,
        nb::sig("def ledger_within(tree: Tree, prices: Prices, table: Table, budget: float, n_threads: int = 1) -> "
                "tuple[Ledger, numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]"),
        "The bills of all rows where none may spend more than the budget, what each is answered, and whether the budget stopped it.");
  m.def("tests_of", &tests_of_subtree, "tree"_a, "node"_a = 0,
        "The features that the tree tests at and below a node, in pre-order, each once; surrogates are left out.");
}
