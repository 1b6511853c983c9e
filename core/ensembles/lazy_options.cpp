#include "lazy_options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../basics/random.hpp"
#include "../basics/thread_pool.hpp"
#include "../splitting/binning.hpp"

namespace thriftwood {

namespace {

constexpr double least_gain = 1e-9;  // rounding may make less
constexpr double none = -infinity;   // the merit of no test
constexpr int most_cuts = 254;       // bins are numbered by a byte

// The columns of the training table as codes: categories, or the bins between a number's cuts. -1: not known.
class Codes {
 public:
  Codes(const Table& training, int cuts) : rows_(training.rows) {
    for (const Column& column : training.columns) {
      binners_.emplace_back(column.nominal() ? std::vector<double>{} : quantile_edges(sorted_numbers(column), cuts + 1));
      std::vector<Index> codes(rows_);
      for (Row row = 0; row < rows_; ++row) codes[row] = code(column, binners_.size() - 1, row);
      codes_.push_back(std::move(codes));
      nominal_.push_back(column.nominal());
    }
  }

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return codes_.size(); }
  bool nominal(std::size_t feature) const { return nominal_[feature]; }
  std::size_t cuts(std::size_t feature) const { return binners_[feature].edges().size(); }
  const std::vector<Index>& of(std::size_t feature) const { return codes_[feature]; }

  // A row of another table of the same columns.
  void read(const Table& cases, Row row, std::vector<Index>& values) const {
    values.resize(features());
    for (std::size_t f = 0; f < features(); ++f) values[f] = code(cases.columns[f], f, row);
  }

 private:
  Index code(const Column& column, std::size_t feature, Row row) const {
    if (column.nominal()) return std::max(column.code(row), missing_code);
    const double number = column.number(row);
    return std::isnan(number) ? missing_code : static_cast<Index>(binners_[feature].bin(number));
  }

  std::vector<double> sorted_numbers(const Column& column) const {
    std::vector<double> numbers;
    for (Row row = 0; row < rows_; ++row)
      if (const double number = column.number(row); !std::isnan(number)) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  std::size_t rows_;
  std::vector<Binner> binners_;
  std::vector<std::vector<Index>> codes_;
  std::vector<bool> nominal_;
};

// A test from the case's point of view: who agrees has a code from `low` to `high`.
struct Option {
  std::size_t feature = 0;
  Index low = 0, high = 0;
  double gain = 0.0;
};

// A training row that agrees with the case, and what is asked of it most.
struct Agreeing {
  Row row;
  Index label;
  double weight;

  bool operator==(const Agreeing&) const = default;
};

struct Node {
  std::size_t first = 0, size = 0;  // its rows
  Key key = 0;                      // of the set of its rows
  int depth = 0;
  std::size_t first_below = 0, n_below = 0;  // where its options lead; none: a leaf
};

// Grows the tree of one case and one bag. A workspace: one for each thread.
class LazyTree {
 public:
  LazyTree(const Codes& codes, std::span<const Index> labels, std::size_t classes, const LazySettings& settings)
      : codes_(codes), labels_(labels), settings_(settings), weights_(classes), scale_(classes), side_(classes) {}

  // Adds what the tree answers to `shares`, and marks the features that its options test.
  void answer(std::span<const std::uint32_t> bag, const std::vector<Index>& values, std::span<double> shares, std::span<std::uint8_t> asked) {
    bag_ = bag;
    plant();
    while (log_.size() <= total_) log_.push_back(std::log2(static_cast<double>(log_.size())));
    for (std::size_t n = 0; n < nodes_.size(); ++n) expand(n, values, asked);
    put_answer(shares);
  }

 private:
  void plant() {
    rows_.clear();
    nodes_.clear();
    below_.clear();
    total_ = 0;
    Key key = 0;
    for (Row row = 0; row < codes_.rows(); ++row) {
      if (bag_[row] == 0) continue;
      rows_.push_back({row, labels_[row], static_cast<double>(bag_[row])});
      total_ += bag_[row];
      key += mixed(row + 1);
    }
    nodes_.push_back({0, rows_.size(), key, 0});
  }

  std::span<const Agreeing> rows_of(const Node& node) const { return std::span(rows_).subspan(node.first, node.size); }

  // The weight of each class at the node.
  void weigh(const Node& node) {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    for (const auto& [row, label, weight] : rows_of(node)) weights_[static_cast<std::size_t>(label)] += weight;
  }

  void expand(std::size_t number, const std::vector<Index>& values, std::span<std::uint8_t> asked) {
    const Node node = nodes_[number];
    weigh(node);
    double total = 0.0;
    present_ = 0;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      total += weights_[c];
      present_ += weights_[c] > 0.0;
      scale_[c] = weights_[c] > 0.0 ? 1.0 / weights_[c] : 0.0;
    }
    entropy_ = std::log2(present_);
    if (node.depth >= settings_.depth || total < 2.0 * settings_.min_weight || present_ < 2) return;
    options_.clear();
    for (std::size_t f = 0; f < codes_.features(); ++f)
      if (values[f] >= 0) offer(node, f, values[f]);
    const std::size_t first_below = below_.size();
    double best = 0.0;
    for (int i = 0; i < settings_.options; ++i) {
      const auto option = take_best();
      if (option.gain <= least_gain || option.gain < settings_.share * best) break;
      best = std::max(best, option.gain);
      const std::size_t child = below(node, option);
      if (child == nodes_.size()) break;  // there are as many nodes as may be
      asked[option.feature] = 1;
      below_.push_back(child);
    }
    nodes_[number].first_below = first_below;
    nodes_[number].n_below = below_.size() - first_below;
  }

  // The best of the options left, taken out; of equal ones that of the lowest feature.
  Option take_best() {
    Option* best = nullptr;
    for (Option& option : options_)
      if (best == nullptr || clearly_greater(option.gain, best->gain)) best = &option;
    return best == nullptr ? Option{} : std::exchange(*best, Option{});
  }

  // Adds the feature's best test to the options.
  void offer(const Node& node, std::size_t feature, Index value) {
    const std::vector<Index>& codes = codes_.of(feature);
    const std::size_t k = weights_.size();
    if (codes_.nominal(feature)) {
      std::fill(side_.begin(), side_.end(), 0.0);
      double others = 0.0;
      for (const auto& [row, label, weight] : rows_of(node)) {
        if (codes[row] == value)
          side_[static_cast<std::size_t>(label)] += weight;
        else if (codes[row] >= 0)
          others += weight;
      }
      if (const double found = merit(others); found > none) options_.push_back({feature, value, value, gain(found)});
      return;
    }
    const std::size_t bins = codes_.cuts(feature) + 1;
    if (bins < 2) return;
    counts_.assign(bins * k, 0.0);
    for (const auto& [row, label, weight] : rows_of(node))
      if (codes[row] >= 0) counts_[static_cast<std::size_t>(codes[row]) * k + static_cast<std::size_t>(label)] += weight;
    Option best{feature, 0, 0, none};
    // Cuts above the value, from the top down, and cuts below it, from the bottom up: on each way the side of the case gets smaller.
    const auto own = static_cast<std::size_t>(value);
    shrink(best, bins, own, true);
    shrink(best, bins, own, false);
    if (best.gain > none) options_.push_back({feature, best.low, best.high, gain(best.gain)});
  }

  // Puts the best cut on one side of the case's value into `best`, whose gain is a merit meanwhile.
  void shrink(Option& best, std::size_t bins, std::size_t own, bool from_above) {
    const std::size_t k = weights_.size();
    std::fill(side_.begin(), side_.end(), 0.0);
    for (std::size_t b = 0; b < bins; ++b)
      for (std::size_t c = 0; c < k; ++c) side_[c] += counts_[b * k + c];
    double others = 0.0;
    for (std::size_t step = 0; from_above ? bins - 1 - step > own : step < own; ++step) {
      const std::size_t b = from_above ? bins - 1 - step : step;
      double moved = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        moved += counts_[b * k + c];
        side_[c] -= counts_[b * k + c];
      }
      others += moved;
      if (moved == 0.0) continue;  // the same rows as with the cut before
      const double found = merit(others);
      if (!clearly_greater(found, best.gain)) continue;
      best.gain = found;
      best.low = from_above ? 0 : static_cast<Index>(b + 1);
      best.high = from_above ? static_cast<Index>(b) - 1 : static_cast<Index>(bins);
    }
  }

  // How good it is that `side_` agrees and `others` does not: the larger, the less mixed `side_` is. Of two classes the share of the
  // commoner one says that without a logarithm, and `gain` turns the best one into bits; of more, it is the gain itself.
  double merit(double others) const {
    double weight = 0.0, mass = 0.0, largest = 0.0;
    for (std::size_t c = 0; c < side_.size(); ++c) {
      weight += side_[c];
      const double share = side_[c] * scale_[c];
      mass += share;
      largest = std::max(largest, share);
    }
    if (others <= 0.0 || weight <= 0.0 || weight < settings_.min_weight) return none;
    if (present_ == 2) return largest / mass;
    double sum = 0.0;
    for (std::size_t c = 0; c < side_.size(); ++c)
      sum += side_[c] * scale_[c] * (log_[static_cast<std::size_t>(side_[c])] - log_[static_cast<std::size_t>(weights_[c])]);
    return entropy_ + sum / mass - std::log2(mass);
  }

  double gain(double merit) const {
    if (present_ > 2) return merit;
    const double other = 1.0 - merit;
    return 1.0 + merit * std::log2(merit) + (other > 0.0 ? other * std::log2(other) : 0.0);
  }

  // The node that an option leads to: one with these rows, or a new one; nodes_.size() if there may be no more.
  std::size_t below(const Node& node, const Option& option) {
    const std::vector<Index>& codes = codes_.of(option.feature);
    const std::size_t first = rows_.size();
    Key key = 0;
    for (std::size_t i = node.first; i < node.first + node.size; ++i) {
      const Agreeing agreeing = rows_[i];
      const Index code = codes[agreeing.row];
      if (code < option.low || code > option.high) continue;
      rows_.push_back(agreeing);
      key += mixed(agreeing.row + 1);
    }
    const Node child{first, rows_.size() - first, key, node.depth + 1};
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].key != key || !std::ranges::equal(rows_of(nodes_[n]), rows_of(child))) continue;
      rows_.resize(first);
      return n;
    }
    if (nodes_.size() >= static_cast<std::size_t>(settings_.max_nodes)) {
      rows_.resize(first);
      return nodes_.size();
    }
    nodes_.push_back(child);
    return nodes_.size() - 1;
  }

  // Options lead to fewer rows, so nodes of few rows are done first; the root has most.
  void put_answer(std::span<double> shares) {
    const std::size_t k = weights_.size();
    order_.resize(nodes_.size());
    for (std::size_t n = 0; n < order_.size(); ++n) order_[n] = n;
    std::ranges::stable_sort(order_, {}, [this](std::size_t n) { return nodes_[n].size; });
    answer_of_.assign(nodes_.size() * k, 0.0);
    for (std::size_t n : order_) {
      const Node& node = nodes_[n];
      const auto own = std::span(answer_of_).subspan(n * k, k);
      if (node.n_below == 0) {
        weigh(node);
        double total = 0.0;
        for (double weight : weights_) total += weight;
        for (std::size_t c = 0; c < k; ++c) own[c] = (weights_[c] + 1.0) / (total + static_cast<double>(k));
        continue;
      }
      for (std::size_t i = node.first_below; i < node.first_below + node.n_below; ++i)
        for (std::size_t c = 0; c < k; ++c) own[c] += answer_of_[below_[i] * k + c] / static_cast<double>(node.n_below);
    }
    for (std::size_t c = 0; c < k; ++c) shares[c] += answer_of_[c];
  }

  const Codes& codes_;
  std::span<const Index> labels_;
  const LazySettings& settings_;
  std::span<const std::uint32_t> bag_;
  std::vector<Agreeing> rows_;       // of one node after the other
  std::vector<Node> nodes_;          // the root first
  std::vector<std::size_t> below_;   // nodes that options lead to
  std::vector<Option> options_;      // of the node at hand
  std::vector<double> weights_, scale_, side_;  // by class: at the node, one over it, of those who agree
  std::vector<double> counts_;       // by bin and class
  std::vector<double> log_{0.0};     // of whole numbers, which weights are, to base 2; 0 stands for the log of 0, which is never added
  std::size_t total_ = 0;            // the weight of the bag
  int present_ = 0;                  // how many classes are at the node
  double entropy_ = 0.0;             // there, when all have the same mass
  std::vector<double> answer_of_;
  std::vector<std::size_t> order_;
};

void check(const Table& training, std::span<const Index> labels, Index classes, std::span<const std::uint32_t> bags, const Table& cases,
           const LazySettings& settings) {
  if (labels.size() != training.rows || training.rows == 0)
    throw InputError("There are " + std::to_string(labels.size()) + " labels for " + std::to_string(training.rows) + " rows; one each is needed.");
  for (Index label : labels)
    if (label < 0 || label >= classes)
      throw InputError("A label is " + std::to_string(label) + "; labels go from 0 to " + std::to_string(classes - 1) + ".");
  if (bags.empty() || bags.size() % training.rows != 0) throw InputError("Bags need a count for every training row.");
  if (cases.features() != training.features())
    throw InputError("The cases have " + std::to_string(cases.features()) + " features, the training table " + std::to_string(training.features()) +
                     ".");
  for (Index f = 0; f < cases.features(); ++f)
    if (cases.column(f).nominal() != training.column(f).nominal())
      throw InputError("Feature " + std::to_string(f) + " is nominal in one of the tables only.");
  if (settings.options < 1 || settings.depth < 0 || settings.max_nodes < 1 || settings.cuts < 1 || settings.cuts > most_cuts)
    throw InputError("options, max_nodes and cuts are at least 1, depth at least 0, and cuts at most " + std::to_string(most_cuts) + ".");
}

}  // namespace

LazyAnswers answer_lazily(const Table& training, std::span<const Index> labels, Index classes, std::span<const std::uint32_t> bags,
                          const Table& cases, const LazySettings& settings, int threads) {
  check(training, labels, classes, bags, cases, settings);
  const Codes codes(training, settings.cuts);
  const auto k = static_cast<std::size_t>(classes);
  const std::size_t n_bags = bags.size() / training.rows, features = codes.features();
  LazyAnswers answers{std::vector<double>(cases.rows * k), std::vector<std::uint8_t>(cases.rows * features)};
  ThreadPool pool(threads);
  std::vector<LazyTree> trees(static_cast<std::size_t>(pool.size()), LazyTree(codes, labels, k, settings));
  std::vector<std::vector<Index>> values(trees.size());
  pool.run(cases.rows, [&](std::size_t i, int worker) {
    const auto own = static_cast<std::size_t>(worker);
    const auto shares = std::span(answers.shares).subspan(i * k, k);
    codes.read(cases, static_cast<Row>(i), values[own]);
    poll(n_bags * training.rows);
    for (std::size_t b = 0; b < n_bags; ++b)
      trees[own].answer(bags.subspan(b * training.rows, training.rows), values[own], shares,
                        std::span(answers.asked).subspan(i * features, features));
    for (double& share : shares) share /= static_cast<double>(n_bags);
  });
  return answers;
}

}  // namespace thriftwood
