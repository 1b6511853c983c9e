#include "chunk.hpp"

#include <algorithm>
#include <limits>

#include "../basics/thread_pool.hpp"
#include "moments.hpp"

namespace thriftwood::flowtype {

const std::array<Statistic, 22> statistics{{
    {"mean", {Step::sum}, 1},
    {"variance", {Step::sum, Step::squares}, 2},
    {"autocorrelation", {Step::sum, Step::squares}, 2},
    {"entropy", {Step::histogram}, 1},
    {"skewness", {Step::histogram}, 1},
    {"kurtosis", {Step::histogram}, 1},
    {"band1.log_power", {Step::spectrum}, 1},
    {"band1.variation", {Step::spectrum}, 1},
    {"band1.skewness", {Step::spectrum}, 1},
    {"band2.log_power", {Step::spectrum}, 1},
    {"band2.variation", {Step::spectrum}, 1},
    {"band2.skewness", {Step::spectrum}, 1},
    {"band3.log_power", {Step::spectrum}, 1},
    {"band3.variation", {Step::spectrum}, 1},
    {"band3.skewness", {Step::spectrum}, 1},
    {"band4.log_power", {Step::spectrum}, 1},
    {"band4.variation", {Step::spectrum}, 1},
    {"band4.skewness", {Step::spectrum}, 1},
    {"bicoherence.mean", {Step::bicoherence}, 1},
    {"bicoherence.variance", {Step::bicoherence}, 1},
    {"bicoherence.skewness", {Step::bicoherence}, 1},
    {"bicoherence.kurtosis", {Step::bicoherence}, 1},
}};

namespace {

constexpr std::size_t first_of_bands = 6, first_of_bicoherence = 18;

double of_bytes(std::size_t statistic, Bytes bytes, const Sheet& sheet) {
  const std::size_t n = bytes.size();
  switch (statistic) {
    case 0: return static_cast<double>(sheet.sum) / static_cast<double>(n);
    case 1: return variance_of(sheet.sum, sheet.squares, n);
    case 2: return autocorrelation_of(bytes, sheet.sum, sheet.squares);
    case 3: return entropy_of(sheet.histogram, n);
    case 4: return skewness_of(sheet.histogram, n);
    default: return kurtosis_of(sheet.histogram, n);
  }
}

double of_band(std::size_t statistic, const Spectrum& spectrum) {
  const auto band = static_cast<Band>((statistic - first_of_bands) / 3);
  switch ((statistic - first_of_bands) % 3) {
    case 0: return log_power(spectrum, band);
    case 1: return variation(spectrum, band);
    default: return skewness(spectrum, band);
  }
}

double of_bicoherence(std::size_t statistic, std::span<const float> bicoherence) {
  switch (statistic - first_of_bicoherence) {
    case 0: return mean_of(bicoherence);
    case 1: return variance_of(bicoherence);
    case 2: return skewness_of(bicoherence);
    default: return kurtosis_of(bicoherence);
  }
}

}  // namespace

void do_step(Step step, Bytes bytes, Sheet& sheet) {
  switch (step) {
    case Step::sum: sheet.sum = sum_of(bytes); break;
    case Step::squares: sheet.squares = squares_of(bytes); break;
    case Step::histogram: sheet.histogram = histogram_of(bytes); break;
    case Step::spectrum: spectrum_of(bytes, sheet.spectrum); break;
    case Step::bicoherence: bicoherence_of(bytes, sheet.bicoherence); break;
  }
}

double statistic_of(std::size_t statistic, Bytes bytes, const Sheet& sheet) {
  if (statistic < first_of_bands) return of_bytes(statistic, bytes, sheet);
  if (statistic < first_of_bicoherence) return of_band(statistic, sheet.spectrum);
  return of_bicoherence(statistic, sheet.bicoherence);
}

Chunk::Chunk(Bytes bytes) : bytes_(bytes.first(std::min(bytes.size(), sizes.back()))) {}

double Chunk::feature(std::size_t number) {
  std::optional<double>& value = known_[number];
  if (value) return *value;
  const std::size_t size = number / n_statistics, statistic = number % n_statistics;
  const Bytes bytes = bytes_.first(sizes[size]);
  auto& sheet = sheets_[size];
  if (!sheet) sheet.reset(new Sheet);  // not filled with zeros: steps write before anything is read
  for (const Step step : statistics[statistic].needs()) {
    bool& done = done_[size * n_steps + static_cast<std::size_t>(step)];
    if (!done) do_step(step, bytes, *sheet);
    done = true;
  }
  value = statistic_of(statistic, bytes, *sheet);
  return *value;
}

std::vector<double> features_of(std::span<const Bytes> chunks, int threads) {
  std::vector<double> table(chunks.size() * n_features);
  ThreadPool pool(threads);
  pool.run(chunks.size(), [&](std::size_t number, int) {
    Chunk chunk(chunks[number]);
    for (std::size_t f = 0; f < n_features; ++f)
      table[number * n_features + f] = chunk.has(f) ? chunk.feature(f) : std::numeric_limits<double>::quiet_NaN();
  });
  return table;
}

}  // namespace thriftwood::flowtype
