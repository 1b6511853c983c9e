#include "timing.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "chunk.hpp"

namespace thriftwood::flowtype {
namespace {

// Seconds that this thread has been computing: on a busy machine the clock on the wall goes on while others compute.
double time_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
void time_once(double& least, std::size_t chunks, Work work) {
  const double begin = time_used();
  for (std::size_t i = 0; i < chunks; ++i) work(i);
  least = std::min(least, (time_used() - begin) / static_cast<double>(chunks));
}

}  // namespace

Times time_features(std::span<const Bytes> chunks, int rounds) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Times times{std::vector<double>(sizes.size() * n_steps, never), std::vector<double>(n_features, never)};
  const auto sheets = std::make_unique<Sheet[]>(chunks.size());
  std::atomic<double> sink = 0.0;  // somebody reads the statistics, so the compiler cannot leave them out
  for (int round = 0; round < rounds; ++round)
    for (std::size_t size = 0; size < sizes.size(); ++size) {
      const auto bytes = [&](std::size_t i) { return chunks[i].first(sizes[size]); };
      for (std::size_t step = 0; step < n_steps; ++step)
        time_once(times.steps[size * n_steps + step], chunks.size(), [&](std::size_t i) { do_step(static_cast<Step>(step), bytes(i), sheets[i]); });
      for (std::size_t statistic = 0; statistic < n_statistics; ++statistic) {
        double sum = 0.0;
        time_once(times.features[size * n_statistics + statistic], chunks.size(),
                  [&](std::size_t i) { sum += statistic_of(statistic, bytes(i), sheets[i]); });
        sink.store(sum, std::memory_order_relaxed);
      }
    }
  return times;
}

}  // namespace thriftwood::flowtype
