#include "logistic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thriftwood::face {

namespace {

constexpr double ridge = 1.0, free_ridge = 1e-6;  // the first column is not held back
constexpr double least_ridge = 1e-12;             // of the largest second derivative
constexpr double small_step = 1e-7;
constexpr int most_sweeps = 200;

double held(std::size_t column) { return column == 0 ? free_ridge : ridge; }

// Solves a symmetric system that is positive definite: by Cholesky's factors.
std::vector<double> solved(std::vector<double> bend, std::vector<double> slope) {
  const std::size_t n = slope.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) bend[j * n + j] -= bend[j * n + k] * bend[j * n + k];
    bend[j * n + j] = std::sqrt(bend[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) bend[i * n + j] -= bend[i * n + k] * bend[j * n + k];
      bend[i * n + j] /= bend[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) slope[i] -= bend[i * n + k] * slope[k];
    slope[i] /= bend[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) slope[i] -= bend[k * n + i] * slope[k];
    slope[i] /= bend[i * n + i];
  }
  return slope;
}

// The coefficients of one class after the other take Newton's step, until none moves: of two classes there is one, and it is Newton's method.
class Fit {
 public:
  Fit(const Design& design, std::span<const Index> labels, std::size_t classes)
      : design_(design), labels_(labels), classes_(classes), scored_(classes == 2 ? 1 : classes), coefficients_(scored_ * design.width) {}

  std::vector<double> run() {
    double least = loss();
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double moved = 0.0;
      for (std::size_t scored = 0; scored < scored_; ++scored) moved = std::max(moved, step(scored, least));
      if (moved <= small_step) break;
    }
    return std::move(coefficients_);
  }

 private:
  double loss() const {
    double sum = 0.0;
    const std::vector<double> shares = logistic_shares(design_, coefficients_, classes_);
    for (std::size_t i = 0; i < labels_.size(); ++i) sum -= std::log(std::max(shares[i * classes_ + static_cast<std::size_t>(labels_[i])], 1e-300));
    for (std::size_t i = 0; i < coefficients_.size(); ++i) sum += 0.5 * held(i % design_.width) * coefficients_[i] * coefficients_[i];
    return sum;
  }

  // Halved until it makes things no worse; returns how far it went.
  double step(std::size_t scored, double& least) {
    const std::size_t width = design_.width, own = classes_ == 2 ? 1 : scored;
    const std::vector<double> shares = logistic_shares(design_, coefficients_, classes_);
    double* const at = coefficients_.data() + scored * width;
    std::vector<double> slope(width), bend(width * width);
    for (std::size_t column = 0; column < width; ++column) slope[column] = held(column) * at[column];
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const double share = shares[i * classes_ + own], off = share - (static_cast<std::size_t>(labels_[i]) == own ? 1.0 : 0.0);
      const double* const row = design_.row(i);
      for (std::size_t one = 0; one < width; ++one) {
        slope[one] += row[one] * off;
        const double weighed = row[one] * share * (1.0 - share);
        if (weighed != 0.0)
          for (std::size_t other = 0; other <= one; ++other) bend[one * width + other] += weighed * row[other];
      }
    }
    double largest = 0.0;
    for (std::size_t column = 0; column < width; ++column) largest = std::max(largest, bend[column * width + column]);
    for (std::size_t column = 0; column < width; ++column) bend[column * width + column] += std::max(held(column), least_ridge * largest);
    std::vector<double> going = solved(std::move(bend), std::move(slope));
    const std::vector<double> before(at, at + width);
    for (;;) {
      double moved = 0.0;
      for (std::size_t column = 0; column < width; ++column) {
        at[column] = before[column] - going[column];
        moved = std::max(moved, std::abs(going[column]));
      }
      const double now = loss();
      if (now <= least + 1e-12 * std::abs(least) || moved <= small_step) {
        least = std::min(least, now);
        return moved;
      }
      for (double& one : going) one *= 0.5;
    }
  }

  const Design& design_;
  std::span<const Index> labels_;
  std::size_t classes_, scored_;
  std::vector<double> coefficients_;
};

}  // namespace

std::vector<double> fit_logistic(const Design& design, std::span<const Index> labels, std::size_t classes) {
  if (classes < 2) return {};
  return Fit(design, labels, classes).run();
}

std::vector<double> logistic_shares(const Design& design, std::span<const double> coefficients, std::size_t classes) {
  const std::size_t n = design.rows(), scored = coefficients.size() / design.width;
  std::vector<double> shares(n * classes, classes < 2 ? 1.0 : 0.0);
  for (std::size_t i = 0; i < n && classes > 1; ++i) {
    double* const own = shares.data() + i * classes;
    double* const first = scored == classes ? own : own + 1;  // of two classes the first has the score 0
    for (std::size_t s = 0; s < scored; ++s)
      first[s] = std::inner_product(design.row(i), design.row(i) + design.width, coefficients.data() + s * design.width, 0.0);
    const double top = *std::max_element(own, own + classes);
    double sum = 0.0;
    for (std::size_t c = 0; c < classes; ++c) sum += own[c] = std::exp(own[c] - top);
    for (std::size_t c = 0; c < classes; ++c) own[c] /= sum;
  }
  return shares;
}

}  // namespace thriftwood::face
