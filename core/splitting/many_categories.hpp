// Columns with many categories, each of few cases: a city, a customer number. A test with a branch for each always seems to tell much,
// because it has so many ways to fit; what it tells of a new case is seen by leaving every case out of its own category.
#pragma once

#include "nominal.hpp"

namespace thriftwood {

// Whether at least half of what the categories tell (bits; squared error) is told of cases that were left out, too. A category of one case
// tells what the node tells. A case weighs the mean of its category's; cells.cases must be known.
bool tells_of_new_cases(const Target& target, const CategoryCells& cells);

}  // namespace thriftwood
