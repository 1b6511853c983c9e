// What every step and every statistic takes, in time of the processor.
#pragma once

#include <span>
#include <vector>

#include "bytes.hpp"

namespace thriftwood::flowtype {

// In seconds for one chunk: of each step by size (sizes x steps), and of each feature once its steps are done.
struct Times {
  std::vector<double> steps, features;
};

// All are timed in turn, round after round, over all chunks together, and the least of the rounds counts: what else the machine
// does can make a round longer, never shorter. Every chunk has at least 16 KB.
Times time_features(std::span<const Bytes> chunks, int rounds);

}  // namespace thriftwood::flowtype
