#include "error_bound.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace thriftwood {

namespace {

struct Entry {
  double cf, z;
};

constexpr std::array<Entry, 9> table{
    {{0.0, 4.0}, {0.001, 3.09}, {0.005, 2.58}, {0.01, 2.33}, {0.05, 1.65}, {0.10, 1.28}, {0.20, 0.84}, {0.40, 0.25}, {1.0, 0.0}}};

double z_from_table(double cf) {
  std::size_t i = 1;
  while (i + 1 < table.size() && cf > table[i].cf) ++i;
  const Entry& low = table[i - 1];
  const Entry& high = table[i];
  return low.z + (high.z - low.z) * (cf - low.cf) / (high.cf - low.cf);
}

// The z that a standard normal variable exceeds with probability cf. Bisection: once per pruning, so plain
// beats fast.
double z_exact(double cf) {
  double low = 0.0, high = 40.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(middle / std::numbers::sqrt2) > cf ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

ErrorBound::ErrorBound(double cf, ZRule rule) : log_cf_(std::log(cf)) {
  if (!(cf >= 0.0 && cf <= 1.0))
    throw InputError("The confidence factor is " + std::to_string(cf) + ". It lies between 0 and 1; C4.5's default is 0.25.");
  if (rule == ZRule::Exact && !(cf > 0.0 && cf <= 0.5))
    throw InputError("The confidence factor is " + std::to_string(cf) +
                     ". With the exact z it is above 0 and at most 0.5; the table's z allows 0 to 1.");
  const double z = rule == ZRule::Table ? z_from_table(cf) : z_exact(cf);
  z_squared_ = z * z;
}

double ErrorBound::extra_without_errors(double n) const { return n * (1.0 - std::exp(log_cf_ / n)); }

double ErrorBound::extra_with_errors(double n, double e) const {
  if (e + 0.5 >= n) return 0.67 * (n - e);  // hardly a right answer left: two thirds of the rest
  const double c = z_squared_;
  const double half_up = e + 0.5;
  const double limit = (half_up + c / 2 + std::sqrt(c * (half_up * (1 - half_up / n) + c / 4))) / (n + c);
  return n * limit - e;
}

double ErrorBound::extra(double n, double e) const {
  if (n <= 0.0) return 0.0;
  if (e < 1e-6) return extra_without_errors(n);
  if (e >= 0.9999) return extra_with_errors(n, e);
  const double none = extra_without_errors(n);
  return none + e * (extra_with_errors(n, 1.0) - none);
}

double extra_errors(double n, double e, double cf, ZRule rule) { return ErrorBound(cf, rule).extra(n, e); }

}  // namespace thriftwood
