// Our own learner in its readable form, ThriftClassifier(leaves="class"): no test at all, trees by rollouts with less and less doubt about
// small leaves and, where there are few questions, the best tree of three tests, judged by what cases cost that they were not learnt from.
// The steps and numbers are those of src/thriftwood/learning/thrift_candidates.py and thrift_choice.py, which say why; a test compares the
// files that both write.
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace thriftwood::face {

struct Contender {
  std::string name, words;
  double cost = 0.0, error = 0.0;  // an unseen case, and its standard error; NaN where none was judged
  std::vector<double> bills;       // of each row; NaN where it was in no part that was judged
};

struct Thrift {
  Tree tree;
  std::vector<Contender> judged;
  std::size_t chosen = 0;
  std::size_t deals = 1;  // how often cases were dealt into parts
  std::string note;
};

// Learnt from these cases, ascending; none given: from all.
Thrift learn_thrift(const Session& session, std::span<const Row> rows, std::size_t folds, std::uint32_t seed);

}  // namespace thriftwood::face
