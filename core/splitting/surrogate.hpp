// Surrogates of a two-way test: the tests of other features that send the most weight the same way (Breiman et al. 1984).
//
//   agreement   share of the weight that goes the same way, over all cases that know the primary test (or, by the book, over those that
//               know both)
//   adjusted    agreement beyond what always guessing the larger branch would reach; only surrogates above 0 are kept
#pragma once

#include <span>

#include "../settings.hpp"
#include "presort.hpp"
#include "split.hpp"

namespace thriftwood {

class SurrogateSearch {
 public:
  SurrogateSearch(const Table& table, const Settings& settings, const Split& primary, std::span<const Row> rows, const double* weights);

  void try_feature(Index feature, std::span<const Entry> order);
  std::vector<SurrogateSplit> best();

 private:
  struct Sums {
    double weight[2] = {0.0, 0.0};
    std::uint32_t cases = 0;
  };

  void try_number(Index feature, std::span<const Entry> order);
  void try_categories(Index feature);
  void keep(SurrogateSplit&& surrogate, double agree, const Sums& both);

  const Table& table_;
  const Settings& settings_;
  std::span<const Row> rows_;
  const double* weights_;
  std::vector<std::int8_t> side_;  // by row of the table: branch of the primary test, -1 unknown
  Sums all_;
  std::vector<SurrogateSplit> found_;
};

}  // namespace thriftwood
