#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../basics/loss.hpp"

namespace thriftwood {

Index Tree::leaves() const {
  return static_cast<Index>(std::count_if(nodes.begin(), nodes.end(), [](const Node& n) { return n.leaf(); }));
}

Index Tree::depth() const {
  std::vector<Index> depths(nodes.size(), 0);
  Index deepest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    deepest = std::max(deepest, depths[i]);
    for (Index b = 0; b < nodes[i].n_children; ++b) depths[static_cast<std::size_t>(nodes[i].first_child + b)] = depths[i] + 1;
  }
  return deepest;
}

void make_leaf(Node& node) {
  node.kind = NodeKind::Leaf;
  node.feature = -1;
  node.first_child = -1;
  node.n_children = 0;
  node.map_offset = -1;
  node.n_surrogates = 0;
  node.first_surrogate = 0;
  node.threshold = 0.0;
  node.gain = 0.0;
  node.missing_route = route_fractional;
  node.unseen_route = route_fractional;
}

namespace {

// Copies node `from` of the old tree to place `to` of the new one; children are placed later.
void copy_node(const Tree& old, Index from, Tree& fresh, Index to) {
  Node node = old.node(from);
  if (node.kind == NodeKind::Nominal) {
    const auto begin = old.branch_map.begin() + node.map_offset;
    node.map_offset = static_cast<Index>(fresh.branch_map.size());
    fresh.branch_map.insert(fresh.branch_map.end(), begin, begin + old.feature_values[static_cast<std::size_t>(node.feature)]);
  }
  const Index first = static_cast<Index>(fresh.surrogates.size());
  for (Index s = 0; s < node.n_surrogates; ++s) {
    Surrogate surrogate = old.surrogates[static_cast<std::size_t>(node.first_surrogate + s)];
    if (surrogate.kind == NodeKind::Nominal) {
      const auto begin = old.branch_map.begin() + surrogate.map_offset;
      surrogate.map_offset = static_cast<Index>(fresh.branch_map.size());
      fresh.branch_map.insert(fresh.branch_map.end(), begin, begin + old.feature_values[static_cast<std::size_t>(surrogate.feature)]);
    }
    fresh.surrogates.push_back(surrogate);
  }
  node.first_surrogate = node.n_surrogates > 0 ? first : 0;
  fresh.nodes[static_cast<std::size_t>(to)] = node;
  std::copy_n(old.value(from).begin(), old.width, fresh.value(to).begin());
}

}  // namespace

std::size_t weighted_cases(std::size_t cases, double weight) { return weight == static_cast<double>(cases) ? 0 : cases; }

std::size_t weighted_cases(std::span<const double> weights) {
  const auto cases = std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; });
  return weighted_cases(static_cast<std::size_t>(cases), std::accumulate(weights.begin(), weights.end(), 0.0));
}

Tree compact(const Tree& tree) {
  Tree fresh;
  fresh.width = tree.width;
  fresh.regression = tree.regression;
  fresh.feature_values = tree.feature_values;
  fresh.loss = tree.loss;
  fresh.smoothing = tree.smoothing;
  fresh.cases = tree.cases;
  auto grow_to = [&](std::size_t n) {
    fresh.nodes.resize(n);
    fresh.values.resize(n * static_cast<std::size_t>(tree.width));
  };
  fresh.nodes.reserve(tree.nodes.size());
  fresh.values.reserve(tree.values.size());
  grow_to(1);
  struct Move {
    Index from, to;
  };
  std::vector<Move> open{{0, 0}};
  while (!open.empty()) {
    const Move move = open.back();
    open.pop_back();
    copy_node(tree, move.from, fresh, move.to);
    const Node& old = tree.node(move.from);
    if (old.leaf()) continue;
    const Index first = fresh.size();
    fresh.node(move.to).first_child = first;
    grow_to(fresh.nodes.size() + static_cast<std::size_t>(old.n_children));
    for (Index b = old.n_children - 1; b >= 0; --b) open.push_back({old.first_child + b, first + b});
  }
  return fresh;
}

namespace {

class Checker {
 public:
  explicit Checker(const Tree& tree) : tree_(tree) {}

  void run() {
    require(tree_.width > 0, "the tree", "needs at least one value per node");
    require(!tree_.nodes.empty(), "the tree", "has no nodes");
    require(tree_.values.size() == tree_.nodes.size() * static_cast<std::size_t>(tree_.width), "the tree",
            "has a number of values that is not nodes times width");
    require(tree_.loss.empty() || (!tree_.regression && fits_classes(tree_.loss, static_cast<std::size_t>(tree_.width))), "the tree",
            "has a loss matrix of another size than its classes");
    for (double entry : tree_.loss) require(std::isfinite(entry), "the tree", "has a loss that is not finite");
    check_smoothing();
    for (Index count : tree_.feature_values) require(count >= 0, "the tree", "has a negative number of categories");
    for (double v : tree_.values)
      require(std::isfinite(v) && (tree_.regression || v >= 0.0), "the tree", "has a value that is negative or not finite");
    for (Index i = 0; i < tree_.size(); ++i) {
      double sum = 0.0;
      for (double v : tree_.value(i)) sum += v;
      for (double added : tree_.smoothing) sum += added;
      require(std::isfinite(sum), "the tree", "has a node whose values sum to more than a number can hold");
    }
    owned_.assign(tree_.surrogates.size(), false);
    std::vector<bool> reached(tree_.nodes.size(), false);
    reached[0] = true;
    for (Index i = 0; i < tree_.size(); ++i) {
      where_ = "node " + std::to_string(i);
      require(reached[static_cast<std::size_t>(i)], where_, "is not a child of any earlier node");
      check(tree_.node(i));
      check_children(i, reached);
    }
    for (bool owned : owned_) require(owned, "the tree", "has a surrogate that belongs to no node");
  }

 private:
  void check_smoothing() {
    require(tree_.smoothing.empty() || (!tree_.regression && tree_.smoothing.size() == static_cast<std::size_t>(tree_.width)), "the tree",
            "smooths another number of classes than it has");
    double sum = 0.0;
    for (double added : tree_.smoothing) {
      require(std::isfinite(added) && added >= 0.0, "the tree", "has a smoothing that is negative or not finite");
      sum += added;
    }
    require(tree_.smoothing.empty() || sum > 0.0, "the tree", "has a smoothing that adds nothing");
  }

  void check(const Node& n) {
    require(n.kind == NodeKind::Leaf || n.kind == NodeKind::Threshold || n.kind == NodeKind::Nominal, where_, "is of no known kind");
    require(std::isfinite(n.weight) && n.weight >= 0.0, where_, "has a weight that is negative or not finite");
    require(std::isfinite(n.impurity) && std::isfinite(n.gain) && std::isfinite(n.risk), where_, "has a number that is not finite");
    require(tree_.regression || (n.label >= 0 && n.label < tree_.answers()), where_, "has a label outside the classes and the other answers");
    if (n.leaf()) {
      require(n.n_children == 0 && n.first_child == -1 && n.n_surrogates == 0 && n.first_surrogate == 0 && n.feature == -1, where_,
              "is a leaf with a test");
      require(std::isfinite(n.threshold), where_, "has a threshold that is not finite");
      return;
    }
    check_test(n.kind, n.feature, n.map_offset, n.threshold, n.n_children);
    require(n.n_children >= 1 && (n.kind != NodeKind::Threshold || n.n_children == 2 || n.n_children == 3), where_, "has a wrong number of branches");
    for (Index route : {n.missing_route, n.unseen_route})
      require(route >= route_stop && route < n.n_children, where_, "sends missing values to a branch it does not have");
    require(n.n_surrogates >= 0 && n.first_surrogate >= 0, where_, "has a negative surrogate number");
    require(n.kind != NodeKind::Threshold || n.n_children == 2 || n.missing_route == 2, where_, "has a third branch that is not for missing values");
    require(n.n_surrogates == 0 || n.n_children == 2, where_, "has surrogates but not two branches");
    require(static_cast<std::size_t>(n.first_surrogate) + static_cast<std::size_t>(n.n_surrogates) <= tree_.surrogates.size(), where_,
            "has surrogates outside the list");
    for (Index s = 0; s < n.n_surrogates; ++s) {
      auto owned = owned_[static_cast<std::size_t>(n.first_surrogate + s)];
      require(!owned, where_, "shares a surrogate with another node");
      owned = true;
      const Surrogate& g = tree_.surrogates[static_cast<std::size_t>(n.first_surrogate + s)];
      require(g.kind == NodeKind::Threshold || g.kind == NodeKind::Nominal, where_, "has a surrogate of no known kind");
      require(std::isfinite(g.agreement) && std::isfinite(g.adjusted), where_, "has a surrogate with a number that is not finite");
      check_test(g.kind, g.feature, g.map_offset, g.threshold, 2);
    }
  }

  void check_test(NodeKind kind, Index feature, Index map_offset, double threshold, Index branches) {
    require(feature >= 0 && static_cast<std::size_t>(feature) < tree_.feature_values.size(), where_, "tests a feature that does not exist");
    const Index categories = tree_.feature_values[static_cast<std::size_t>(feature)];
    if (kind == NodeKind::Threshold) {
      require(categories == 0, where_, "compares a nominal feature with a number");
      require(std::isfinite(threshold), where_, "has a threshold that is not finite");
      return;
    }
    require(categories > 0, where_, "asks for categories of a numeric feature");
    require(map_offset >= 0 && static_cast<std::size_t>(map_offset) + static_cast<std::size_t>(categories) <= tree_.branch_map.size(), where_,
            "has categories outside the branch map");
    for (Index c = 0; c < categories; ++c) {
      const Index branch = tree_.branch_map[static_cast<std::size_t>(map_offset + c)];
      require(branch >= -1 && branch < branches, where_, "sends a category to a branch it does not have");
    }
  }

  void check_children(Index i, std::vector<bool>& reached) {
    const Node& n = tree_.node(i);
    if (n.leaf()) return;
    require(n.first_child > i && static_cast<std::size_t>(n.first_child) + static_cast<std::size_t>(n.n_children) <= tree_.nodes.size(), where_,
            "has children outside the tree");
    for (Index b = 0; b < n.n_children; ++b) {
      auto seen = reached[static_cast<std::size_t>(n.first_child + b)];
      require(!seen, where_, "shares a child with another node");
      seen = true;
    }
  }

  static void require(bool holds, const std::string& what, const char* fault) {
    if (!holds) throw InputError("Not a valid tree: " + what + " " + fault + ".");
  }

  const Tree& tree_;
  std::string where_;
  std::vector<bool> owned_;  // surrogates that a node named
};

}  // namespace

void validate(const Tree& tree) { Checker(tree).run(); }

}  // namespace thriftwood
