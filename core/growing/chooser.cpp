#include "chooser.hpp"

#include "best_chooser.hpp"
#include "component_chooser.hpp"
#include "drawn_chooser.hpp"
#include "look_ahead_chooser.hpp"
#include "search_chooser.hpp"

namespace thriftwood {

std::unique_ptr<Chooser> make_chooser(Fit& fit, Grower& grower) {
  if (plans_components(fit.settings.merit)) return std::make_unique<ComponentChooser>(fit);
  if (fit.settings.lookahead > 1) return std::make_unique<SearchChooser>(fit, grower);
  switch (fit.settings.choosing) {
    case Choosing::Drawn: return std::make_unique<DrawnChooser>(fit);
    case Choosing::LookAhead: return std::make_unique<LookAheadChooser>(fit, grower);
    case Choosing::Best: break;
  }
  return std::make_unique<BestChooser>(fit);
}

}  // namespace thriftwood
