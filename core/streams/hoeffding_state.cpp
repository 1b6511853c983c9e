// What a Hoeffding tree has learnt as plain numbers, so that it can be stored and go on.
#include <algorithm>
#include <cmath>

#include "counted_offers.hpp"
#include "hoeffding.hpp"

namespace thriftwood {

namespace {

constexpr double version = 2.0;

// Gives numbers one by one; whatever is not there, not finite or not in its range is an error.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}

  double number() {
    if (at_ == numbers_.size() || !std::isfinite(numbers_[at_])) throw wrong();
    return numbers_[at_++];
  }
  template <class T>
  T whole(double low, double high) {
    const double value = number();
    if (!(value >= low && value <= high) || value != std::floor(value)) throw wrong();
    return static_cast<T>(value);
  }
  std::size_t left() const { return numbers_.size() - at_; }
  static InputError wrong() { return InputError("This is not the state of a Hoeffding tree with these settings."); }

 private:
  std::span<const double> numbers_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<double> HoeffdingTree::state() const {
  std::vector<double> numbers{version, static_cast<double>(classes_), static_cast<double>(features_.size()), cases_};
  const auto list = [&numbers](const auto& values) {
    numbers.push_back(static_cast<double>(values.size()));
    for (const auto value : values) numbers.push_back(static_cast<double>(value));
  };
  for (const Feature& feature : features_) {
    numbers.push_back(feature.codes);
    list(feature.binner.edges());
  }
  numbers.push_back(static_cast<double>(nodes_.size()));
  for (const Node& node : nodes_) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(node.feature), static_cast<double>(node.cut), node.gain, static_cast<double>(node.missing_route), node.seen,
                    node.asked, static_cast<double>(node.alternate), node.counts_cost, node.bayes_cost});
    list(node.branch_of);
    list(node.children);
    list(node.path);
    list(node.counts);
    list(node.cells);
    list(node.known);
    list(node.densities);
    numbers.push_back(node.window ? 1.0 : 0.0);
    if (node.window) node.window->write(numbers);
  }
  return numbers;
}

void HoeffdingTree::restore(std::span<const double> numbers) {
  constexpr double most = 2147483647.0;
  Reader in(numbers);
  if (in.number() != version || in.whole<Index>(1, most) != classes_ || in.whole<std::size_t>(0, most) != features_.size()) throw Reader::wrong();
  const double cases = in.whole<double>(0, 9e15);
  const auto list = [&in]<class T>(std::vector<T>& values, double low, double high) {
    values.resize(in.whole<std::size_t>(0, static_cast<double>(in.left())));
    for (T& value : values) value = std::is_floating_point_v<T> ? static_cast<T>(in.number()) : in.template whole<T>(low, high);
  };
  std::vector<Feature> features = features_;
  std::size_t codes_in_all = 0;
  for (Feature& feature : features) {
    feature.codes = in.whole<std::uint32_t>(0, most);
    std::vector<double> edges;
    list(edges, 0, 0);
    if (!std::is_sorted(edges.begin(), edges.end()) || edges.size() > 254) throw Reader::wrong();
    const std::size_t codes = feature.nominal ? features_[static_cast<std::size_t>(&feature - features.data())].codes : edges.size() + 1;
    if (feature.codes != codes) throw Reader::wrong();
    feature.binner = Binner(std::move(edges));
    feature.first = codes_in_all;
    codes_in_all += feature.codes + 1;
  }
  std::vector<Node> nodes(in.whole<std::size_t>(1, static_cast<double>(in.left())));
  const double last = static_cast<double>(nodes.size()) - 1.0, last_feature = static_cast<double>(features.size()) - 1.0;
  const auto k = static_cast<std::size_t>(classes_);
  std::vector<int> parents(nodes.size(), 0);
  Index leaves = 0;
  for (Node& node : nodes) {
    node.feature = in.whole<Index>(-1, last_feature);
    node.cut = in.whole<std::uint32_t>(0, most);
    node.gain = in.number();
    node.missing_route = in.whole<Index>(0, most);
    node.seen = in.number();
    node.asked = in.number();
    node.alternate = in.whole<Index>(-1, last);
    node.counts_cost = in.number();
    node.bayes_cost = in.number();
    list(node.branch_of, -1, most);
    list(node.children, 1, last);
    list(node.path, 0, last_feature);
    list(node.counts, 0, 0);
    list(node.cells, 0, 4294967295.0);
    list(node.known, 0, last_feature);
    list(node.densities, 0, 0);
    if (in.whole<int>(0, 1) == 1) {
      node.window.emplace(settings_.drift > 0.0 ? settings_.drift : 0.5);
      node.window->read([&in] { return in.number(); });
    }
    if (node.counts.empty()) {  // a place that is free
      if (node.feature >= 0 || !node.children.empty() || node.alternate >= 0 || !node.cells.empty() || !node.densities.empty()) throw Reader::wrong();
      continue;
    }
    const bool wanted = settings_.leaves != LeafAnswer::Counts && node.feature < 0;
    if (wanted ? !densities_.possible(node.densities) : !node.densities.empty()) throw Reader::wrong();
    if (node.counts.size() != k || (!node.cells.empty() && node.cells.size() != codes_in_all * k)) throw Reader::wrong();
    if (std::any_of(node.counts.begin(), node.counts.end(), [](double count) { return count < 0.0; })) throw Reader::wrong();
    for (const Index child : node.children) ++parents[static_cast<std::size_t>(child)];
    if (node.alternate >= 0) ++parents[static_cast<std::size_t>(node.alternate)];
    if (node.feature < 0) {
      if (!node.children.empty()) throw Reader::wrong();
      ++leaves;
      continue;
    }
    const Feature& feature = features[static_cast<std::size_t>(node.feature)];
    const auto branches = static_cast<Index>(node.children.size());
    node.kind = feature.nominal ? NodeKind::Nominal : NodeKind::Threshold;
    if (branches < 2 || node.missing_route >= branches) throw Reader::wrong();
    if (feature.nominal ? node.branch_of.size() != feature.codes : branches != 2 || node.cut >= feature.binner.edges().size()) throw Reader::wrong();
    if (std::any_of(node.branch_of.begin(), node.branch_of.end(), [branches](Index b) { return b >= branches; })) throw Reader::wrong();
    if (!feature.nominal) node.threshold = feature.binner.edges()[node.cut];
  }
  // One way to every node, from the root: no circles.
  std::vector<Index> open{0}, free;
  std::size_t reached = 0;
  if (nodes[0].counts.empty() || parents[0] != 0 || in.left() != 0) throw Reader::wrong();
  while (!open.empty()) {
    const Node& node = nodes[static_cast<std::size_t>(open.back())];
    if (node.counts.empty() || ++reached > nodes.size()) throw Reader::wrong();
    open.pop_back();
    open.insert(open.end(), node.children.begin(), node.children.end());
    if (node.alternate >= 0) open.push_back(node.alternate);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (parents[i] > 1) throw Reader::wrong();
    if (nodes[i].counts.empty()) free.push_back(static_cast<Index>(i));
  }
  if (reached + free.size() != nodes.size()) throw Reader::wrong();
  features_ = std::move(features);
  nodes_ = std::move(nodes);
  free_ = std::move(free);
  leaves_ = leaves;
  cases_ = cases;
  codes_in_all_ = codes_in_all;
}

}  // namespace thriftwood
