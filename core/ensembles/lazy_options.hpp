// Lazy option trees: every case gets trees of its own, grown along its own values only, one for each bag of training rows.
//
//   agree    a training row agrees with a case when it lies on the case's side of every test so far; a missing value agrees with nothing
//   option   one of several tests that are followed from the same node; what a node answers is the mean of what they lead to
//   bag      how often each training row was drawn
//
// A test gains what it takes from the entropy at its node to that of the rows that agree after it, the classes at the node weighted so
// that all have the same mass. A nominal test asks whether the value is the case's own; a numeric one on which side of a cut it lies.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "../table.hpp"

namespace thriftwood {

struct LazySettings {
  int options = 3;          // the most tests that are followed from a node
  double share = 0.2;       // what an option gains at least, as a share of the best test's gain
  int depth = 10;           // the most tests on the way to a node; rows that agree after several ways are one node: the shortest counts
  double min_weight = 2.0;  // the least weight that agrees after a test; a node of less than twice as much is a leaf
  int max_nodes = 64;       // per case and bag; once there are so many, open nodes stay leaves
  int cuts = 32;            // the most cuts tried for a number, at quantiles (up to 254)
};

struct LazyAnswers {
  std::vector<double> shares;       // case by case, a share for each class: the mean over bags
  std::vector<std::uint8_t> asked;  // case by case, for each feature whether a test of it was followed
};

// `bags` holds a count per training row for one bag after the other. One thread and many give the same answers.
LazyAnswers answer_lazily(const Table& training, std::span<const Index> labels, Index classes, std::span<const std::uint32_t> bags,
                          const Table& cases, const LazySettings& settings, int threads);

}  // namespace thriftwood
