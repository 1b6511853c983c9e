// How many errors to expect from a leaf that made e errors on n training cases: e plus the extra errors
// below.
//
//   cf             confidence factor: the smaller, the more pessimistic
//   z              how many standard deviations belong to cf: C4.5 interpolates a short table (0.6925 for
//                  cf = 0.25), the normal distribution says 0.6745
//   extra errors   from e up to the upper confidence limit of a binomial with n trials and e errors
//
// Quinlan 1993, section 4; the numbers are those of C4.5 release 8.
#pragma once

#include "../basics/types.hpp"

namespace thriftwood {

enum class ZRule : std::uint8_t { Table, Exact };

class ErrorBound {
 public:
  ErrorBound(double cf, ZRule rule);

  double extra(double n, double e) const;
  double upper(double n, double e) const { return e + extra(n, e); }

 private:
  double extra_without_errors(double n) const;
  double extra_with_errors(double n, double e) const;

  double log_cf_;
  double z_squared_;
};

double extra_errors(double n, double e, double cf = 0.25, ZRule rule = ZRule::Table);

}  // namespace thriftwood
