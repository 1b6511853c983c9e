// Rows: what a numeric feature offers at some of its cuts, evenly spread over the cases; for choosers that look at more than the best one.
#include <algorithm>

#include "rows.hpp"

namespace thriftwood {

namespace {

// A place between two neighbouring values.
struct Place {
  Cut cut;       // without its cost
  double size;   // of the cases below it
};

// Of places in order, so many, at even distances by the size of what lies below.
std::vector<Cut> spread(const std::vector<Place>& places, std::size_t most) {
  std::vector<Cut> chosen;
  if (places.size() <= most) {
    for (const Place& place : places) chosen.push_back(place.cut);
    return chosen;
  }
  const double first = places.front().size, step = (places.back().size - first) / static_cast<double>(most + 1);
  auto from = places.begin();
  for (std::size_t k = 1; k <= most && from != places.end(); ++k) {
    const double wanted = first + step * static_cast<double>(k);
    const auto found = std::find_if(from, places.end(), [wanted](const Place& place) { return place.size >= wanted; });
    if (found == places.end()) break;
    chosen.push_back(found->cut);
    from = found + 1;
  }
  return chosen;
}

}  // namespace

// Calls visit(cut) at every place between two neighbouring values that is not ruled out, in order; own.left is the cell below it.
template <class Visit>
void Rows::each_cut(const Part& part, std::size_t i, const Workspace& workspace, Workspace& own, const Visit& visit) const {
  const PreparedColumn& column = columns_[part.features[i]];
  own.left.assign(target_.width(), 0.0);
  Cut cut;
  cut.tried = 1;
  cut.constant = false;
  if (column.form == Form::Ordered) {
    const auto entries = order(part, i);
    const double* w = weights(part, workspace);
    const Column& values = table_.column(part.features[i]);
    for (std::uint32_t k = 0; k < entries.size(); ++k) {
      const Row row = entries[k] & row_mask;
      const bool apart = k > 0 && (entries[k] & new_value) != 0 &&
                         (settings_.min_gap == 0.0 || values.number(row) - values.number(entries[k - 1] & row_mask) > settings_.min_gap);
      cut.position = k;
      cut.left_weight = target_.weight_of(own.left);
      if (apart) visit(cut);
      target_.add(own.left, row, weight_at(w, row), nullptr);
    }
    return;
  }
  for (std::uint32_t code = 0; code < static_cast<std::uint32_t>(column.codes); ++code) {
    const Cell cell = own.categories.cell(code);
    if (target_.weight_of(cell) <= 0.0) continue;
    cut.next = code;
    cut.left_weight = target_.weight_of(own.left);
    const double gap = coded_gap(settings_);
    if (cut.position > 0 && (gap == 0.0 || column.low[code] - column.high[cut.position - 1] > gap)) visit(cut);
    for (std::size_t c = 0; c < own.left.size(); ++c) own.left[c] += cell[c];
    cut.position = code + 1;
  }
}

std::vector<Offer> Rows::cut_offers(const Part& part, const NodeView& node, std::size_t i, CutWindow window, const Workspace& workspace,
                                    Workspace& own) const {
  const auto cost_of = [&](Cell cell, double weight) { return cell_cost(settings_.impurity, target_, cell, weight, node.whole_weights); };
  own.known.assign(target_.width(), 0.0);
  if (columns_[part.features[i]].form == Form::Ordered) {
    const double* w = weights(part, workspace);
    for (Entry entry : order(part, i)) target_.add(own.known, entry & row_mask, weight_at(w, entry & row_mask), nullptr);
  } else {
    count(part, i, workspace, own);
    for (std::size_t c = 0; c < own.categories.categories(); ++c)
      for (std::size_t j = 0; j < own.known.size(); ++j) own.known[j] += own.categories.cell(c)[j];
  }
  const std::vector<double> known = own.known;
  const double known_weight = target_.weight_of(known), known_size = target_.size_of(known, known_weight);
  const double least = least_side(node, known_weight) - target_.size_slack();
  std::vector<Place> places;
  each_cut(part, i, workspace, own, [&](const Cut& cut) {
    const double size = target_.size_of(own.left, cut.left_weight);
    if (cut.position > window.after && cut.position < window.before && size >= least && known_size - size >= least) places.push_back({cut, size});
  });
  std::vector<Cut> chosen = spread(places, window.most);
  std::vector<double> missing = node.summary.cell, right(known.size());
  for (std::size_t c = 0; c < missing.size(); ++c) missing[c] -= known[c];
  const double missing_weight = std::max(0.0, node.summary.weight - known_weight);
  const double known_cost = cost_of(known, known_weight), missing_cost = missing_weight > 0.0 ? cost_of(missing, missing_weight) : 0.0;
  std::vector<Offer> offers;
  auto next = chosen.begin();
  each_cut(part, i, workspace, own, [&](const Cut& at) {
    if (next == chosen.end() || at.position != next->position) return;
    for (std::size_t c = 0; c < right.size(); ++c) right[c] = known[c] - own.left[c];
    next->cost = cost_of(own.left, at.left_weight) + cost_of(right, known_weight - at.left_weight);
    Offer offer = numeric_offer(node, part.features[i], *next++, known, known_cost, known_weight, missing_cost, own.left);
    offer.has_missing = missing_weight > tie_tolerance * node.summary.weight;
    if (offer.admissible) offers.push_back(offer);
  });
  return offers;
}

}  // namespace thriftwood
