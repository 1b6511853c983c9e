// Cases dealt into parts exactly as Python's learner deals them: numpy's PCG64, its seeding and its shuffle, so that the page and the
// library judge by the same folds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "basics/types.hpp"

namespace thriftwood::face {

// numpy.random.default_rng(seed).permutation of these numbers; seeds below 2^32.
std::vector<Row> permuted(std::vector<Row> numbers, std::uint32_t seed);

// The same, with the cases of each class together.
std::vector<Row> dealt(std::span<const Index> labels, std::vector<Row> rows, std::uint32_t seed);

// Parts of about equal shares of every class, each ascending; of more than `many` cases one part, a quarter of them.
std::vector<std::vector<Row>> parts(std::span<const Index> labels, const std::vector<Row>& rows, std::size_t folds, std::size_t many,
                                    std::uint32_t seed);

// The cases that `thriftwood fit` judges by, in turn or once: 10 folds of small tables, 5 of others, 30 % of large ones, dealt as Python's
// evaluation deals them (by scikit-learn's folds and numpy's older random numbers). All cases, which no tree was learnt without, if there are
// too few for two folds.
std::vector<std::vector<Row>> judging_parts(std::span<const Index> labels, std::size_t columns, std::uint32_t seed);

}  // namespace thriftwood::face
