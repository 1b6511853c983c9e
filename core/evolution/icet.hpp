// ICET (Turney 1995): strings that stand for biases. C4.5 with EG2's criterion grows a tree by these instead of the true prices, and
// the tree is judged by what it really costs.
//
//   bias     what EG2 is told that a test costs
//   string   one bias for every feature, then EG2's exponent w, then the pruning's confidence factor in percent; each number in Gray
//            code, spread evenly over its range, both ends included
//   trial    the cases are divided at random into two halves; a tree is grown on one and judged on the other. Every trial divides
//            anew, so the same string costs more or less from trial to trial
//
// Biases stand for all that a test costs: the trees are grown without groups, resources and delays, and judged with them. The halves of a
// trial are drawn among rows that count, whatever they weigh.
#pragma once

#include <optional>
#include <vector>

#include "../growing/grow.hpp"
#include "../pruning/cut.hpp"
#include "genome.hpp"
#include "judging.hpp"

namespace thriftwood {

inline std::uint32_t gray(std::uint32_t number) { return number ^ (number >> 1); }
inline std::uint32_t from_gray(std::uint32_t code) {
  for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

// A number of a string.
struct Gene {
  unsigned bits;
  double low, high;

  double value(std::uint32_t code) const;
  std::uint32_t nearest(double value) const;
};

struct IcetSettings {
  Gene bias{12, 1.0, 10000.0};
  Gene w{8, 0.0, 1.0};
  Gene cf{8, 1.0, 100.0};          // in percent
  double mutation = 0.001;         // per bit
  bool flip = false;               // a mutated bit is turned over; otherwise it is drawn anew
  bool cheapest = false;           // leaves answer what costs least; otherwise the commonest class, as C4.5 does
  bool true_prices_first = false;  // the first string of the first generation has the true prices, w 1 and a cf of 25 %
};

struct Biases {
  std::vector<double> price;  // per feature
  double w;
  double cf;                  // from 0 to 1
};

class Icet : public Genome {
 public:
  // growth: how trees grow, but for the prices and w. cut: how they are pruned, but for cf. What `judged` points at must outlive it.
  Icet(const Judged& judged, const Settings& growth, const PessimisticCut& cut, const IcetSettings& settings);

  std::size_t bits() const override;
  void begin(Bits& string, std::size_t place, Draws draws) const override;
  // On the string as a ring, at two points.
  void cross(Bits& a, Bits& b, Draws draws) const override;
  void mutate(Bits& string, Draws draws) const override;
  std::unique_ptr<Judge> judge() const override;

  Biases decode(const Bits& string) const;
  Bits encode(const Biases& biases) const;

  struct Halves {
    std::vector<Row> grow, judge;  // ascending; the first has one more if the number is odd
  };
  Halves halves(Key trial) const;

  // The tree of a string, grown on some rows (none given: on all).
  Tree tree(const Bits& string, std::span<const Row> rows = {}) const;

 private:
  Prices biased_prices(const Biases& biases) const;

  Judged judged_;
  Target target_;
  Settings growth_;
  PessimisticCut cut_;
  IcetSettings settings_;
  std::vector<Row> rows_;           // those that count
  std::optional<PreparedLearner> learner_;  // always there; made last
};

}  // namespace thriftwood
