#include "tree_arrays.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

using thriftwood::Index;
using thriftwood::InputError;
using thriftwood::Node;
using thriftwood::Surrogate;
using thriftwood::Tree;

namespace {

template <class T>
constexpr const char* dtype_name() {
  if constexpr (std::is_same_v<T, double>)
    return "float64";
  else if constexpr (std::is_same_v<T, Index>)
    return "int32";
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else
    return "uint8";
}

// The entries of a dict from outside: each asked for once, and none left over.
class Entries {
 public:
  Entries(nb::dict entries, std::string where) : entries_(std::move(entries)), where_(std::move(where)) {}

  nb::object take(const char* name) {
    if (!entries_.contains(name)) throw InputError("Not a valid tree: " + where_ + " has no entry '" + name + "'.");
    taken_.insert(name);
    return entries_[name];
  }

  template <class T>
  InVector<T> vector(const char* name) {
    const nb::object entry = take(name);
    InVector<T> array;
    if (!nb::try_cast(entry, array, false)) wrong(name, std::string("a 1-D ") + dtype_name<T>() + " array", entry);
    require_aligned<T>(array.data(), std::string("'") + name + "'");
    if (array.shape(0) > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw InputError("Not a valid tree: '" + std::string(name) + "' of " + where_ + " is too long.");
    return array;
  }

  template <class T>
  std::vector<T> values(const char* name) {
    const auto array = vector<T>(name);
    std::vector<T> result;
    result.reserve(array.shape(0));
    for (std::size_t i = 0; i < array.shape(0); ++i) result.push_back(array(i));
    return result;
  }

  // Fills one field of all records; the first field read says how many there are.
  template <class Record, class T>
  void fill(std::vector<Record>& records, T Record::* member, const char* name) {
    const auto array = vector<Stored<T>>(name);
    if (taken_.size() == 1) records.resize(array.shape(0));
    if (array.shape(0) != records.size())
      throw InputError("Not a valid tree: '" + std::string(name) + "' of " + where_ + " has " + std::to_string(array.shape(0)) +
                       " entries, but there are " + std::to_string(records.size()) + " records.");
    for (std::size_t i = 0; i < records.size(); ++i) {
      if constexpr (std::is_same_v<T, bool>)  // numpy does not promise 0 or 1, C++ relies on it
        records[i].*member = *reinterpret_cast<const std::uint8_t*>(&array(i)) != 0;
      else
        records[i].*member = static_cast<T>(array(i));
    }
  }

  void finish() const {
    for (const auto& [key, value] : entries_)
      if (!nb::isinstance<nb::str>(key) || !taken_.contains(nb::borrow<nb::str>(key).c_str()))
        throw InputError("Not a valid tree: " + where_ + " has an unknown entry " + nb::repr(key).c_str() + ".");
  }

  [[noreturn]] void wrong(const char* name, const std::string& wanted, nb::handle got) const {
    throw InputError("Not a valid tree: '" + std::string(name) + "' of " + where_ + " must be " + wanted + ", got " + described(got) + ".");
  }

 private:
  nb::dict entries_;
  std::string where_;
  std::set<std::string, std::less<>> taken_;
};

void read_values(Entries& entries, Tree& tree) {
  const nb::object entry = entries.take("values");
  nb::ndarray<const double, nb::ndim<2>, nb::device::cpu> array;
  if (!nb::try_cast(entry, array, false) || array.shape(0) != tree.nodes.size() ||
      array.shape(1) > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    entries.wrong("values", "a 2-D float64 array with a row for each node", entry);
  require_aligned<double>(array.data(), "'values'");
  tree.width = static_cast<Index>(array.shape(1));
  tree.values.reserve(array.size());
  for (std::size_t i = 0; i < array.shape(0); ++i)
    for (std::size_t c = 0; c < array.shape(1); ++c) tree.values.push_back(array(i, c));
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
template <class T>
bool same_bits(T a, T b) {
  return a == b;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](T x, T y) { return same_bits(x, y); });
}

template <class Record, class T>
bool same_field(const std::vector<Record>& a, const std::vector<Record>& b, T Record::* member) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Record& x, const Record& y) { return same_bits(x.*member, y.*member); });
}

}  // namespace

nb::dict surrogate_arrays(nb::handle_t<PyTree> self) {
  const Tree& tree = nb::cast<const PyTree&>(self).tree();
  nb::dict arrays;
  each_surrogate_field([&](const char* name, auto member) { arrays[name] = nb::cast(field_view(tree.surrogates, member, self)); });
  return arrays;
}

nb::dict to_arrays(nb::handle_t<PyTree> self) {
  const Tree& tree = nb::cast<const PyTree&>(self).tree();
  nb::dict arrays;
  each_node_field([&](const char* name, auto member, const char*) { arrays[name] = nb::cast(field_view(tree.nodes, member, self)); });
  for (const char* name : {"values", "branch_map", "surrogates", "feature_values", "loss", "smoothing", "regression"}) arrays[name] = self.attr(name);
  if (tree.cases > 0) arrays["cases"] = tree.cases;
  return arrays;
}

Tree from_arrays(const nb::dict& arrays) {
  Tree tree;
  Entries entries(arrays, "the tree");
  each_node_field([&](const char* name, auto member, const char*) { entries.fill(tree.nodes, member, name); });
  read_values(entries, tree);
  tree.branch_map = entries.values<Index>("branch_map");
  tree.feature_values = entries.values<Index>("feature_values");
  tree.loss = entries.values<double>("loss");
  if (arrays.contains("smoothing")) tree.smoothing = entries.values<double>("smoothing");  // trees of earlier versions have none
  if (arrays.contains("cases")) {
    const nb::object cases = entries.take("cases");
    if (!nb::isinstance<nb::int_>(cases) || !nb::try_cast(cases, tree.cases, false)) entries.wrong("cases", "a whole number from 0", cases);
  }
  const nb::object regression = entries.take("regression");
  if (!nb::isinstance<nb::bool_>(regression)) entries.wrong("regression", "True or False", regression);
  tree.regression = nb::cast<bool>(regression);
  const nb::object surrogates = entries.take("surrogates");
  if (!nb::isinstance<nb::dict>(surrogates)) entries.wrong("surrogates", "a dict of arrays", surrogates);
  Entries surrogate_entries(nb::borrow<nb::dict>(surrogates), "the surrogates");
  each_surrogate_field([&](const char* name, auto member) { surrogate_entries.fill(tree.surrogates, member, name); });
  surrogate_entries.finish();
  entries.finish();
  thriftwood::validate(tree);
  return tree;
}

bool identical(const Tree& a, const Tree& b) {
  bool same = a.width == b.width && a.cases == b.cases && a.regression == b.regression && same_bits(a.values, b.values) &&
              a.branch_map == b.branch_map && a.feature_values == b.feature_values && same_bits(a.loss, b.loss) &&
              same_bits(a.smoothing, b.smoothing);
  each_node_field([&](const char*, auto member, const char*) { same = same && same_field(a.nodes, b.nodes, member); });
  each_surrogate_field([&](const char*, auto member) { same = same && same_field(a.surrogates, b.surrogates, member); });
  return same;
}

std::uint64_t digest(const Tree& tree) {
  std::uint64_t result = tree.nodes.size();
  for (const Node& node : tree.nodes)
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(node.feature), static_cast<std::uint64_t>(node.label), std::bit_cast<std::uint64_t>(node.threshold)})
      result = (result ^ part) * 0x9E3779B97F4A7C15u + (result >> 29);
  return result;
}
