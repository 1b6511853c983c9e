#include "arrays.hpp"
#include "ensembles/lazy_options.hpp"
#include "watch.hpp"

using namespace nb::literals;
using namespace thriftwood;

namespace {

using InBags = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::tuple answer(const PyTable& training, InPacked<Index> labels, Index classes, InBags bags, const PyTable& cases, int options, double share,
                 int depth, double min_weight, int max_nodes, int cuts, int n_threads) {
  if (bags.shape(1) != training.table.rows)
    throw InputError("bags has " + std::to_string(bags.shape(1)) + " columns; the training table has " + std::to_string(training.table.rows) + " rows.");
  require_aligned<std::uint32_t>(bags.data(), "bags");
  const std::span<const std::uint32_t> counts(bags.data(), bags.size());
  const LazySettings settings{options, share, depth, min_weight, max_nodes, cuts};
  LazyAnswers answers = interruptible(
      [&] { return answer_lazily(training.table, span_of(labels, "labels"), classes, counts, cases.table, settings, n_threads); });
  const std::size_t rows = cases.table.rows;
  return nb::make_tuple(to_numpy(std::move(answers.shares), rows, static_cast<std::size_t>(classes)),
                        to_numpy(std::move(answers.asked), rows, cases.table.columns.size()));
}

}  // namespace

void bind_ensembles(nb::module_& m) {
  m.def("answer_lazily", &answer, "training"_a, nb::arg("labels").noconvert(), "n_classes"_a, nb::arg("bags").noconvert(), "cases"_a, nb::kw_only(),
        "options"_a, "share"_a, "depth"_a, "min_weight"_a, "max_nodes"_a, "cuts"_a, "n_threads"_a = 1,
        nb::sig("def answer_lazily(training: Table, labels: numpy.typing.NDArray[numpy.int32], n_classes: int, "
                "bags: numpy.typing.NDArray[numpy.uint32], cases: Table, *, options: int, share: float, depth: int, min_weight: float, "
                "max_nodes: int, cuts: int, n_threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]"),
        "Lazy option trees: per case the shares of the classes, the mean over bags, and which features were asked. bags has a row per bag\n"
        "with a count per training row.");
}
