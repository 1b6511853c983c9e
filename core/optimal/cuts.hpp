// Which cuts of a numeric column still have to be looked at. The parts on the left of its cuts contain each other, so what is known about
// one cut bounds the others (ConTree's bounds, in money):
//
//   between    a cut between two that were solved costs at least the left part of the lower one and the right part of the upper one
//   nearby     moving a unit to the other side changes what that side costs by at most `most`: its dearest answer and its dearest way
//
// Cuts are 1 .. last. Windows are looked at from wide to narrow, each at its middle.
#pragma once

#include <deque>
#include <vector>

#include "view.hpp"

namespace thriftwood::optimal {

class Cuts {
 public:
  // `dearest_way`: the most that tests below can cost a case.
  void begin(const Cases& cases, const Part& part, const View& view, const ColumnView& column, double dearest_way);

  // The next cut that may cost less than `most` on both sides together; 0: there is none.
  std::uint32_t next(double most);
  // How much the cut that `next` gave last has to cost above what is allowed to rule out all others of its window.
  double reach() const { return reach_; }
  // What is known about a cut: the least that its sides cost.
  void know(std::uint32_t cut, double left, double right);
  double least_left(std::uint32_t cut) const { return left_[cut]; }
  double least_right(std::uint32_t cut) const { return right_[cut]; }
  // No cut that is still to be looked at costs less; infinity: none is.
  double least() const;

 private:
  struct Window {
    std::uint32_t low, high;    // cuts about which more is known; 0 and last + 1 where there is none
    std::uint32_t first, last;  // what is to be looked at
  };

  double left_bound(const Window& window, std::uint32_t cut) const;
  double right_bound(const Window& window, std::uint32_t cut) const;

  std::uint32_t last_ = 0;
  double reach_ = 0.0;
  std::deque<Window> windows_;
  std::vector<double> left_, right_;  // per cut, with both ends
  std::vector<double> move_;          // per cut: the sum of `most` of the units before it
};

}  // namespace thriftwood::optimal
