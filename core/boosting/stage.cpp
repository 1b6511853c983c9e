#include "stage.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace thriftwood {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class StageGrower {
 public:
  StageGrower(const StageInput& input, std::vector<Row>& rows, CasePrices& prices, const BoostSettings& settings, ThreadPool& pool)
      : input_(input), rows_(rows), prices_(prices), settings_(settings), pool_(pool), width_(2 * input.classes + 1) {
    for (int worker = 0; worker < pool.size(); ++worker) cutters_.emplace_back(input.coded, input.classes, settings.l2, settings.min_leaf_weight);
    tree_.width = static_cast<Index>(input.classes);
    tree_.regression = true;
    for (const Column& column : input.coded.table.columns) tree_.feature_values.push_back(column.values);
  }

  Tree grow() {
    open_root();
    for (Index leaves = 1; leaves < settings_.max_leaves; ++leaves) {
      const auto best = std::max_element(open_.begin(), open_.end(), [](const Leaf& a, const Leaf& b) { return a.net < b.net; });
      if (best->net <= 0.0) break;
      Leaf leaf = std::move(*best);
      open_.erase(best);
      divide(std::move(leaf));
    }
    return compact(tree_);
  }

 private:
  struct Leaf {
    Index node = 0, depth = 0;
    std::size_t begin = 0, end = 0;  // of its rows
    std::vector<double> total;
    std::unique_ptr<Sums> sums;
    StageCut cut;
    double net = 0.0;  // what the cut gains beyond its price

    std::size_t size() const { return end - begin; }
  };

  std::span<const Row> rows_of(const Leaf& leaf) const { return std::span<const Row>(rows_).subspan(leaf.begin, leaf.size()); }

  template <class Work>
  void each_feature(std::size_t rows, const Work& work) {
    constexpr std::size_t enough = 4096;  // rows from which on the work outweighs handing it out
    if (rows < enough || pool_.size() == 1)
      for (const Index feature : input_.features) {
        poll(rows);
        work(feature, 0);
      }
    else
      pool_.run(input_.features.size(), [&](std::size_t i, int worker) { work(input_.features[i], worker); });
  }

  void add_node(Leaf& leaf) {
    leaf.total.assign(width_, 0.0);
    for (const Row row : rows_of(leaf))
      for (std::size_t j = 0; j < width_; ++j) leaf.total[j] += input_.terms[row * width_ + j];
    leaf.node = tree_.size();
    tree_.nodes.emplace_back();
    tree_.nodes.back().weight = leaf.total[0];
    for (std::size_t k = 1; k <= input_.classes; ++k)
      tree_.values.push_back(-settings_.learning_rate * leaf.total[k] / (leaf.total[k + input_.classes] + settings_.l2));
  }

  void open_root() {
    Leaf leaf;
    leaf.end = rows_.size();
    leaf.sums = std::make_unique<Sums>(input_.coded, width_);
    add_node(leaf);
    each_feature(rows_.size(), [&](Index feature, int) { leaf.sums->add(feature, rows_, input_.terms); });
    search(leaf);
    open_.push_back(std::move(leaf));
  }

  // What the cases of the leaf pay for each test, all together.
  std::vector<double> prices_at(const Leaf& leaf) const {
    std::vector<double> sums(input_.coded.features(), 0.0);
    if (prices_.free() || input_.cost_weight == 0.0) return sums;
    const auto add = [&](double weight, std::span<const double> prices) {
      for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += weight * prices[f];
    };
    if (prices_.upfront())
      add(input_.all_weight, prices_.of(0));
    else
      for (const Row row : rows_of(leaf))
        if (input_.sure[row] == 0) add(input_.terms[row * width_], prices_.of(row));
    return sums;
  }

  void search(Leaf& leaf) {
    leaf.cut = {};
    leaf.net = 0.0;
    if (leaf.depth >= settings_.max_depth || leaf.total[0] < 2.0 * settings_.min_leaf_weight) return;
    const std::vector<double> price = prices_at(leaf);
    std::vector<StageCut> cuts(input_.coded.features());
    each_feature(leaf.size(), [&](Index feature, int worker) {
      cuts[at(feature)] = cutters_[static_cast<std::size_t>(worker)].best(feature, *leaf.sums, leaf.total);
    });
    for (const Index feature : input_.features) {
      StageCut& cut = cuts[at(feature)];
      if (cut.feature < 0) continue;
      cut.price = price[at(feature)];
      const double net = cut.gain - input_.cost_weight * cut.price;
      if (!clearly_greater(net, leaf.net)) continue;
      leaf.net = net;
      leaf.cut = std::move(cut);
    }
  }

  bool goes_second(const StageCut& cut, Row row) const {
    const Index code = input_.coded.code(cut.feature, row);
    const PreparedColumn& column = input_.coded.columns[cut.feature];
    if (code == column.codes) return cut.missing_second;
    return column.nominal ? cut.second[at(code)] != 0 : code > cut.last_code;
  }

  void write_test(Node& node, const StageCut& cut) {
    const PreparedColumn& column = input_.coded.columns[cut.feature];
    node.kind = column.nominal ? NodeKind::Nominal : NodeKind::Threshold;
    node.feature = cut.feature;
    node.n_children = 2;
    node.missing_route = node.unseen_route = cut.missing_second ? 1 : 0;
    node.gain = cut.gain / node.weight;
    if (column.nominal) {
      node.map_offset = static_cast<Index>(tree_.branch_map.size());
      tree_.branch_map.insert(tree_.branch_map.end(), cut.second.begin(), cut.second.end());
    } else {  // behind the last code: every number goes to branch 0, and what is missing to branch 1
      node.threshold = std::min(column.high[at(cut.last_code)], std::numeric_limits<double>::max());
    }
  }

  void divide(Leaf leaf) {
    const StageCut cut = std::move(leaf.cut);
    write_test(tree_.node(leaf.node), cut);
    for (const Row row : rows_of(leaf))
      if (input_.sure[row] == 0) prices_.buy(row, cut.feature);
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(leaf.begin);
    const auto middle =
        std::stable_partition(first, first + static_cast<std::ptrdiff_t>(leaf.size()), [&](Row row) { return !goes_second(cut, row); });
    std::array<Leaf, 2> children;
    children[0].begin = leaf.begin;
    children[0].end = children[1].begin = static_cast<std::size_t>(middle - rows_.begin());
    children[1].end = leaf.end;
    tree_.node(leaf.node).first_child = tree_.size();
    for (Leaf& child : children) {
      child.depth = leaf.depth + 1;
      add_node(child);
    }
    share_sums(std::move(leaf.sums), children);
    if (prices_.upfront() && cut.price > 0.0)
      for (Leaf& other : open_) search(other);  // what was bought for this leaf is free for the others
    for (Leaf& child : children) {
      search(child);
      open_.push_back(std::move(child));
    }
  }

  // The sums of the smaller child are added up, those of the larger are what remains.
  void share_sums(std::unique_ptr<Sums> all, std::array<Leaf, 2>& children) {
    const std::size_t less = children[1].size() < children[0].size() ? 1 : 0;
    Leaf &smaller = children[less], &larger = children[1 - less];
    smaller.sums = std::make_unique<Sums>(input_.coded, width_);
    larger.sums = std::move(all);
    each_feature(smaller.size(), [&](Index feature, int) {
      smaller.sums->add(feature, rows_of(smaller), input_.terms);
      larger.sums->subtract(feature, *smaller.sums);
    });
  }

  const StageInput& input_;
  std::vector<Row>& rows_;
  CasePrices& prices_;
  const BoostSettings& settings_;
  ThreadPool& pool_;
  std::size_t width_;
  std::vector<Cutter> cutters_;
  std::vector<Leaf> open_;
  Tree tree_;
};

}  // namespace

Tree grow_stage(const StageInput& input, std::vector<Row>& rows, CasePrices& prices, const BoostSettings& settings, ThreadPool& pool) {
  return StageGrower(input, rows, prices, settings, pool).grow();
}

}  // namespace thriftwood
