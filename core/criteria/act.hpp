// ACT: the test below which the tree of the least expected cost was found among samples (growing/look_ahead_chooser.hpp). Samples draw their tests
// in proportion to EG2's information cost function, and without samples its largest value wins: EG2 (Esmeir & Markovitch 2008).
#pragma once

#include "eg2.hpp"

namespace thriftwood {

struct Act : Eg2 {};

}  // namespace thriftwood
