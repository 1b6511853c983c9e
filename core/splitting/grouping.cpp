#include "grouping.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thriftwood {

namespace {

constexpr double reasonable_weight = 1.0;  // a grouping has a gain if two blocks have one case or more, whatever min_branch_weight says
constexpr double pure_tolerance = 0.1;

struct Block {
  std::vector<Index> categories;
  std::vector<double> cell;
  double weight = 0.0;
  double cost = 0.0;
};

class Grouping {
 public:
  Grouping(const NominalSearch& search, const CategoryCells& cells) : search_(search), cells_(cells) {
    for (std::size_t c = 0; c < cells.categories(); ++c) {
      const Cell cell = cells.cell(c);
      const double weight = search.target.weight_of(cell);
      if (weight > 0.5) {
        blocks_.push_back({{static_cast<Index>(c)}, {cell.begin(), cell.end()}, weight, 0.0});
        blocks_.back().cost = cost_of(blocks_.back().cell, weight);
      } else {
        rest_.push_back(static_cast<Index>(c));
      }
      known_ += weight;
    }
    std::vector<double> all(cells.width, 0.0);
    for (std::size_t c = 0; c < cells.categories(); ++c)
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += cells.cell(c)[i];
    whole_cost_ = cost_of(all, known_);
    std::vector<double> rest_cell(cells.width, 0.0);
    for (Index c : rest_)
      for (std::size_t i = 0; i < rest_cell.size(); ++i) rest_cell[i] += cells.cell(static_cast<std::size_t>(c))[i];
    rest_weight_ = search.target.weight_of(rest_cell);
    rest_cost_ = cost_of(rest_cell, rest_weight_);
    joined_.resize(cells.width);
  }

  NominalTest run() {
    join_pure_blocks();
    add_up();
    const double first_gain = score(sums_).gain;
    double last_value = score(sums_).value;
    while (blocks_.size() > 2) {
      const double enough = search_.settings.min_branch_weight;  // here the true one: which blocks could stand as branches
      const auto reasonable =
          std::count_if(blocks_.begin(), blocks_.end(), [&](const Block& b) { return search_.target.size_of(b.cell, b.weight) >= enough; });
      const Join join = best_join(first_gain, last_value, reasonable);
      if (ratio() && reasonable >= 2 && (!join.found || join.value < last_value + 1e-5)) break;
      if (!join.found) break;
      merge(join.a, join.b);
      // The last block fills the gap. The order matters: best_join takes pairs in turn, and what wins depends on what won before.
      std::swap(blocks_[join.b], blocks_.back());
      blocks_.pop_back();
      add_up();
      last_value = join.value;
    }
    return result();
  }

 private:
  struct Score {
    double gain, value;
  };
  // Over all blocks and the rest; what joining two blocks would make of them takes no second look at the others.
  struct Sums {
    double cost = 0.0, bits = 0.0;  // bits: w log2 w
    std::ptrdiff_t reasonable = 0;
    void add(double weight, double weight_cost, double sign) {
      cost += sign * weight_cost;
      bits += sign * Entropy::plain(weight);
      if (weight >= reasonable_weight) reasonable += sign > 0.0 ? 1 : -1;
    }
  };
  struct Join {
    bool found = false;
    std::size_t a = 0, b = 0;
    double gain = -infinity, value = 0.0;
  };

  bool ratio() const { return search_.settings.by_ratio(); }

  double cost_of(Cell cell, double weight) const { return cell_cost(search_.settings.impurity, search_.target, cell, weight, search_.whole_weights); }

  void join_pure_blocks() {
    std::vector<std::size_t> first(cells_.width, blocks_.size());  // the first pure block of each class
    std::vector<Block> kept;
    for (Block& block : blocks_) {
      const Index c = pure_class(block);
      if (c >= 0 && first[static_cast<std::size_t>(c)] < kept.size()) {
        merge(kept[first[static_cast<std::size_t>(c)]], block);
        continue;
      }
      if (c >= 0) first[static_cast<std::size_t>(c)] = kept.size();
      kept.push_back(std::move(block));
    }
    blocks_ = std::move(kept);
  }

  Index pure_class(const Block& block) const {
    if (search_.target.regression) return -1;
    for (std::size_t c = 0; c < block.cell.size(); ++c)
      if (block.cell[c] > block.weight - pure_tolerance) return static_cast<Index>(c);
    return -1;
  }

  void merge(std::size_t a, std::size_t b) { merge(blocks_[a], blocks_[b]); }

  void merge(Block& into, const Block& from) const {
    into.categories.insert(into.categories.end(), from.categories.begin(), from.categories.end());
    for (std::size_t i = 0; i < into.cell.size(); ++i) into.cell[i] += from.cell[i];
    into.weight += from.weight;
    into.cost = cost_of(into.cell, into.weight);
  }

  void add_up() {
    sums_ = {};
    for (const Block& block : blocks_) sums_.add(block.weight, block.cost, 1.0);
    sums_.add(rest_weight_, rest_cost_, 1.0);
  }

  Score score_joined(const Block& a, const Block& b) {
    for (std::size_t i = 0; i < joined_.size(); ++i) joined_[i] = a.cell[i] + b.cell[i];
    const double weight = a.weight + b.weight;
    Sums sums = sums_;
    sums.add(a.weight, a.cost, -1.0);
    sums.add(b.weight, b.cost, -1.0);
    sums.add(weight, cost_of(joined_, weight), 1.0);
    return score(sums);
  }

  Score score(const Sums& sums) const {
    const double total = search_.node_weight, slack = search_.settings.slack;
    Offer offer;
    offer.gain = sums.reasonable >= 2 ? (whole_cost_ - sums.cost) / total : -slack;
    offer.split_info = (Entropy::plain(total) - Entropy::plain(total - known_) - sums.bits) / total;
    // Blocks of one feature cost the same, so prices have no say here.
    MeritRules rules;
    rules.slack = slack;
    const Merit value = ratio() ? GainRatio::merit(offer, rules) : Gain::merit(offer, rules);
    const bool counts = value.tier >= 0 && (!ratio() || offer.gain >= 0.0);
    return {offer.gain, counts ? value.value : -slack};
  }

  Join best_join(double first_gain, double last_value, std::ptrdiff_t reasonable) {
    Join best;
    best.value = last_value;
    const auto heaviest = std::max_element(blocks_.begin(), blocks_.end(), [](const Block& x, const Block& y) { return x.weight < y.weight; });
    const auto kept_apart = reasonable < 3 ? static_cast<std::size_t>(heaviest - blocks_.begin()) : blocks_.size();
    for (std::size_t a = 0; a + 1 < blocks_.size(); ++a) {
      for (std::size_t b = a + 1; b < blocks_.size(); ++b) {
        if (a == kept_apart || b == kept_apart) continue;
        const Score now = score_joined(blocks_[a], blocks_[b]);
        const bool keeps_gain = now.gain >= first_gain / 2.0 && best.gain < first_gain / 2.0;
        const bool must_start = !best.found && (!ratio() || reasonable < 2);
        if (keeps_gain || !clearly_greater(best.value, now.value) || must_start) best = {true, a, b, now.gain, now.value};
      }
    }
    return best;
  }

  NominalTest result() const {
    NominalTest test;
    test.branch_of.assign(cells_.categories(), -1);
    for (const Block& block : blocks_) {
      for (Index c : block.categories) test.branch_of[static_cast<std::size_t>(c)] = test.branches;
      ++test.branches;
      test.cost += block.cost;
    }
    if (rest_.empty()) return test;
    for (Index c : rest_) test.branch_of[static_cast<std::size_t>(c)] = test.branches;
    ++test.branches;
    test.cost += rest_cost_;
    return test;
  }

  const NominalSearch& search_;
  const CategoryCells& cells_;
  std::vector<Block> blocks_;
  std::vector<Index> rest_;
  std::vector<double> joined_;
  Sums sums_;
  double known_ = 0.0, whole_cost_ = 0.0, rest_weight_ = 0.0, rest_cost_ = 0.0;
};

}  // namespace

NominalTest group_categories(const NominalSearch& search, const CategoryCells& cells) { return Grouping(search, cells).run(); }

}  // namespace thriftwood
