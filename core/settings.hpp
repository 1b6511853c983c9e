// Everything that decides how a tree grows, with its defaults: Python's Growth takes them from here. The core only reads it.
#pragma once

#include <memory>
#include <vector>

#include "basics/random.hpp"
#include "basics/stopping.hpp"
#include "costs.hpp"
#include "criteria/criterion.hpp"

namespace thriftwood {

enum class NominalTests : std::uint8_t {
  Multiway,  // one branch per declared category (ID3, C4.5)
  Grouped,   // C4.5's merging of categories
  Binary,    // two sets of categories (CART)
  Value,     // one category against all others (LASC)
};

enum class Missing : std::uint8_t {
  Fractional,  // down every branch, by weight
  Surrogate,   // the best surrogate test that is known, else as `after_surrogates` says
  Branch,      // a branch of its own
  Stay,        // not tested: the case ends at the node, in a branch of its own that is never split
  Majority,    // down the heavier branch
};

inline bool has_own_branch(Missing missing) { return missing == Missing::Branch || missing == Missing::Stay; }

enum class AfterSurrogates : std::uint8_t { Majority, Stop };

enum class Order : std::uint8_t { Depth, Breadth, Best };

enum class CutAt : std::uint8_t {
  Midpoint,  // half way between the neighbouring values
  Observed,  // the largest value of the training table that is not above the midpoint (C4.5)
};

// How many features a node asks, drawn anew at each (random forests).
enum class FeatureDraw : std::uint8_t {
  All,     // every one, nothing is drawn
  Number,  // max_features of them
  Share,   // that share of the table's features, at least one
  Root,    // the square root of their number
};

enum class Choosing : std::uint8_t {
  Best,       // the test of the largest merit
  Drawn,      // one of the tests, in proportion to its merit (SID3, SEG2)
  LookAhead,  // by trees grown below every test (LSID3, ACT); see growing/look_ahead_chooser.hpp
};

// No case of any table is to pay more for tests than the limit; see growing/spending.hpp.
struct Budget {
  double limit = infinity;
  std::shared_ptr<const Prices> prices = nullptr;  // what cases pay, which need not be the prices that guide growth; null: there is no budget
  bool tests_may_go = false;  // pruning may take a test out of a path and leave what is below it

  explicit operator bool() const { return prices != nullptr; }
};

struct Settings {
  ImpurityName impurity = ImpurityName::Gini;
  AnyMerit merit = Gain{};
  bool asks_split_info = false;    // of the criterion
  bool asks_saving = false;        // of the criterion: see Offer
  NominalTests nominal = NominalTests::Binary;
  Missing missing = Missing::Fractional;
  Order order = Order::Depth;
  CutAt cut_at = CutAt::Midpoint;

  int max_depth = 0;               // 0 = no limit; the root has depth 0
  int max_leaves = 0;              // 0 = no limit
  double max_splits = infinity;    // expand while the number of splits is below it
  double min_split_weight = 0.0;   // a smaller node stays a leaf; sizes are weights, or cases: see count_cases
  double min_branch_weight = 0.0;  // see two_branches
  bool count_cases = false;        // sizes and surrogates count cases as they came, without what class_weights make of them (CART)
  bool two_branches = false;       // true: at least two branches of min_branch_weight (C4.5); false: every branch
  bool share_rule = false;         // numeric: each side at least 10 % of the known weight per class, at most 25 (C4.5)
  double min_gap = 0.0;            // numeric: neighbouring values must differ by more
  bool cut_penalty = false;        // subtract log2(number of cuts) / weight from a numeric gain (C4.5 release 8)
  bool average_gain = false;       // leave out features of less than average gain (C4.5)
  double gain_floor = -1e-9;       // a split must gain more than this; below 0: a test that gains nothing is made where the node is impure
  double min_decrease = 0.0;       // and at least this much of the whole table's weight
  double min_relative_gain = 0.0;  // and at least this share of the node's own impurity
  double slack = 0.001;
  bool reuse_nominal = true;       // binary and grouped tests may come back to a feature
  double confidence = 0.0;         // > 0: chi-square test before a feature may be used
  bool bonferroni = false;         // multiply the p value by the number of cuts tried
  int max_exhaustive = 10;         // binary, more than two classes: try all subsets up to so many categories
  int many_categories = 32;        // more of them must tell of cases that were left out, see splitting/many_categories.hpp; 0: never asked
  int max_surrogates = 5;
  bool surrogate_known_only = false;  // agreement over cases that know the surrogate too (the book) or over all (rpart)
  AfterSurrogates after_surrogates = AfterSurrogates::Majority;
  const Prices* prices = nullptr;  // null: every test is free
  Budget budget;
  std::vector<double> class_weights;  // what priors or error costs make of a case of each class; the target's weights have it in them
  std::vector<double> loss;        // what answers cost, [actual * classes + predicted]; empty: 1 for every mistake
  bool reuse_is_free = true;       // false: the list price counts again each time (the published formulas, literally)
  FeatureDraw feature_draw = FeatureDraw::All;
  double max_features = 0.0;       // see FeatureDraw
  Choosing choosing = Choosing::Best;
  int samples = 0;                 // look-ahead: trees for each outcome of each test
  int lookahead = 1;               // levels of tests that are looked at to choose one, itself included; see growing/search_chooser.hpp
  bool rollouts = false;           // below the first of them only what is grown by merit is looked at
  Key seed = 0;
  Stop* stop = nullptr;            // look-ahead: once reached, the rest is chosen by merit; null: never
  int bins = 0;                    // > 0: numeric columns in at most so many bins (2..255), else exact thresholds
  int threads = 1;

  // Whether error costs enter the offers.
  bool counts_mistakes() const { return asks_saving || in_money(impurity); }
  // Whether a feature's own split information divides its gain.
  bool by_ratio() const { return asks_split_info && divides_by_split_info(merit); }
};

}  // namespace thriftwood
