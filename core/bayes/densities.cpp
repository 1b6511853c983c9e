#include "densities.hpp"

#include <algorithm>
#include <cmath>

namespace thriftwood {

namespace {

constexpr double farthest = 1e12;  // squared standard deviations that count: sums of them stay finite
constexpr double largest = 1e140;  // a number beyond is not learnt from: sums of squares stay finite, as files hold them

// West's update of a weighted mean and the squares around it.
void add_number(std::span<double> at, double value, double weight) {
  at[0] += weight;
  const double distance = value - at[1];
  at[1] += distance * (weight / at[0]);
  at[2] += weight * distance * (value - at[1]);
}

}  // namespace

Densities::Densities(std::vector<Index> feature_values, Index classes, double smoothing)
    : values_(std::move(feature_values)), classes_(classes), smoothing_(smoothing) {
  if (classes < 1) throw InputError("Naive Bayes knows at least one class.");
  if (!(smoothing > 0.0) || !std::isfinite(smoothing)) throw InputError("The smoothing of naive Bayes is above 0, in cases.");
  std::size_t next = 0;
  for (const Index values : values_) {
    if (values < 0) throw InputError("A column has no negative number of categories.");
    first_.push_back(next);
    next += values == 0 ? moments * (k() + 1) : (static_cast<std::size_t>(values) + 1) * k();
  }
  first_.push_back(next);
}

void Densities::add(std::span<double> learnt, std::span<const double> values, Index label, double weight) const {
  if (!(weight > 0.0)) return;
  const auto c = static_cast<std::size_t>(label);
  for (std::size_t f = 0; f < values_.size(); ++f) {
    const double value = values[f];
    if (std::isnan(value)) continue;
    if (numeric(f)) {
      if (std::abs(value) > largest) continue;
      add_number(learnt.subspan(first_[f] + moments * c, moments), value, weight);
      add_number(learnt.subspan(first_[f] + moments * k(), moments), value, weight);
    } else if (value >= 0.0 && value < values_[f]) {
      learnt[first_[f] + static_cast<std::size_t>(value) * k() + c] += weight;
      learnt[first_[f] + static_cast<std::size_t>(values_[f]) * k() + c] += weight;
    }
  }
}

void Densities::score(std::span<const double> learnt, Index feature, double value, std::span<double> logs) const {
  const auto f = static_cast<std::size_t>(feature);
  if (std::isnan(value)) return;
  if (!numeric(f)) {
    if (!(value >= 0.0 && value < values_[f])) return;
    const double* own = learnt.data() + first_[f] + static_cast<std::size_t>(value) * k();
    const double* sums = learnt.data() + first_[f] + static_cast<std::size_t>(values_[f]) * k();
    for (std::size_t c = 0; c < k(); ++c) logs[c] += std::log((own[c] + smoothing_) / (sums[c] + smoothing_ * values_[f]));
    return;
  }
  const Moments all = moments_at(learnt, first_[f] + moments * k());
  const double spread = all.squares / all.weight;
  if (!(spread > 0.0) || !std::isfinite(spread)) return;  // also where nothing was learnt
  for (std::size_t c = 0; c < k(); ++c) {
    const Moments own = moments_at(learnt, first_[f] + moments * c);
    const double variance = (own.squares + smoothing_ * spread) / (own.weight + smoothing_);
    const double distance = value - (own.weight > 0.0 ? own.mean : all.mean);
    logs[c] -= 0.5 * (std::log(variance) + std::min(distance * distance / variance, farthest));
  }
}

std::vector<double> Densities::widened(std::span<const double> learnt, const Densities& wider, std::span<const Index> place) const {
  std::vector<double> numbers(wider.size(), 0.0);
  for (std::size_t f = 0; f < values_.size(); ++f) {
    const std::size_t rows = numeric(f) ? 1 : static_cast<std::size_t>(values_[f]) + 1, width = numeric(f) ? moments : 1;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < k(); ++c)
        for (std::size_t i = 0; i < width; ++i)
          numbers[wider.first_[f] + (row * wider.k() + static_cast<std::size_t>(place[c])) * width + i] =
              learnt[first_[f] + (row * k() + c) * width + i];
    for (std::size_t i = 0; numeric(f) && i < moments; ++i)
      numbers[wider.first_[f] + moments * wider.k() + i] = learnt[first_[f] + moments * k() + i];
  }
  return numbers;
}

bool Densities::possible(std::span<const double> learnt) const {
  if (learnt.size() != size()) return false;
  if (std::any_of(learnt.begin(), learnt.end(), [](double number) { return !std::isfinite(number); })) return false;
  for (std::size_t f = 0; f < values_.size(); ++f)
    for (std::size_t i = first_[f]; i < first_[f + 1]; ++i)
      if (learnt[i] < 0.0 && !(numeric(f) && (i - first_[f]) % moments == 1)) return false;
  return true;
}

void as_shares(std::span<double> logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) {
    std::fill(logs.begin(), logs.end(), 1.0 / static_cast<double>(logs.size()));
    return;
  }
  double sum = 0.0;
  for (double& log : logs) sum += log = std::exp(log - most);
  for (double& share : logs) share /= sum;
}

}  // namespace thriftwood
