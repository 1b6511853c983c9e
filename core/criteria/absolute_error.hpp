// Absolute error: the sum of distances from the median. No cell adds it up: splitting/absolute.hpp looks at the values themselves.
#pragma once

#include "facts.hpp"
#include "gain.hpp"

namespace thriftwood::declared {

inline constexpr Declaration<Gain> absolute_error{{
    .name = "absolute_error",
    .impurity = ImpurityName::AbsoluteError,
    .formula = "decrease of sum |y - median|",
    .reference = "Breiman, Friedman, Olshen & Stone 1984",
}};

}  // namespace thriftwood::declared
