#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "pruning/collapse.hpp"
#include "pruning/cost_complexity.hpp"
#include "pruning/cut.hpp"
#include "pruning/impossible_values.hpp"
#include "pruning/mdl.hpp"
#include "pruning/pessimistic.hpp"
#include "pruning/recount.hpp"
#include "pruning/reduced_error.hpp"
#include "pruning/expected_cost.hpp"
#include "pruning/expected_loss.hpp"
#include "tree/relabel.hpp"
#include "watch.hpp"

using namespace nb::literals;
using thriftwood::Index;
using thriftwood::InputError;
using thriftwood::Smoothing;
using thriftwood::Tree;

namespace {

template <class Choice, std::size_t n>
Choice choose(const std::string& word, const char* what,
              const std::array<std::pair<const char*, Choice>, n>& choices) {
  std::string known;
  for (const auto& [name, choice] : choices) {
    if (word == name) return choice;
    known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  throw InputError(std::string(what) + " is '" + word + "'. Choose one of " + known + ".");
}

thriftwood::ZRule z_rule(const std::string& word) {
  using enum thriftwood::ZRule;
  return choose<thriftwood::ZRule, 2>(word, "z", {{{"table", Table}, {"exact", Exact}}});
}

thriftwood::RiskMeasure risk_measure(const std::string& word) {
  using enum thriftwood::RiskMeasure;
  return choose<thriftwood::RiskMeasure, 2>(word, "risk", {{{"loss", Loss}, {"impurity", Impurity}}});
}

thriftwood::PruneOrder prune_order(const std::string& word) {
  using enum thriftwood::PruneOrder;
  return choose<thriftwood::PruneOrder, 2>(word, "order", {{{"greedy", Greedy}, {"bottom_up", BottomUp}}});
}

thriftwood::MdlCode mdl_code(const std::string& word) {
  using enum thriftwood::MdlCode;
  return choose<thriftwood::MdlCode, 2>(word, "code",
                                        {{{"mehta", Mehta}, {"quinlan_rivest", QuinlanRivest}}});
}

thriftwood::TestBits test_bits(const std::string& word) {
  using enum thriftwood::TestBits;
  return choose<thriftwood::TestBits, 2>(word, "test_bits", {{{"choices", Choices}, {"sliq", Sliq}}});
}

thriftwood::MdlSettings mdl_settings(const std::string& code, const std::string& encoding,
                                     const std::string& bits) {
  using enum thriftwood::MdlEncoding;
  return {mdl_code(code),
          choose<thriftwood::MdlEncoding, 3>(encoding, "encoding",
                                             {{{"full", Full}, {"partial", Partial}, {"hybrid", Hybrid}}}),
          test_bits(bits)};
}

PyCut pessimistic_cut(double cf, bool subtree_raising, const std::string& z, bool collapse,
                    bool drop_impossible) {
  return {thriftwood::PessimisticCut{{cf, subtree_raising, z_rule(z)}, collapse, drop_impossible}};
}

// Runs `work` without the GIL and makes a Python tree of what it returns.
template <class Work>
PyTree tree_from(Work&& work) {
  return interruptible([&] { return PyTree(work()); });
}

PyTree collapse(const PyTree& tree) {
  return tree_from([&] { return thriftwood::collapse(tree.tree()); });
}

PyTree drop_impossible_values(const PyTree& tree) {
  return tree_from([&] { return thriftwood::drop_impossible_values(tree.tree()); });
}

double extra_errors(double n, double e, double cf, const std::string& z) {
  return thriftwood::extra_errors(n, e, cf, z_rule(z));
}

std::tuple<PyTree, double> prune_pessimistic(const PyTree& tree, const PyTable& table,
                                             const InPacked<Index>& labels,
                                             const std::optional<InPacked<double>>& weights, double cf,
                                             bool subtree_raising, const std::string& z) {
  const thriftwood::PessimisticSettings settings{cf, subtree_raising, z_rule(z)};
  const thriftwood::Cases cases{table.table, span_of(labels, "labels"), span_of(weights, "weights")};
  thriftwood::PessimisticResult result = interruptible([&] { return thriftwood::prune_pessimistic(tree.tree(), cases, settings); });
  return {PyTree(std::move(result.tree)), result.estimated_errors};
}

std::tuple<OutVector<double>, OutVector<Index>, OutVector<double>, OutVector<double>> ccp_path(
    const PyTree& tree, const std::string& risk) {
  const auto measure = risk_measure(risk);
  std::vector<thriftwood::CcpStep> path;
  {
    const nb::gil_scoped_release unlocked;
    path = thriftwood::ccp_path(tree.tree(), measure);
  }
  std::vector<double> alphas, risks;
  std::vector<Index> leaves;
  for (const thriftwood::CcpStep& step : path) {
    alphas.push_back(step.alpha);
    leaves.push_back(step.leaves);
    risks.push_back(step.risk);
  }
  return {to_numpy(std::move(alphas)), to_numpy(std::move(leaves)), to_numpy(std::move(risks)),
          to_numpy(thriftwood::ccp_betas(path))};
}

PyTree prune_ccp(const PyTree& tree, double alpha, const std::string& risk) {
  const auto measure = risk_measure(risk);
  return tree_from([&] { return thriftwood::prune_ccp(tree.tree(), alpha, measure); });
}

std::size_t choose_one_se(const InPacked<Index>& leaves, const InPacked<double>& risks,
                          const InPacked<double>& errors, double standard_errors) {
  if (leaves.shape(0) != risks.shape(0) || leaves.shape(0) != errors.shape(0))
    throw InputError("leaves, risks and errors must be of one length, got " +
                     std::to_string(leaves.shape(0)) + ", " + std::to_string(risks.shape(0)) + " and " +
                     std::to_string(errors.shape(0)) + ".");
  const auto sizes = span_of(leaves, "leaves");
  const auto means = span_of(risks, "risks"), deviations = span_of(errors, "errors");
  std::vector<thriftwood::SizeEstimate> candidates;
  for (std::size_t i = 0; i < sizes.size(); ++i) candidates.push_back({sizes[i], means[i], deviations[i]});
  return thriftwood::choose_one_se(candidates, standard_errors);
}

PyTree prune_reduced_error(const PyTree& tree, const PyTable& table, const InPacked<Index>& labels,
                           const std::optional<InPacked<double>>& weights, const std::string& order,
                           const std::optional<InMatrix>& error_costs) {
  const auto how = prune_order(order);
  const thriftwood::Cases cases{table.table, span_of(labels, "labels"), span_of(weights, "weights")};
  const std::span<const double> costs = loss_of(error_costs, "error_costs", tree.tree().width);
  return tree_from([&] { return thriftwood::prune_reduced_error(tree.tree(), cases, how, costs); });
}

PyTree prune_reduced_error_numbers(const PyTree& tree, const PyTable& table, const InPacked<double>& targets,
                                   const std::optional<InPacked<double>>& weights, const std::string& order,
                                   const std::string& loss) {
  using enum thriftwood::NumberLoss;
  const auto how = prune_order(order);
  const auto measure =
      choose<thriftwood::NumberLoss, 2>(loss, "loss", {{{"squared", Squared}, {"absolute", Absolute}}});
  const thriftwood::NumberCases cases{table.table, span_of(targets, "targets"), span_of(weights, "weights")};
  return tree_from([&] { return thriftwood::prune_reduced_error(tree.tree(), cases, how, measure); });
}

PyTree cut_back(const PyTree& tree, const PyCut& cut, const PyTable& table, const InPacked<Index>& labels,
                const std::optional<InPacked<double>>& weights) {
  const thriftwood::Cases cases{table.table, span_of(labels, "labels"), span_of(weights, "weights")};
  return tree_from([&] { return thriftwood::cut_back(tree.tree(), cases, cut.rule); });
}

PyTree prune_pessimistic_counts(const PyTree& tree, double cf, const std::string& z) {
  const auto rule = z_rule(z);
  return tree_from([&] { return thriftwood::prune_pessimistic_counts(tree.tree(), cf, rule); });
}

PyTree prune_expected_cost(const PyTree& tree, const thriftwood::Prices* prices, const std::optional<InMatrix>& loss,
                        double cf, const std::string& z) {
  const auto costs = loss_of(loss, "loss", tree.tree().width);
  const auto rule = z_rule(z);
  return tree_from([&] { return thriftwood::prune_expected_cost(tree.tree(), prices, costs, cf, rule); });
}

double expected_cost(const PyTree& tree, const thriftwood::Prices* prices, const std::optional<InMatrix>& loss,
                  double cf, const std::string& z) {
  return thriftwood::expected_cost(tree.tree(), prices, loss_of(loss, "loss", tree.tree().width), cf, z_rule(z));
}

PyTree prune_expected_loss(const PyTree& tree, const std::optional<InMatrix>& loss, const std::optional<Smoothing>& smoothing) {
  const auto costs = loss_of(loss, "loss", tree.tree().width);
  return tree_from([&] { return thriftwood::prune_expected_loss(tree.tree(), costs, smoothing.value_or(Smoothing{})); });
}

PyTree relabel(const PyTree& tree, const std::optional<InMatrix>& loss,
               const std::optional<InPacked<double>>& class_scale, const std::optional<Smoothing>& smoothing) {
  const auto costs = loss_of(loss, "loss", tree.tree().width), factors = span_of(class_scale, "class_scale");
  return tree_from([&] {
    Tree fresh = tree.tree();
    thriftwood::relabel(fresh, costs, factors, smoothing.value_or(Smoothing{}));
    return fresh;
  });
}

PyTree recount(const PyTree& tree, const PyTable& table, const InPacked<Index>& labels, const InMatrix& costs, const InMatrix& loss,
               const std::optional<InPacked<double>>& weights, const std::optional<Smoothing>& smoothing) {
  const thriftwood::Cases cases{table.table, span_of(labels, "labels"), span_of(weights, "weights")};
  const Index width = tree.tree().width;
  const bool abstentions = loss.shape(0) + 1 == static_cast<std::size_t>(width);  // the tree's last class is votes for no answer
  const auto entries = entries_of(costs), means = loss_of(std::optional(loss), "loss", abstentions ? width - 1 : width);
  return tree_from([&] {
    Tree fresh = tree.tree();
    thriftwood::recount(fresh, cases, entries, means, smoothing.value_or(Smoothing{}));
    return fresh;
  });
}

PyTree recount_ended(const PyTree& tree, const InMatrix& ended, const InMatrix& loss, const std::optional<Smoothing>& smoothing, std::size_t cases) {
  const auto means = loss_of(std::optional(loss), "loss", tree.tree().width);
  return tree_from([&] {
    Tree fresh = tree.tree();
    thriftwood::recount_ended(fresh, entries_of(ended), means, smoothing.value_or(Smoothing{}));
    fresh.cases = cases == 0 ? 0 : thriftwood::weighted_cases(cases, fresh.nodes.front().weight);
    return fresh;
  });
}

}  // namespace

void bind_pruning(nb::module_& m) {
  const auto labels = nb::arg("labels").noconvert();
  const auto weights = nb::arg("weights").noconvert() = nb::none();

  nb::class_<Smoothing>(m, "Smoothing", "What is added to the class weights of a node before their shares are taken.")
      .def(nb::init<bool, double>(), "laplace"_a = false, "m"_a = 0.0,
           "laplace: 1 for each class. m: so much in all, in proportion to the classes at the root.")
      .def_ro("laplace", &Smoothing::laplace)
      .def_ro("m", &Smoothing::m);
  m.def("collapse", &collapse, "tree"_a,
        "C4.5's first tidying: splits that save no training error become leaves.");
  m.def("drop_impossible_values", &drop_impossible_values, "tree"_a,
        "Takes out of last branches the categories that a test above has sent elsewhere; drops last branches "
        "left empty.");
  m.def("extra_errors", &extra_errors, "n"_a, "e"_a, "cf"_a = 0.25, "z"_a = "table",
        "How many errors beyond e to expect from a leaf with e errors on n training cases.");
  m.def("prune_pessimistic", &prune_pessimistic, "tree"_a, "table"_a, labels, weights, "cf"_a = 0.25,
        "subtree_raising"_a = true, "z"_a = "table",
        "C4.5's pruning. Returns the tree and its expected number of errors. z: 'table' or 'exact'.");
  m.def("ccp_path", &ccp_path, "tree"_a, "risk"_a = "loss",
        "(alphas, leaves, risks, betas) of the nested trees of cost-complexity pruning. risk: 'loss' or "
        "'impurity'.");
  m.def("prune_ccp", &prune_ccp, "tree"_a, "alpha"_a, "risk"_a = "loss",
        "The smallest subtree with the least risk + alpha * leaves.");
  m.def("choose_one_se", &choose_one_se, nb::arg("leaves").noconvert(), nb::arg("risks").noconvert(),
        nb::arg("errors").noconvert(), "standard_errors"_a = 1.0,
        "The number of the smallest tree within some standard errors of the smallest risk.");
  m.def("prune_reduced_error", &prune_reduced_error, "tree"_a, "table"_a, labels, weights,
        "order"_a = "greedy", nb::arg("error_costs").noconvert() = nb::none(),
        "Cuts what does not help on validation cases. order: 'greedy' or 'bottom_up'; error_costs: [actual, "
        "predicted].");
  m.def("prune_reduced_error_numbers", &prune_reduced_error_numbers, "tree"_a, "table"_a,
        nb::arg("targets").noconvert(), weights, "order"_a = "greedy", "loss"_a = "squared",
        "The same for a regression tree. loss: 'squared' or 'absolute'.");
  nb::class_<PyCut>(m, "Cut", "How a tree is cut back where it was grown; Cut() is not at all.")
      .def(nb::init<>())
      .def_static("pessimistic", &pessimistic_cut, "cf"_a = 0.25, "subtree_raising"_a = true, "z"_a = "table",
                  "collapse"_a = true, "drop_impossible"_a = false,
                  "C4.5's: `collapse` first, `drop_impossible` values last (for grouped categories).")
      .def_static(
          "mdl",
          [](const std::string& code, const std::string& encoding, const std::string& bits) {
            return PyCut{mdl_settings(code, encoding, bits)};
          },
          "code"_a = "mehta", "encoding"_a = "full", "test_bits"_a = "choices",
          "The subtree with the shortest description. code: 'mehta' or 'quinlan_rivest'; encoding: 'full', 'partial' or\n"
          "'hybrid'; test_bits: 'choices' or 'sliq'.");
  m.def("cut_back", &cut_back, "tree"_a, "cut"_a, "table"_a, labels, weights,
        "The tree, cut back with the cases it was grown on.");
  m.def("prune_pessimistic_counts", &prune_pessimistic_counts, "tree"_a, "cf"_a = 0.25, "z"_a = "table",
        "Pessimistic pruning without subtree raising, from what the nodes of the tree count.");
  m.def("prune_expected_cost", &prune_expected_cost, "tree"_a, "prices"_a.none() = nb::none(),
        nb::arg("loss").noconvert().none() = nb::none(), "cf"_a = 0.25, "z"_a = "table",
        "Cuts what costs more than it saves: tests and expected mistakes. loss: [actual, predicted].");
  m.def("expected_cost", &expected_cost, "tree"_a, "prices"_a.none() = nb::none(),
        nb::arg("loss").noconvert().none() = nb::none(), "cf"_a = 0.25, "z"_a = "table",
        "What the tests and the expected mistakes of the training cases cost, summed over cases.");
  m.def("prune_expected_loss", &prune_expected_loss, "tree"_a, nb::arg("loss").noconvert().none() = nb::none(),
        "smoothing"_a.none() = nb::none(),
        "Cuts where a leaf is expected to lose no more than the branches, by smoothed shares. loss: [actual, predicted].");
  m.def("relabel", &relabel, "tree"_a, nb::arg("loss").noconvert() = nb::none(),
        nb::arg("class_scale").noconvert() = nb::none(), "smoothing"_a.none() = nb::none(),
        "The tree with each node's answer, weight and risk by a loss matrix [actual, predicted] and factors "
        "per class; its shares smoothed.");
  m.def("recount", &recount, "tree"_a, "table"_a, labels, nb::arg("costs").noconvert(), nb::arg("loss").noconvert(), weights,
        "smoothing"_a.none() = nb::none(),
        "The tree with cases counted at its nodes, and the answers that cost those least. costs: one row per case, one column per\n"
        "answer; loss: what answers cost by class, for a case that ends at several nodes.");
  m.def("recount_ended", &recount_ended, "tree"_a, nb::arg("ended").noconvert(), nb::arg("loss").noconvert(), "smoothing"_a.none() = nb::none(),
        "cases"_a = 0,
        "The same from counts: ended[node, class] is the weight of the cases that end at the node, cases their number where weights differ.");
}
