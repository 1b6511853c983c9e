// A finished booster: the scores of the classes are a start and the steps of one stage after another.
//
//   stage    a tree of two-way tests whose leaves hold a step for every class; a missing value has a branch of its own choosing
//   share    of a class: exp(score), over the sum of all
//   leader   the class with the largest share
//
// Stages are asked in their order (asking.hpp).
#pragma once

#include <span>
#include <vector>

#include "../table.hpp"
#include "../tree/tree.hpp"

namespace thriftwood {

struct Booster {
  std::vector<double> start;  // per class
  std::vector<Tree> stages;   // regression trees with a value per class

  std::size_t classes() const { return start.size(); }
};

// Throws InputError unless every stage is a valid tree of the same columns that can be walked along one path.
void validate(const Booster& booster);

// Throws InputError unless the table has the columns of the stages.
void check_fits(const Booster& booster, const Table& table);

// The tests that the booster may ask, in the order of the columns.
std::vector<Index> tests_of(const Booster& booster);

double leader_share(std::span<const double> scores);

}  // namespace thriftwood
