// What everybody's tests of today tell: answered by logistic regression or by a forest, whichever costs cases kept aside less. The steps and
// numbers are those of src/thriftwood/baselines/today.py, so the page's figure is that of `thriftwood fit`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "learning.hpp"
#include "session.hpp"

namespace thriftwood::face {

// Shares of classes, [case * classes + class], of some rows.
struct Shares {
  std::vector<Row> rows;
  std::vector<double> of_logistic, of_forest;
};

// Learns once what prices do not change; only answers are chosen anew.
class Panels {
 public:
  // The answer to each case of a part, by what the others' tests tell. `forest`: how a tree of the forest is grown.
  std::vector<Index> answers(Session& session, const std::vector<Index>& panel, const Learning& forest, std::size_t part);

 private:
  struct Learnt {
    std::vector<Shares> kept_aside;  // none where some of the others are all of one class
    Shares own;                      // the forest is grown once it is wanted
  };
  std::map<std::string, Learnt> learnt_;
};

}  // namespace thriftwood::face
