// The search: what a part costs at least, given the tests bought on the way to it and the tests that may still follow.
//
//   V(R, B, d) = min( leaf(R), min over questions q: W(R) price(q, B) + sum over branches b of V(R_b, B + q, d - 1) )
//
// R is a set of units, B what of the basket still matters there (PathPrices::signature), d the tests left. Whatever was found out about
// (R, B, d) is kept (Cache), however R was reached. Depth first, the larger branch first; a branch is told how much it may cost, and
// gives up with a lower bound once it must cost that. Columns come in the order of the best trees that begin with them. Two levels are
// solved at once, by counting pairs of questions (Pairs) or by sweeping over sorted units (Lanes), and cuts of a numeric column that
// cannot be better are passed over (Cuts). A part stays a leaf where that costs no more than what every tree costs (least_cost) and the
// cheapest test.
//
// When it is told to end early, lower bounds are those of what was not looked at, and what was found so far is kept.
//
// It calls itself once for each level of the tree; settings.depth says how many there are.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../basics/stopping.hpp"
#include "cache.hpp"
#include "cuts.hpp"
#include "lanes.hpp"
#include "pairs.hpp"
#include "path_prices.hpp"

namespace thriftwood::optimal {

struct Found {
  double lower = 0.0;       // no tree costs less
  double upper = infinity;  // what the tree that begins with `question` costs; infinity: none was found below what was allowed
  Question question;
  bool exact = false;       // lower and upper are the same
};

class Search {
 public:
  // Told now and then: what the best tree so far costs, and what every tree costs at least. False: the search is to end.
  using Tell = std::function<bool(double cost, double lower)>;

  // Throws InputError where the cases alone take more memory than is allowed.
  Search(const Cases& cases, const Prices* prices, const OptimalSettings& settings, Stop& stop, Tell tell);

  // The best tree for a part on the way that `path` is at, where so many tests may follow each other. `most`: dearer ones do not matter.
  Found solve(const Part& part, int depth, double most = infinity);

  // The next search ends early after so much work, counted in units looked at, as if it was told to; what it was about can be searched
  // again, with what is known by then.
  void allow(double work) { work_left_ = work; }
  // Whether the last search ended early; then forgets it.
  bool was_short() { return std::exchange(ended_, false); }

  // From here on `tell` is told about the best tree for all cases, which costs this so far.
  void begin(double cost) { root_cost_ = cost; }

  PathPrices& path() { return path_; }
  double tolerance() const { return tolerance_; }

 private:
  // What one level of the search works with.
  struct Level {
    View view;
    std::vector<Cuts> cuts;
    std::vector<Part> branches;
    Part missing;
    std::vector<double> price;                // per column of the view
    std::vector<double> merit;                // per column of the view
    std::vector<std::uint32_t> order;         // of these columns
    std::vector<std::vector<double>> after;   // per column of the view: prices once it was asked
  };
  // The cost of the best tree so far, and what it began with.
  struct Best {
    double allowed;         // what a tree has to cost less than
    Found found;
    double open = infinity; // no tree that was not looked at costs less
  };
  // What is paid beside the branches of a question: the price of the test, and the branch of missing values.
  struct Beside {
    double lower, upper;
  };

  Found search(const Part& part, int depth, double most, Level& level);
  Found one_level(const Part& part, Level& level);
  Found two_levels_by_pairs(const Part& part);
  const std::vector<double>& two_levels_of_pairs(const Part& part);
  Found two_levels_by_lanes(const Part& part, double most, Level& level);
  Found more_levels(const Part& part, int depth, double most, Level& level);
  Found finished(const Best& best, double most);

  void try_column(const Part& part, int depth, Level& level, std::size_t i, Best& best);
  void try_cuts(const Part& part, int depth, Level& level, std::size_t i, const Beside& beside, Best& best);
  // `cut`: its place among the column's cuts, if it has any.
  void try_question(const Part& part, int depth, Level& level, const Question& question, const Beside& beside, Best& best, Cuts* cuts = nullptr,
                    std::uint32_t cut = 0);
  Beside price_and_missing(const Part& part, int depth, Level& level, std::size_t i, double most);

  void merits_by_lanes(const Part& part, Level& level);
  void merits_by_pairs(const Part& part, Level& level, Best& best);
  // Fills first_price_ and second_price_.
  void price_pairs(std::span<const std::uint32_t> columns);

  // Two levels by lanes.
  struct Asked;
  void open_column(const Part& part, Level& level, std::size_t i, Best& best, std::vector<Asked>& asked);
  void try_categories(Level& level, std::size_t i, const Beside& beside, Best& best);
  void value_lanes(const Level& level, const std::array<const std::vector<double>*, Lanes::most_lanes>& prices, double* value);
  bool look_at_cuts(Level& level, std::vector<Asked>& asked, std::size_t& from, std::size_t each, Best& best);

  double dearest_way(const Level& level, std::size_t tests) const;
  double payers(const Part& part, const ColumnView& column) const { return path_.payers(part.weight, column.known_weight); }
  SetKey key_of(const Part& part, int depth, std::span<const std::uint32_t> columns) const;
  bool better(double cost, double than) const { return cost < than - tolerance_; }
  // `work`: that was done since it was asked last.
  bool stopped(std::size_t work = 0);

  const Cases& cases_;
  const OptimalSettings& settings_;
  Stop& stop_;
  Tell tell_;
  PathPrices path_;
  std::unique_ptr<Cache> cache_;
  std::unique_ptr<Pairs> pairs_;
  Lanes lanes_;
  std::vector<Level> levels_;
  double tolerance_ = 0.0;
  bool ended_ = false;      // early
  double work_left_ = infinity;
  double reserve_ = 0.0;    // seconds
  double root_cost_ = infinity, root_lower_ = 0.0;
  std::vector<double> first_price_, second_price_;  // by column, for pairs
};

}  // namespace thriftwood::optimal
