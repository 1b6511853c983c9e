// A chunk of a byte stream that answers for its statistics, each computed when it is asked for the first time.
//
//   statistic  one of 22 numbers; each is had at four sizes, of the first 2, 4, 8 or 16 KB of the chunk
//   feature    a statistic at a size; feature f is statistic f % 22 at size f / 22
//   step       work that several statistics of one size need and that is done once: sums, a histogram, a spectrum
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bicoherence.hpp"
#include "bytes.hpp"
#include "spectrum.hpp"

namespace thriftwood::flowtype {

enum class Step { sum, squares, histogram, spectrum, bicoherence };

constexpr std::array<std::size_t, 4> sizes{2048, 4096, 8192, 16384};
constexpr std::array<std::string_view, 4> size_names{"2k", "4k", "8k", "16k"};
constexpr std::array<std::string_view, 5> step_names{"sum", "squares", "histogram", "spectrum", "bicoherence"};

struct Statistic {
  std::string_view name;
  std::array<Step, 2> steps;  // that must be done before
  std::size_t n_steps;

  std::span<const Step> needs() const { return {steps.data(), n_steps}; }
};

extern const std::array<Statistic, 22> statistics;
constexpr std::size_t n_statistics = 22, n_steps = step_names.size(), n_features = n_statistics * sizes.size();

// What the steps found out about the first bytes of a chunk.
struct Sheet {
  std::uint64_t sum = 0, squares = 0;
  Histogram histogram;
  Spectrum spectrum;
  Bicoherence bicoherence;
};

// Steps and statistics by themselves, on what was found before.
void do_step(Step step, Bytes bytes, Sheet& sheet);
double statistic_of(std::size_t statistic, Bytes bytes, const Sheet& sheet);

class Chunk {
 public:
  // The first 16 KB of `bytes`, which must stay where they are.
  explicit Chunk(Bytes bytes);

  // Whether there are bytes enough.
  bool has(std::size_t feature) const { return sizes[feature / n_statistics] <= bytes_.size(); }
  // Needs `has`.
  double feature(std::size_t number);

  std::size_t size() const { return bytes_.size(); }
  bool is_done(Step step, std::size_t size) const { return done_[size * n_steps + static_cast<std::size_t>(step)]; }
  const std::optional<double>& known(std::size_t feature) const { return known_[feature]; }

 private:
  Bytes bytes_;
  std::array<std::unique_ptr<Sheet>, sizes.size()> sheets_;
  std::array<bool, n_steps * sizes.size()> done_{};
  std::array<std::optional<double>, n_features> known_;
};

// A row of features per chunk, NaN where the chunk is too short for one. Threads <= 0 means one per core.
std::vector<double> features_of(std::span<const Bytes> chunks, int threads);

}  // namespace thriftwood::flowtype
