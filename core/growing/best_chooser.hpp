// The test of the largest merit; of equals that of the lowest feature.
#pragma once

#include <span>

#include "chooser.hpp"

namespace thriftwood {

class BestChooser final : public Chooser {
 public:
  explicit BestChooser(Fit& fit) : fit_(fit), priority_(priority_of(fit.settings.merit)) {}

  std::optional<Choice> choose(const GrowingTree& growing, const OpenNode& open, Workspace& workspace, ThreadPool* pool) override;
  // The same, from offers that have been made; the choice's list is written into `memory`.
  std::optional<Choice> pick(const GrowingTree& growing, const OpenNode& open, std::span<const Offer> offers,
                             std::vector<std::size_t>&& memory = {}) const;

 private:
  Fit& fit_;
  Priority priority_;
};

}  // namespace thriftwood
