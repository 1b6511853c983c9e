// Writes a tree down, question by question: whoever has found it is asked for the next one.
#pragma once

#include <functional>
#include <vector>

#include "optimal.hpp"
#include "part.hpp"
#include "path_prices.hpp"

namespace thriftwood::optimal {

// The question to ask a part, on the way that `path` is at, when so many tests may still follow; or that it is a leaf.
using Ask = std::function<Question(const Part& part, int depth)>;

// The outline has no lower bound, and its cost is without `cases.base`.
OptimalOutline write_outline(const Cases& cases, Missing missing, PathPrices& path, const Part& all, int depth, const Ask& ask);

}  // namespace thriftwood::optimal
