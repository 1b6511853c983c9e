#include "predict.hpp"

#include <algorithm>
#include <array>

#include "../basics/thread_pool.hpp"
#include "answer.hpp"
#include "leaf_finder.hpp"
#include "walk.hpp"

namespace thriftwood {

namespace {

// Rows per task: enough work to outweigh handing it out, few enough that their leaf numbers stay in the
// nearest cache.
constexpr std::size_t block_rows = 4096;

template <class RowView>
void collect(const Tree& tree, const RowView& row, std::vector<Ending>& endings) {
  endings.clear();
  walk(tree, row, [&](Index node, double share) { endings.push_back({node, share}); });
}

}  // namespace

Predictor::Predictor(Tree tree) : tree_(std::move(tree)) {
  labels_.reserve(tree_.nodes.size());
  for (const Node& node : tree_.nodes) labels_.push_back(node.label);
}

void Predictor::check_fits(const Table& table) const {
  const auto wanted = tree_.feature_values.size();
  if (table.columns.size() != wanted)
    throw InputError("The table has " + std::to_string(table.columns.size()) + " features, the tree was grown on " + std::to_string(wanted) +
                     ". Pass the same columns as at fit.");
  for (std::size_t f = 0; f < wanted; ++f) {
    const bool nominal_tree = tree_.feature_values[f] > 0;
    const Column& column = table.columns[f];
    // A nominal column without any category is never tested, and the tree cannot tell it from a numeric one.
    if (column.nominal() ? nominal_tree || column.values == 0 : !nominal_tree) continue;
    throw InputError("Feature " + std::to_string(f) + " is " + (nominal_tree ? "nominal" : "numeric") + " in the tree but " +
                     (column.nominal() ? "nominal" : "numeric") + " in the table. Encode the table as at fit.");
  }
}

void Predictor::require_classes() const {
  if (tree_.regression) throw InputError("A regression tree has no classes: ask for its numbers.");
}

void Predictor::require_regression() const {
  if (!tree_.regression) throw InputError("A classification tree has no numbers: ask for its labels or class shares.");
  if (tree_.width != 1) throw InputError("A stage of a booster has several numbers per leaf: ask the booster.");
}

// Calls finish(row, endings) for every row. Each task writes only what belongs to its own rows.
template <class Finish>
void Predictor::each_row(const Table& table, int n_threads, const Finish& finish) const {
  check_fits(table);
  const LeafFinder leaves(tree_, table, table.rows);
  const std::size_t blocks = (table.rows + block_rows - 1) / block_rows;
  ThreadPool pool(blocks <= 1 ? 1 : n_threads);
  pool.run(blocks, [&](std::size_t block, int) {
    const std::size_t begin = block * block_rows;
    const std::size_t end = std::min(begin + block_rows, table.rows);
    std::array<Index, block_rows> reached;
    leaves.find(begin, end, reached.data());
    std::vector<Ending> endings;
    for (std::size_t row = begin; row < end; ++row) {
      const Index node = reached[row - begin];
      if (node != unwalked) {
        const Ending only{node, 1.0};
        finish(row, std::span<const Ending>(&only, 1));
        continue;
      }
      collect(tree_, TableRow{table, static_cast<Row>(row)}, endings);
      finish(row, std::span<const Ending>(endings));
    }
  });
}

void Predictor::put_class_shares(std::span<const Ending> endings, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Ending& ending : endings) each_share(tree_, ending.node, [&](std::size_t c, double share) { out[c] += ending.share * share; });
  // Parts of a case can add up to a little more than the whole, by rounding.
  for (double& share : out) share = std::min(share, 1.0);
}

Index Predictor::label(std::span<const Ending> endings) const {
  if (endings.size() == 1) return labels_[static_cast<std::size_t>(endings.front().node)];
  std::vector<double> shares(static_cast<std::size_t>(tree_.width));
  put_class_shares(endings, shares);
  return cheapest_answer(shares, tree_.loss);
}

double Predictor::number(std::span<const Ending> endings) const {
  if (endings.size() == 1) return tree_.value(endings.front().node).front();
  double sum = 0.0;
  double shares = 0.0;
  for (const Ending& ending : endings) {
    sum += ending.share * tree_.value(ending.node).front();
    shares += ending.share;
  }
  return sum / shares;
}

void Predictor::apply(const Table& table, int n_threads, std::span<Index> out) const {
  each_row(table, n_threads, [&](std::size_t row, std::span<const Ending> endings) {
    Ending best{0, 0.0};
    for (const Ending& ending : endings)
      if (ending.share > best.share || (ending.share == best.share && ending.node < best.node)) best = ending;
    out[row] = best.node;
  });
}

void Predictor::class_shares(const Table& table, int n_threads, std::span<double> out) const {
  require_classes();
  const auto width = static_cast<std::size_t>(tree_.width);
  each_row(table, n_threads, [&](std::size_t row, std::span<const Ending> endings) { put_class_shares(endings, out.subspan(row * width, width)); });
}

void Predictor::labels(const Table& table, int n_threads, std::span<Index> out) const {
  require_classes();
  each_row(table, n_threads, [&](std::size_t row, std::span<const Ending> endings) { out[row] = label(endings); });
}

void Predictor::numbers(const Table& table, int n_threads, std::span<double> out) const {
  require_regression();
  each_row(table, n_threads, [&](std::size_t row, std::span<const Ending> endings) { out[row] = number(endings); });
}

Paths Predictor::paths(const Table& table, int n_threads) const {
  std::vector<Index> parent(tree_.nodes.size(), -1);
  for (Index i = 0; i < tree_.size(); ++i)
    for (Index b = 0; b < tree_.node(i).n_children; ++b) parent[static_cast<std::size_t>(tree_.node(i).first_child + b)] = i;

  // An ending's ancestors are exactly the nodes visited on the way to it.
  std::vector<std::vector<Index>> visited((table.rows + block_rows - 1) / block_rows);
  Paths paths;
  paths.starts.resize(table.rows + 1, 0);
  each_row(table, n_threads, [&](std::size_t row, std::span<const Ending> endings) {
    std::vector<Index>& nodes = visited[row / block_rows];
    const auto before = static_cast<std::ptrdiff_t>(nodes.size());
    for (const Ending& ending : endings)
      for (Index node = ending.node; node >= 0; node = parent[static_cast<std::size_t>(node)]) nodes.push_back(node);
    std::sort(nodes.begin() + before, nodes.end());
    nodes.erase(std::unique(nodes.begin() + before, nodes.end()), nodes.end());
    paths.starts[row + 1] = static_cast<std::int64_t>(nodes.size()) - before;
  });
  for (std::size_t row = 0; row < table.rows; ++row) paths.starts[row + 1] += paths.starts[row];
  paths.nodes.reserve(static_cast<std::size_t>(paths.starts.back()));
  for (const auto& nodes : visited) paths.nodes.insert(paths.nodes.end(), nodes.begin(), nodes.end());
  return paths;
}

Index Predictor::label_of(const TableRow& row, std::span<double> shares) const {
  std::vector<Ending> endings;
  collect(tree_, row, endings);
  put_class_shares(endings, shares);
  return label(endings);
}

template <class Float>
Index Predictor::label_of(const ArrayRow<Float>& row) const {
  std::vector<Ending> endings;
  collect(tree_, row, endings);
  return label(endings);
}

template <class Float>
double Predictor::number_of(const ArrayRow<Float>& row) const {
  std::vector<Ending> endings;
  collect(tree_, row, endings);
  return number(endings);
}

template Index Predictor::label_of(const ArrayRow<float>&) const;
template Index Predictor::label_of(const ArrayRow<double>&) const;
template double Predictor::number_of(const ArrayRow<float>&) const;
template double Predictor::number_of(const ArrayRow<double>&) const;

}  // namespace thriftwood
