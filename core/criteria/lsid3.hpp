// LSID3: the test below which the smallest tree was found among samples (growing/look_ahead_chooser.hpp). Samples draw their tests in proportion
// to the gain, and without samples the largest gain wins: ID3 (Esmeir & Markovitch 2004).
#pragma once

#include "gain.hpp"

namespace thriftwood {

struct Lsid3 : Gain {};

}  // namespace thriftwood
