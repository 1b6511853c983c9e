// Surrogates of a two-way test: the tests of other features that send the most cases the same way (Breiman et al. 1984).
//
//   agreement   share of the cases that go the same way, of all that know the primary test (or, by the book, of those that know both);
//               cases count as they came, whatever priors or error costs make of them
//   adjusted    agreement beyond what always guessing the larger branch would reach; only surrogates above 0 are kept
//
// A cut lies between neighbouring values of all cases that have one, those that lack the primary test included: it is they who will
// be sent by it.
#pragma once

#include <span>

#include "../settings.hpp"
#include "presort.hpp"
#include "split.hpp"
#include "target.hpp"

namespace thriftwood {

class SurrogateSearch {
 public:
  SurrogateSearch(const Table& table, const Settings& settings, const Split& primary, std::span<const Row> rows, CaseWeight weight);

  void try_feature(Index feature, std::span<const Entry> order);
  std::vector<SurrogateSplit> best();
  // Where a case goes that no surrogate knows either: the branch with more cases; of two equal ones, none.
  Index heavier_branch() const;

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
  CaseWeight weight_;
  std::vector<std::int8_t> side_;  // by row of the table: branch of the primary test, -1 unknown
  Sums all_;
  std::vector<SurrogateSplit> found_;
};

}  // namespace thriftwood
