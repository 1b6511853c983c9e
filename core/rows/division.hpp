// Which branch a case takes, and what the branches then hold.
#pragma once

#include "../splitting/split.hpp"
#include "../splitting/target.hpp"
#include "workspace.hpp"

namespace thriftwood {

// The side of a row: the split's own test, then its surrogates, then the route of cases without an answer.
Side side_of(const Table& table, const Split& split, Row row);

// Sums up the branches, given the side of each of the rows; `labels` are those of the rows (classification),
// `numbers` by row of the table (regression).
void sum_up(const Target& target, std::size_t branches, std::span<const Row> rows, std::span<const Side> sides, std::span<const std::uint16_t> labels,
            const double* weights, const double* numbers, Division& division);

// Squared error: measures every branch from its own mean, in a second pass, so that a branch far from the node's mean keeps its digits.
void centre_branches(const Target& target, double node_centre, std::span<const Row> rows, std::span<const Side> sides, const double* weights,
                     const double* numbers, Division& division);

// Sets weight and cost of a summary from its cell, or from the rows for the absolute error.
void finish(Summary& summary, const Target& target, ImpurityName impurity, bool whole_weights);
void finish_absolute(Summary& summary, std::vector<std::pair<double, double>>& numbers_and_weights);

}  // namespace thriftwood
