#include "revised.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "counted_offers.hpp"

namespace thriftwood {

namespace {

Index weight_of(std::span<const std::uint32_t> cell) { return static_cast<Index>(std::accumulate(cell.begin(), cell.end(), std::uint32_t{0})); }

}  // namespace

RevisedTree::RevisedTree(std::vector<Index> feature_values, Index classes, const Settings& growth, std::shared_ptr<const Prices> prices, bool discard)
    : kinds_(std::move(feature_values)), classes_(classes), growth_(growth), prices_(std::move(prices)), discard_(discard) {
  if (classes < 1 || kinds_.empty()) throw InputError("A tree has at least one feature and one class.");
  if (prices_ && prices_->tests() != static_cast<Index>(kinds_.size())) throw InputError("There must be a price for each feature.");
  growth_.prices = prices_.get();
  check_loss(growth_.loss, static_cast<std::size_t>(classes_));
  target_ = counted_target(classes_, growth_);
  bounds_gain_ =
      !growth_.asks_split_info && !growth_.asks_saving && (growth_.impurity == ImpurityName::Entropy || growth_.impurity == ImpurityName::Gini);
}

RevisedTree::~RevisedTree() = default;

Index RevisedTree::outcome(const Test& test, double value) const {
  if (std::isnan(value)) return missing_code;
  if (!nominal(test.feature)) return value <= test.at ? 0 : 1;
  return growth_.nominal == NominalTests::Multiway ? static_cast<Index>(value) : (value == test.at ? 0 : 1);
}

RevisedTree::Ptr RevisedTree::new_node() const {
  auto node = std::make_unique<Node>();
  const auto k = static_cast<std::size_t>(classes_);
  node->cell.assign(k, 0.0);
  node->counts.resize(kinds_.size());
  node->most_gain.assign(kinds_.size(), infinity);
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    node->counts[f].missing.assign(k, 0);
    if (kinds_[f] > 0) node->counts[f].cells.assign(static_cast<std::size_t>(kinds_[f]) * k, 0);
  }
  return node;
}

// What the classes of a node cost, in bits or by gini.
double RevisedTree::cost_of(const Node& node) const {
  return cell_cost(growth_.impurity, target_, node.cell, std::accumulate(node.cell.begin(), node.cell.end(), 0.0), false);
}

void RevisedTree::count(Node& node, std::span<const double> values, Index label, bool add) const {
  const auto k = static_cast<std::size_t>(classes_), c = static_cast<std::size_t>(label);
  const std::uint32_t step = add ? 1u : ~0u;
  const double before = bounds_gain_ ? cost_of(node) : 0.0;
  node.cell[c] += add ? 1.0 : -1.0;
  node.stale = true;
  const double weight = std::accumulate(node.cell.begin(), node.cell.end(), 2.0);
  const double loose = growth_.impurity == ImpurityName::Entropy ? std::log2(weight) + 2.0 : 2.0;
  const double tight = bounds_gain_ && add ? std::min(loose, cost_of(node) - before + 1e-9 * weight) : loose;
  for (std::size_t f = 0; f < kinds_.size(); ++f) node.most_gain[f] += weight_of(node.counts[f].missing) > 0 ? loose : tight;
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    Counts& counts = node.counts[f];
    if (std::isnan(values[f])) {
      counts.missing[c] += step;
    } else if (kinds_[f] > 0) {
      counts.cells[static_cast<std::size_t>(values[f]) * k + c] += step;
    } else {
      const auto found = std::lower_bound(counts.values.begin(), counts.values.end(), values[f]);
      const auto at = found - counts.values.begin();
      const auto cell = counts.cells.begin() + at * static_cast<std::ptrdiff_t>(k);
      if (found == counts.values.end() || *found != values[f]) {
        counts.values.insert(found, values[f]);
        counts.cells.insert(cell, k, 0)[label] = 1;
      } else {
        cell[label] += step;
        if (!add && weight_of({cell, k}) == 0) {
          counts.values.erase(found);
          counts.cells.erase(cell, cell + static_cast<std::ptrdiff_t>(k));
        }
      }
    }
  }
}

// Adds the counts of another node.
void RevisedTree::absorb(Node& node, const Node& other) const {
  const auto k = static_cast<std::size_t>(classes_);
  const auto sum = [](auto& own, const auto& theirs) { std::transform(own.begin(), own.end(), theirs.begin(), own.begin(), std::plus<>()); };
  sum(node.cell, other.cell);
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    Counts& own = node.counts[f];
    const Counts& theirs = other.counts[f];
    sum(own.missing, theirs.missing);
    if (kinds_[f] > 0) {
      sum(own.cells, theirs.cells);
      continue;
    }
    Counts merged;
    merged.values.reserve(own.values.size() + theirs.values.size());
    merged.cells.reserve(own.cells.size() + theirs.cells.size());
    const auto take = [&merged, k](const Counts& from, std::size_t i) {
      merged.values.push_back(from.values[i]);
      merged.cells.insert(merged.cells.end(), from.cells.begin() + static_cast<std::ptrdiff_t>(i * k),
                          from.cells.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
    };
    std::size_t i = 0, j = 0;
    while (i < own.values.size() || j < theirs.values.size()) {
      if (j == theirs.values.size() || (i < own.values.size() && own.values[i] < theirs.values[j])) {
        take(own, i++);
      } else if (i == own.values.size() || theirs.values[j] < own.values[i]) {
        take(theirs, j++);
      } else {
        take(own, i++);
        for (std::size_t c = 0; c < k; ++c) merged.cells[merged.cells.size() - k + c] += theirs.cells[j * k + c];
        ++j;
      }
    }
    own.values = std::move(merged.values);
    own.cells = std::move(merged.cells);
  }
}

RevisedTree::Ptr RevisedTree::leaf_of(std::vector<Case> cases) const {
  Ptr leaf = new_node();
  const auto k = static_cast<std::size_t>(classes_);
  for (const Case one : cases) leaf->cell[static_cast<std::size_t>(labels_[one])] += 1.0;
  std::vector<Case> order(cases);
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    Counts& counts = leaf->counts[f];
    if (kinds_[f] == 0)
      std::sort(order.begin(), order.end(), [&](Case a, Case b) {
        const double x = value(a, f), y = value(b, f);
        return std::isnan(y) ? !std::isnan(x) : x < y;
      });
    for (const Case one : order) {
      const double x = value(one, f);
      const auto c = static_cast<std::size_t>(labels_[one]);
      if (std::isnan(x)) {
        ++counts.missing[c];
      } else if (kinds_[f] > 0) {
        ++counts.cells[static_cast<std::size_t>(x) * k + c];
      } else {
        if (counts.values.empty() || counts.values.back() != x) {
          counts.values.push_back(x);
          counts.cells.resize(counts.cells.size() + k, 0);
        }
        ++counts.cells[counts.cells.size() - k + c];
      }
    }
  }
  leaf->cases = std::move(cases);
  return leaf;
}

void RevisedTree::add(std::span<const double> values, Index label) {
  if (values.size() != kinds_.size()) throw InputError("The tree knows " + std::to_string(kinds_.size()) + " features.");
  if (label < 0 || label >= classes_) throw InputError("There is no class " + std::to_string(label) + ".");
  for (std::size_t f = 0; f < kinds_.size(); ++f)
    if (kinds_[f] > 0 && !std::isnan(values[f]) && !(values[f] >= 0.0 && values[f] < kinds_[f])) throw InputError("There is no such category.");
  Case one = static_cast<Case>(labels_.size());
  if (free_.empty()) {
    values_.insert(values_.end(), values.begin(), values.end());
    labels_.push_back(label);
  } else {
    one = free_.back();
    free_.pop_back();
    std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(one * kinds_.size()));
    labels_[one] = label;
  }
  if (!root_) root_ = new_node();
  Node* node = root_.get();
  for (;;) {
    count(*node, values, label, true);
    if (node->test.feature < 0) break;
    const Index side = outcome(node->test, one);
    if (side == missing_code) break;
    auto child =
        std::lower_bound(node->children.begin(), node->children.end(), side, [](const auto& part, Index which) { return part.first < which; });
    if (child == node->children.end() || child->first != side) child = node->children.insert(child, {side, new_node()});
    node = child->second.get();
  }
  node->cases.push_back(one);
  last_ = one;
  if (discard_) settle();
}

bool RevisedTree::forget(std::span<const double> values, Index label) {
  if (discard_) throw InputError("A tree that discards subtrees cannot forget cases.");
  if (values.size() != kinds_.size()) throw InputError("The tree knows " + std::to_string(kinds_.size()) + " features.");
  const auto same = [&](Case one) {
    if (labels_[one] != label) return false;
    for (std::size_t f = 0; f < kinds_.size(); ++f)
      if (const double x = value(one, f); !(x == values[f] || (std::isnan(x) && std::isnan(values[f])))) return false;
    return true;
  };
  std::vector<Node*> path;
  for (Node* node = root_.get(); node != nullptr;) {
    path.push_back(node);
    const Index side = node->test.feature < 0 ? missing_code : outcome(node->test, values[static_cast<std::size_t>(node->test.feature)]);
    const auto child =
        std::find_if(node->children.begin(), node->children.end(), [side](const auto& part) { return side >= 0 && part.first == side; });
    node = child == node->children.end() ? nullptr : child->second.get();
    if (node == nullptr && side >= 0) return false;
  }
  if (path.empty()) return false;
  auto& lie = path.back()->cases;
  const auto found = std::find_if(lie.begin(), lie.end(), same);
  if (found == lie.end()) return false;
  free_.push_back(*found);
  labels_[*found] = -1;
  lie.erase(found);
  for (Node* node : path) count(*node, values, label, false);
  for (std::size_t i = path.size() - 1; i > 0; --i)  // nodes that have lost their last case go
    if (std::accumulate(path[i]->cell.begin(), path[i]->cell.end(), 0.0) <= 0.0)
      std::erase_if(path[i - 1]->children, [&](const auto& part) { return part.second.get() == path[i]; });
  if (cases() == 0) root_.reset();
  return true;
}

// Appends all cases of a subtree.
void RevisedTree::gather(const Node& node, std::vector<Case>& cases) const {
  cases.insert(cases.end(), node.cases.begin(), node.cases.end());
  for (const auto& [side, child] : node.children) gather(*child, cases);
}

RevisedTree::Parts RevisedTree::divided(const std::vector<Case>& cases, const Test& test) const {
  std::vector<std::pair<Index, Case>> sides;
  for (const Case one : cases) sides.emplace_back(outcome(test, one), one);
  std::stable_sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Parts parts;
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    std::vector<Case> own;
    for (end = begin; end < sides.size() && sides[end].first == sides[begin].first; ++end) own.push_back(sides[end].second);
    parts.emplace_back(sides[begin].first, leaf_of(std::move(own)));
  }
  return parts;
}

// Whether the counts say that all cases of a node have one outcome, and which.
bool RevisedTree::one_sided(const Node& node, const Test& test, Index& side) const {
  const Counts& counts = node.counts[static_cast<std::size_t>(test.feature)];
  const auto k = static_cast<std::size_t>(classes_);
  int sides = 0;
  const auto note = [&](Index found) {
    if (sides == 0 || side != found) ++sides;
    side = found;
  };
  if (weight_of(counts.missing) > 0) note(missing_code);
  if (!nominal(test.feature)) {
    if (!counts.values.empty()) {
      note(outcome(test, counts.values.front()));
      note(outcome(test, counts.values.back()));
    }
  } else {
    for (Index code = 0; code < kinds_[static_cast<std::size_t>(test.feature)] && sides < 2; ++code)
      if (weight_of({counts.cells.data() + static_cast<std::size_t>(code) * k, k}) > 0) note(outcome(test, static_cast<double>(code)));
  }
  return sides == 1;
}

RevisedTree::Parts RevisedTree::parted(Ptr node, const Test& test) {
  Index side = 0;
  Parts parts;
  if (one_sided(*node, test, side)) {
    parts.emplace_back(side, std::move(node));
    return parts;
  }
  if (node->test.feature < 0) return divided(node->cases, test);
  regroup(*node, test);  // children by the new test, each under the old one
  for (auto& part : node->children) parts.push_back(std::move(part));
  if (!node->cases.empty()) parts.insert(parts.begin(), {missing_code, leaf_of(std::move(node->cases))});
  return parts;
}

RevisedTree::Ptr RevisedTree::joined(const Test& test, Parts parts) {
  if (parts.size() == 1) return std::move(parts.front().second);  // the old test says nothing here
  Ptr node = new_node();
  node->test = test;
  for (auto& [side, part] : parts) {
    absorb(*node, *part);
    if (side == missing_code)
      gather(*part, node->cases);
    else
      node->children.emplace_back(side, std::move(part));
  }
  return node;
}

// Gives a node with a test another one, and its subtrees the places that follow.
void RevisedTree::regroup(Node& node, const Test& wanted) {
  const Test old = node.test;
  Parts below = std::move(node.children);
  if (!node.cases.empty()) below.insert(below.begin(), {missing_code, leaf_of(std::move(node.cases))});
  node.children.clear();
  node.cases.clear();
  std::vector<std::pair<Index, Parts>> sides;  // by the new outcome: the parts by the old one
  for (auto& [before, child] : below)
    for (auto& [after, part] : parted(std::move(child), wanted)) {
      auto place = std::lower_bound(sides.begin(), sides.end(), after, [](const auto& one, Index which) { return one.first < which; });
      if (place == sides.end() || place->first != after) place = sides.insert(place, {after, Parts{}});
      place->second.emplace_back(before, std::move(part));
    }
  node.test = wanted;
  for (auto& [after, parts] : sides) {
    Ptr part = joined(old, std::move(parts));
    if (after == missing_code)
      gather(*part, node.cases);
    else
      node.children.emplace_back(after, std::move(part));
  }
}

void RevisedTree::mark(Node& node) {
  node.stale = true;
  for (auto& [side, child] : node.children) mark(*child);
}

void RevisedTree::begin_anew(Node& node, const Test& wanted) const {
  node.test = wanted;
  node.children.clear();
  node.cases.clear();
  for (auto& [side, part] : divided({last_}, wanted)) {
    if (side == missing_code)
      node.cases = std::move(part->cases);
    else
      node.children.emplace_back(side, std::move(part));
  }
}

void RevisedTree::settle(Node& node, Path& path) {
  if (!node.stale) return;
  const Test wanted = best(node, path);
  if (!(wanted == node.test)) {
    ++changed_;
    if (discard_ && wanted.feature >= 0) {
      begin_anew(node, wanted);
    } else if (wanted.feature < 0) {
      std::vector<Case> all;
      gather(node, all);
      node.children.clear();
      node.cases = std::move(all);
      node.test = wanted;
    } else if (node.test.feature < 0) {
      Parts parts = divided(node.cases, wanted);
      node.cases.clear();
      node.test = wanted;
      for (auto& [side, part] : parts) {
        if (side == missing_code)
          node.cases = std::move(part->cases);
        else
          node.children.emplace_back(side, std::move(part));
      }
    } else {
      regroup(node, wanted);
      if (prices_ || growth_.max_depth > 0)
        for (auto& [side, child] : node.children) mark(*child);  // what is paid above them has changed, and how deep they lie
    }
  }
  node.stale = false;
  if (node.test.feature < 0) return;
  path.push_back(node.test.feature);
  for (auto& [side, child] : node.children) settle(*child, path);
  path.pop_back();
}

// Of whole numbers up to the number of cases; see Entropy::table.
void RevisedTree::know_logarithms() {
  if (growth_.impurity != ImpurityName::Entropy) return;
  for (std::size_t n = target_.x_log_x.size(); n <= cases(); ++n) target_.x_log_x.push_back(Entropy::plain(static_cast<double>(n)));
}

void RevisedTree::settle() {
  if (!root_ || !root_->stale) return;
  know_logarithms();
  Path path;
  settle(*root_, path);
}

}  // namespace thriftwood
