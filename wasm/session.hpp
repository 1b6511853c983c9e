// One table and its price list, and the trees that were learnt from it. Everything runs on the calling thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accounting/tree_ledger.hpp"
#include "costs.hpp"
#include "growing/grow.hpp"
#include "learning.hpp"
#include "table.hpp"
#include "tree/predict.hpp"

namespace thriftwood::face {

// What some cases are answered, and pay for tests; by the order of the rows that were asked for.
struct Billed {
  std::vector<Index> answers;
  std::vector<double> test_cost;
  std::vector<double> bought;  // per test: cases that bought it, by share
  std::vector<double> paid;    // per test: in all
};

class Session {
 public:
  Session(std::size_t rows, Index features, Index classes);

  // Where the caller writes a column, the labels.
  double* numbers(Index feature);
  Index* codes(Index feature, Index values);
  Index* labels() { return labels_.data(); }
  void set_prices(PriceList list) { prices_.emplace(std::move(list)); }
  void set_loss(std::vector<double> loss) { loss_ = std::move(loss); }

  const Table& table() const { return table_; }
  const std::vector<Index>& classes_of_rows() const { return labels_; }
  Index classes() const { return classes_; }
  const Prices* prices() const { return prices_ ? &*prices_ : nullptr; }
  // [actual * classes + answer], also where every mistake costs 1.
  std::vector<double> error_matrix() const;
  const std::vector<double>& loss() const { return loss_; }

  // The parts that cases are judged by (dealing.hpp), dealt when they are first asked for.
  const std::vector<std::vector<Row>>& parts();
  // The cases without a part; of one part that has all cases: none, which means all.
  std::vector<Row> without(std::size_t part);

  // Grown on all cases, cut back and answered; `part`: on the cases without it.
  Tree grow(Learning learning, std::optional<std::size_t> part = {});
  Billed bill(const Tree& tree, std::span<const Row> rows) const;

 private:
  struct Prepared {
    Target target;
    std::unique_ptr<PreparedLearner> learner;
  };
  const PreparedLearner& prepared(const Settings& settings);
  Tree cut(const Learning& learning, std::span<const Row> rows);
  const Tree& kept(const Learning& learning, std::optional<std::size_t> part);

  Table table_;
  Index classes_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<Index>> codes_;
  std::vector<Index> labels_;
  std::optional<Prices> prices_;
  std::vector<double> loss_;  // empty: 1 for every mistake
  std::map<std::string, Prepared> prepared_;
  std::vector<std::vector<Row>> parts_;
  std::map<std::string, Tree> kept_;  // trees that no amount changes, before they are answered
};

}  // namespace thriftwood::face
