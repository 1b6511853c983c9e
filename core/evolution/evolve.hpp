// Evolution: strings of bits that stand for trees (genome.hpp), judged by what their trees cost.
//
//   generation   1. judge every string, in parallel
//                2. copy the cheaper ones more often: by the distance from the worst cost of the last `window` generations, each as
//                   often as its expected number of copies says, rounded down or up
//                3. of the copies in random order, cross the first ones in pairs; mutate all of them
//                4. a part of the population, 1 - gap, is not replaced: strings drawn at random stay as they are
//                5. elitist: the best string of the last generation is there unchanged
//   best         of all trials; the earliest of equals
//
// These are the rules of GENESIS (Grefenstette). What a trial draws depends on the seed, its generation and its place alone, so any
// number of threads gives the same result.
#pragma once

#include <functional>
#include <vector>

#include "../basics/stopping.hpp"
#include "genome.hpp"

namespace thriftwood {

struct Evolution {
  std::size_t population = 50;
  std::size_t trials = 1000;   // whole generations: rounded up
  double crossover = 0.6;      // the part of the copies that is crossed
  double gap = 1.0;            // the part of the population that is replaced
  std::size_t window = 5;
  bool elitist = true;
  std::size_t patience = 0;    // ends after so many generations without a better best; 0: never
  Key seed = 0;
  int threads = 1;
};

struct Generation {
  double best;  // the least cost in this generation
  double mean;
};

struct Evolved {
  enum class End : std::uint8_t { Trials, Patience, Time, Asked };

  Bits best;
  double cost = infinity;
  Key trial = 0;                    // the key of the trial that judged it so
  Bits last;                        // the best of the last generation that was judged as a whole; if none was, of those judged
  double last_cost = infinity;
  std::size_t trials = 0;           // judged in all
  std::vector<Generation> history;  // the last one may be of those judged before the end
  End end = End::Trials;            // Asked even if it was with the last trial: who asks may have more to end than this
};

// Called after every whole generation with its number (from 1), how many there are to be, and its costs; false: enough.
using Tell = std::function<bool(std::size_t, std::size_t, const Generation&)>;

// At least one string is judged, whatever `stop` says; if it is interrupted before, Interrupted is thrown on.
Evolved evolve(const Genome& genome, const Evolution& how, Stop& stop, const Tell& tell = {});

}  // namespace thriftwood
