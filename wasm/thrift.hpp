// Our own learner in its readable form, ThriftClassifier(leaves="class"): no test at all and trees by rollouts with much, some and little
// doubt about small leaves, judged by what cases cost that they were not learnt from. The steps and numbers are those of
// src/thriftwood/learning/thrift_choice.py, which says why; a test compares the files that both write.
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace thriftwood::face {

struct Contender {
  std::string name, words;
  double cost = 0.0, error = 0.0;  // an unseen case, and its standard error; NaN where none was judged
  std::vector<double> bills;       // of each row; NaN where it was in no part that was judged
  std::vector<Index> answers;      // of each row, as in bills; -1: none
  std::vector<double> test_cost;
};

struct Thrift {
  Tree tree;
  std::vector<Contender> judged;
  std::size_t chosen = 0;
  std::string note;
};

Thrift learn_thrift(const Session& session, std::size_t folds, std::uint32_t seed);

}  // namespace thriftwood::face
