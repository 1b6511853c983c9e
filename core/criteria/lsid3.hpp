// LSID3: the test below which the smallest tree was found among samples (growing/look_ahead_chooser.hpp). Samples draw their tests in proportion
// to the gain, and without samples the largest gain wins: ID3 (Esmeir & Markovitch 2004).
#pragma once

#include "facts.hpp"
#include "gain.hpp"
#include "hooks.hpp"

namespace thriftwood {

struct Lsid3 : Gain {
  static constexpr Sampling sampling{.takes_finishing = true};  // as SID3 does, which draws its samples
};

namespace declared {
inline constexpr Declaration<Lsid3> lsid3{{
    .name = "lsid3",
    .value_object = "Lsid3",
    .formula = "- leaves: sum over outcomes of the smallest of r trees that draw tests by G",
    .reference = "Esmeir & Markovitch 2004",
}};
}  // namespace declared

}  // namespace thriftwood
