#include "wire.hpp"

namespace thriftwood::face {

namespace {

class Numbers {
 public:
  explicit Numbers(std::span<const double> all) : all_(all) {}
  double next() {
    if (at_ >= all_.size()) throw InputError("A price list ends too early.");
    return all_[at_++];
  }
  Index whole() { return static_cast<Index>(next()); }
  void finish() const {
    if (at_ != all_.size()) throw InputError("A price list has numbers left over.");
  }

 private:
  std::span<const double> all_;
  std::size_t at_ = 0;
};

template <class Record, class... Member>
void put_fields(std::vector<double>& to, const std::vector<Record>& records, Member Record::*... members) {
  const auto put = [&](auto member) {
    for (const Record& record : records) to.push_back(static_cast<double>(record.*member));
  };
  (put(members), ...);
}

template <class Value>
void put(std::vector<double>& to, const std::vector<Value>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

}  // namespace

PriceList read_prices(std::span<const double> numbers, Index tests) {
  Numbers in(numbers);
  PriceList list;
  list.upfront = in.next() != 0.0;
  list.charge_missing = in.next() != 0.0;
  for (Index left = in.whole(); left > 0; --left) list.resource_price.push_back(in.next());
  list.needs_start.push_back(0);
  for (Index test = 0; test < tests; ++test) {
    list.price.push_back(in.next());
    list.group.push_back(in.whole());
    list.after.push_back(in.next());
    list.delayed.push_back(in.next() != 0.0);
    for (Index left = in.whole(); left > 0; --left) list.needs.push_back(in.whole());
    list.needs_start.push_back(static_cast<Index>(list.needs.size()));
  }
  in.finish();
  return list;
}

std::vector<double> written(const Tree& tree) {
  std::vector<double> to{static_cast<double>(tree.nodes.size()),
                         static_cast<double>(tree.width),
                         static_cast<double>(tree.cases),
                         static_cast<double>(tree.branch_map.size()),
                         static_cast<double>(tree.surrogates.size()),
                         static_cast<double>(tree.feature_values.size()),
                         static_cast<double>(tree.loss.size()),
                         static_cast<double>(tree.smoothing.size())};
  put_fields(to, tree.nodes, &Node::kind, &Node::feature, &Node::first_child, &Node::n_children, &Node::map_offset, &Node::missing_route,
             &Node::unseen_route, &Node::label, &Node::first_surrogate, &Node::n_surrogates, &Node::threshold, &Node::weight, &Node::impurity,
             &Node::gain, &Node::risk);
  put(to, tree.values);
  put(to, tree.branch_map);
  put_fields(to, tree.surrogates, &Surrogate::kind, &Surrogate::feature, &Surrogate::map_offset, &Surrogate::flipped, &Surrogate::threshold,
             &Surrogate::agreement, &Surrogate::adjusted);
  put(to, tree.feature_values);
  put(to, tree.loss);
  put(to, tree.smoothing);
  return to;
}

}  // namespace thriftwood::face
