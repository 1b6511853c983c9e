// A tree as a dict of arrays, one array per field: how a tree is looked at, pickled, compared and read back
// from a file. The lists of fields below are the only ones in the bindings.
#pragma once

#include "arrays.hpp"

// Calls visit(name, member, meaning) for every field of a node.
template <class Visit>
void each_node_field(Visit&& visit) {
  using thriftwood::Node;
  visit("kind", &Node::kind, "0 a leaf, 1 a threshold test, 2 a nominal test");
  visit("feature", &Node::feature, "the feature tested; -1 at a leaf");
  visit("first_child", &Node::first_child, "the first child; its siblings follow it");
  visit("n_children", &Node::n_children, "the number of children");
  visit("map_offset", &Node::map_offset, "nominal tests: where the node's categories begin in branch_map");
  visit("missing_route", &Node::missing_route, "where a missing value goes: a branch, -1 down all by weight, -2 stop here");
  visit("unseen_route", &Node::unseen_route, "where an unseen category goes; as missing_route");
  visit("label", &Node::label, "classification: the answer if the walk ends here");
  visit("first_surrogate", &Node::first_surrogate, "the first of the node's surrogates");
  visit("n_surrogates", &Node::n_surrogates, "the number of surrogates");
  visit("threshold", &Node::threshold, "threshold tests: numbers up to this one go to the first child");
  visit("weight", &Node::weight, "the training weight that reached the node");
  visit("impurity", &Node::impurity, "per unit of weight");
  visit("gain", &Node::gain, "what the split took from the impurity, per unit of weight; 0 at a leaf");
  visit("risk", &Node::risk, "the training loss if the walk ended here");
}

// Calls visit(name, member) for every field of a surrogate.
template <class Visit>
void each_surrogate_field(Visit&& visit) {
  using thriftwood::Surrogate;
  visit("kind", &Surrogate::kind);
  visit("feature", &Surrogate::feature);
  visit("map_offset", &Surrogate::map_offset);
  visit("flipped", &Surrogate::flipped);
  visit("threshold", &Surrogate::threshold);
  visit("agreement", &Surrogate::agreement);
  visit("adjusted", &Surrogate::adjusted);
}

// The type that numpy has for a field.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, thriftwood::NodeKind>, std::uint8_t, T>;

// One field of all records, looked at where it lies; `owner` is the Python object that keeps the records
// alive.
template <class Record, class T>
OutVector<const Stored<T>> field_view(const std::vector<Record>& records, T Record::* member, nb::handle owner) {
  static_assert(sizeof(Record) % sizeof(T) == 0, "a stride is a whole number of elements");
  static const Record none{};
  const Record& first = records.empty() ? none : records.front();
  return OutVector<const Stored<T>>(&(first.*member), {records.size()}, owner, {static_cast<std::int64_t>(sizeof(Record) / sizeof(T))});
}

// Views into the tree of the Python object `self`.
nb::dict surrogate_arrays(nb::handle_t<PyTree> self);
nb::dict to_arrays(nb::handle_t<PyTree> self);

// The inverse of to_arrays. Throws InputError for anything but a tree that can be walked safely.
thriftwood::Tree from_arrays(const nb::dict& arrays);

// Are the trees equal in every field, to the last bit?
bool identical(const thriftwood::Tree& a, const thriftwood::Tree& b);

// A number for hashing that identical trees share.
std::uint64_t digest(const thriftwood::Tree& tree);
