// What is known of parts that were searched: their exact cost and first question, or what they cost at least.
//
// Entries have one size, and two tables of them share the memory that is allowed: when the young one has its half, the old one is forgotten
// and the young one becomes old. What is asked for in the old one moves to the young one. So memory is kept, what is used stays, and
// what is forgotten is searched again.
#pragma once

#include <cstddef>
#include <vector>

#include "cases.hpp"

namespace thriftwood::optimal {

struct Known {
  enum class State : std::uint32_t {
    Bound,   // `cost` is a lower bound
    Exact,   // `cost` is the least
    Best,    // the search was ended early: `question` is the best found so far, `cost` a lower bound
  };
  SetKey key;
  double cost = 0.0;
  Index column = Question::leaf;
  std::uint32_t cut : 30 = 0;
  State state : 2 = State::Bound;
};

class Cache {
 public:
  // In bytes, of all tables together.
  explicit Cache(std::size_t most);

  // Null: nothing is known. Good until the next call.
  const Known* find(const SetKey& key);
  void put(const Known& known);

  std::size_t bytes() const { return (young_.slots.size() + old_.slots.size()) * sizeof(Known); }

 private:
  struct Table {
    std::vector<Known> slots;  // a power of two; an entry of key 0 is empty
    std::size_t used = 0;

    Known* place(const SetKey& key);
  };

  void make_room();

  std::size_t most_slots_;  // of one table
  Table young_, old_;
};

}  // namespace thriftwood::optimal
