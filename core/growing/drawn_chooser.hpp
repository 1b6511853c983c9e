// One of the tests, drawn in proportion to its merit (SID3, SEG2). What is drawn depends on the node's key alone.
#pragma once

#include "chooser.hpp"

namespace thriftwood {

class DrawnChooser final : public Chooser {
 public:
  explicit DrawnChooser(Fit& fit) : fit_(fit) {}

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;

 private:
  Fit& fit_;
};

}  // namespace thriftwood
