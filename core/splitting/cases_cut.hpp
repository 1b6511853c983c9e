// The best cut of one sorted numeric column where minimum sizes count cases and not their weights; see Target::cases_per_weight.
#pragma once

#include "numeric.hpp"

namespace thriftwood {

// `weights` by row, `known` the cell of the entries.
Cut best_cut_by_cases(std::span<const Entry> entries, const Target& target, const double* weights, ImpurityName impurity, Cell known,
                      const CutRules& rules);

}  // namespace thriftwood
