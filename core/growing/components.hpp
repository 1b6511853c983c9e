// A component: a test together with the tests planned for its two outcomes, weighed as one (LASC).
//
//   option   a test that may be planned for an outcome, by what it adds to the component's gain and to its expense
//   kind     0: one test alone; 1: one more on the left outcome; 2: on the right; 3: on both. Of equals the lower kind is taken.
//
// Gains and expenses add up over the tests, and an outcome does not care what is planned for the other. So the best pair of options is
// found without trying pairs: at a rate r each outcome takes what makes gain - r * expense largest, and r becomes the ratio that is
// reached with it, until it rises no more (Dinkelbach 1967).
//
// A component is chosen as a whole and grown as a whole: the tests planned for its outcomes wait in their open nodes as settled choices,
// and with upfront payment all its tests count as bought from then on. Its cost is the expected one, the outcomes weighted by their shares,
// under both payments. Bounds leave out what cannot win; the tree does not depend on what they leave out.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "../criteria/offer.hpp"

namespace thriftwood {

struct Option {
  double gain = 0.0;
  double expense = 0.0;
};

struct Component {
  Merit merit = no_merit;
  double gain = 0.0;
  std::array<int, 2> planned{-1, -1};  // the option of each outcome; -1: none

  int kind() const { return (planned[0] >= 0 ? 1 : 0) + (planned[1] >= 0 ? 2 : 0); }
};

// The largest gain - rate * expense that an outcome can add; 0 when nothing is planned for it.
double most_added(std::span<const Option> options, double rate);

// The best component with this test at its root; no merit if nothing is gained. Of equal options the first is taken.
Component best_component(Option root, const std::array<std::vector<Option>, 2>& options);

}  // namespace thriftwood
