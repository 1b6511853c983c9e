// The tail probability that chi-square pre-pruning needs.
#pragma once

#include <cmath>

namespace thriftwood {

// log Gamma(df / 2) for a whole df. (std::lgamma writes a global sign, which is a race between threads.)
inline double log_gamma_half(int df) {
  double sum = df % 2 == 0 ? 0.0 : 0.5723649429247001;  // log Gamma(1/2) = log(pi) / 2
  for (int i = df - 2; i > 0; i -= 2) sum += std::log(i / 2.0);
  return sum;
}

// P(X > x) for a chi-square variable: the regularised upper incomplete gamma function Q(df / 2, x / 2), by its series below
// a + 1 and by Lentz's continued fraction above, as both converge fast there.
inline double chi_square_tail(double x, int df) {
  if (!(x > 0.0) || df <= 0) return 1.0;
  const double a = df / 2.0, z = x / 2.0;
  const double scale = std::exp(a * std::log(z) - z - log_gamma_half(df));
  if (z < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (int i = 1; i < 1000 && term > sum * 1e-17; ++i) {
      term *= z / (a + i);
      sum += term;
    }
    return 1.0 - sum * scale;
  }
  double b = z + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
  for (int i = 1; i < 1000; ++i) {
    const double an = -i * (i - a);
    b += 2.0;
    d = 1.0 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (std::abs(d * c - 1.0) < 1e-16) break;
  }
  return h * scale;
}

}  // namespace thriftwood
