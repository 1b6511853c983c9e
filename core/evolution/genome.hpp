// What a string of bits stands for: the part of evolution that differs from learner to learner.
//
//   string   an individual
//   trial    the judging of one string: a tree, and what it costs
//
// A genome is fixed once made; threads may use it at the same time. A new one is a file of its own, like icet.hpp and ecco.hpp.
//
// The loop (evolve.hpp) knows bits and costs, nothing of trees. Strings are bred by the calling thread and judged by all; what a trial draws
// depends on the seed, its generation and its place. Every string of every generation is judged anew and counted.
#pragma once

#include <memory>

#include "bits.hpp"
#include "draws.hpp"

namespace thriftwood {

// Judges strings, one at a time; every thread has its own.
class Judge {
 public:
  virtual ~Judge() = default;
  // The mean cost of a case, the less the better; the same for the same string and key.
  virtual double cost(const Bits& string, Key trial) = 0;
};

class Genome {
 public:
  virtual ~Genome() = default;

  // How long its strings are.
  virtual std::size_t bits() const = 0;
  // The string at that place of the first generation.
  virtual void begin(Bits& string, std::size_t place, Draws draws) const = 0;
  virtual void cross(Bits& a, Bits& b, Draws draws) const = 0;
  virtual void mutate(Bits& string, Draws draws) const = 0;
  virtual std::unique_ptr<Judge> judge() const = 0;
  // How many strings to judge at a time are worth another thread.
  virtual std::size_t worth_a_thread() const { return 1; }
};

}  // namespace thriftwood
