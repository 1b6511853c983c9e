// A good tree quickly: each question is chosen by what trees that are grown greedily below its branches cost.
//
//   judge    one pass over the cells of a part tells of every question what it costs when its branches are leaves (`single`) and how much
//            it gains by its price (`merit`): the decrease of the gini index of regrets, divided by the price and a tenth of the mean price
//   value    of a part, at most: the least of a leaf, the best single question, and the tree of the questions of largest merit, each kept
//            where it pays
//   choose   of the most promising questions, the one whose price and values of branches are least. They come by their rank within their
//            column, so that every column has its say: a test that tells nothing by itself is found by what is grown below it
//
// The question of largest merit and the best single one are always among those tried, so a branch never costs more than its value promised.
#pragma once

#include <deque>
#include <vector>

#include "../basics/stopping.hpp"
#include "part.hpp"
#include "path_prices.hpp"

namespace thriftwood::optimal {

class Rollouts {
 public:
  // `tried`: how many questions are tried at a node.
  Rollouts(const Cases& cases, const Prices* prices, const OptimalSettings& settings, Stop& stop, std::size_t tried);

  // The question for a part on the way that `path` is at; a leaf where none pays, or once it was told to stop.
  Question choose(const Part& part, int depth);

  PathPrices& path() { return path_; }

 private:
  struct Judged {
    Question question;
    double merit = 0.0, single = infinity;
    std::size_t rank = 0;  // by merit, among the questions of its column
  };
  struct Unit {
    double weight = 0.0;
    double regret = 0.0;     // what other answers than the cheapest cost more at least
    std::uint32_t best = 0;  // its cheapest answer
  };
  // Whether all questions are judged, the best of each column by its merit and by what it costs as the only one, or by its merit alone.
  enum class By : std::uint8_t { All, Cost, Merit };

  bool may_pay(const Part& part, int depth) const;
  void judge(const Part& part, By by);
  void judge_column(const Part& part, std::size_t column, By by);
  void judge_best(const CaseColumn& of, std::size_t column, double eff, double tests, By by);
  void sum_codes(const Part& part, const CaseColumn& column);
  void rank_in_columns();
  // Of sums.
  double leaf(const double* sums);
  double gini(const double* sums) const;

  // What a question costs with branches valued by `branch_cost`; gives up once it costs `most`.
  template <class Cost>
  double cost_of(const Part& part, const Question& question, int depth, double most, const Cost& branch_cost);
  double value(const Part& part, int depth, double most);
  double greedy(const Part& part, int depth, double most);
  Question largest_merit() const;

  const Cases& cases_;
  Missing missing_;
  Stop& stop_;
  PathPrices path_;
  std::size_t tried_;
  double price_floor_ = 1.0;        // what is added to prices that gains are divided by
  double tolerance_ = 0.0;
  bool regrets_tell_ = true;        // every unit's wrong answers cost it the same
  std::vector<Unit> units_;
  std::vector<Unit> here_;          // those of the part that is judged
  std::vector<Judged> judged_;
  // Sums of some units: their weight; per answer the regrets of the units that it is the cheapest for; and, unless regrets tell, per answer
  // what it costs them.
  std::size_t width_ = 0;
  std::vector<double> codes_;       // sums per code
  std::vector<double> all_, known_, left_, right_;
  std::vector<double> total_;       // per answer
  std::vector<double> sides_;       // per code: the sums of what is left of it
  std::deque<std::vector<Part>> branches_;  // per question under way; a deque does not move them
  std::size_t under_way_ = 0;
};

}  // namespace thriftwood::optimal
