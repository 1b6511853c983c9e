// One of the tests, drawn in proportion to its merit (SID3, SEG2). What is drawn depends on the node's key alone.
#pragma once

#include "chooser.hpp"

namespace thriftwood {

class DrawnChooser final : public Chooser {
 public:
  explicit DrawnChooser(Fit& fit) : fit_(fit), sampling_(sampling_of(fit.settings.merit).value_or(Sampling{})) {}

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;

 private:
  Fit& fit_;
  Sampling sampling_;
};

}  // namespace thriftwood
