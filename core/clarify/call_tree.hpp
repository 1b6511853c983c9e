// Subtrees of depth 0, 1 and 2 of the dynamic call tree, counted without keeping a trace.
//
//   activation  one run of a function's body; a node of the call tree
//   shape       a function with the set of functions it called directly: a subtree of depth 1
//   state       a function with the set of its children's shapes: a subtree of depth 2. An open activation is in the state of the
//               children that have ended so far; ending, it counts for its state. A state knows its shape and its function,
//               so one count per state gives the tables of all three depths.
//   step        when a child ends in a state of shape s, its parent goes from state q to step(q, s)
//
// States are hash-consed: one number per function and set, whatever the order. A set is kept as a chain (the state it came from and what
// was added), so a long-lived activation with n kinds of children costs n states and not n sets. Sets are told apart by two
// 64-bit sums over their members. Steps are remembered; the one taken last from a state is remembered in the state.
#pragma once

#include "arena.hpp"

namespace thriftwood::clarify {

struct State {
  std::uint32_t function;
  std::uint32_t shape;
  std::uint64_t ended;      // activations that ended in this state
  std::uint32_t previous;   // the state without `added`; 0: no children
  std::uint32_t added;      // a shape
  std::uint32_t last_child, last_next;  // the last step
};
static_assert(sizeof(State) == 32);

struct Shape {
  std::uint32_t function;
  std::uint32_t previous;  // the shape without `added`; 0: no children
  std::uint32_t added;     // a function
  std::uint32_t size;      // of the set
};
static_assert(sizeof(Shape) == 16);

// What the reader finds of the tables. Numbers begin at 1: 0 is none.
struct CallTreeHead {
  std::uint64_t states, state_count;
  std::uint64_t shapes, shape_count;
};

namespace detail {

constexpr std::uint64_t mix(std::uint64_t x) noexcept {  // the finalizer of splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Of a function and a set: sums, so that the order of the members does not matter.
struct Identity {
  std::uint64_t first, second;
  static constexpr Identity of(std::uint32_t function) noexcept { return {mix(function + 0x9e3779b97f4a7c15u), mix(function + 0xd1b54a32d192ed03u)}; }
  constexpr Identity with(std::uint32_t member) const noexcept {
    return {first + mix(member + 0xa0761d6478bd642fu), second + mix(member + 0xe7037ed1a0b428dbu)};
  }
  bool operator==(const Identity&) const = default;
};

// Open addressing from a key to a number that is not 0; linear probing, at most half full.
template <class Key, class Hash>
class Lookup {
 public:
  std::uint32_t find(const Key& key) const noexcept {
    if (!slots_.size()) return 0;
    for (std::uint64_t i = mask_ & Hash{}(key);; i = (i + 1) & mask_) {
      if (!slots_[i].number || slots_[i].key == key) return slots_[i].number;
    }
  }
  bool insert(const Key& key, std::uint32_t number) noexcept {
    if (2 * (count_ + 1) > capacity_ && !grow()) return false;
    put(key, number);
    ++count_;
    return true;
  }

 private:
  struct Slot {
    Key key;
    std::uint32_t number;
  };
  void put(const Key& key, std::uint32_t number) noexcept {
    std::uint64_t i = mask_ & Hash{}(key);
    while (slots_[i].number) i = (i + 1) & mask_;
    slots_[i].key = key, slots_[i].number = number;
  }
  // The new slots are whole before they are looked at: a signal handler may jump out at any moment.
  bool grow() noexcept {
    Lookup larger;
    larger.capacity_ = capacity_ ? capacity_ * 2 : 1024, larger.mask_ = larger.capacity_ - 1;
    if (!larger.slots_.reserve(larger.capacity_)) return false;
    for (std::uint64_t i = 0; i < capacity_; ++i) {
      if (slots_[i].number) larger.put(slots_[i].key, slots_[i].number);
    }
    slots_.swap(larger.slots_);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    capacity_ = larger.capacity_, mask_ = larger.mask_;
    return true;
  }

  Pages<Slot> slots_;
  std::uint64_t capacity_ = 0, mask_ = 0, count_ = 0;
};

struct HashIdentity {
  std::uint64_t operator()(const Identity& identity) const noexcept { return identity.first; }
};
struct HashStep {
  std::uint64_t operator()(std::uint64_t key) const noexcept { return (key * 0x9e3779b97f4a7c15u) >> 24; }
};

}  // namespace detail

class CallTree {
 public:
  // False when there is no room; so for every method that makes something.
  bool begin(Arena& arena, std::uint32_t owner, CallTreeHead& head) noexcept {
    head_ = &head;
    states_.begin(arena, Kind::states, owner, &head.states);
    shapes_.begin(arena, Kind::shapes, owner, &head.shapes);
    head.state_count = head.shape_count = 1;  // number 0 is none
    return states_.reserve(1, 0) && shapes_.reserve(1, 0);
  }

  // The state of an activation of `function` that has no children yet; 0 when there is no room.
  std::uint32_t root(std::uint32_t function) noexcept {
    if (function < roots_.size() && roots_[function]) [[likely]]
      return roots_[function];
    return new_root(function);
  }
  // The state after a child ended in state `child`; 0 when there is no room.
  std::uint32_t step(std::uint32_t state, std::uint32_t child) noexcept {
    const std::uint32_t shape = states_[child].shape;
    State& from = states_[state];
    if (from.last_child == shape) [[likely]]
      return from.last_next;
    const std::uint32_t next = remembered(state, shape);
    if (next) [[likely]] {  // never a child with another's step: a signal handler may jump out in between
      from.last_child = 0;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      from.last_next = next;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      from.last_child = shape;
    }
    return next;
  }
  void end(std::uint32_t state) noexcept { ++states_[state].ended; }
  // What seemed to have ended in this state goes on.
  void take_back(std::uint32_t state) noexcept { --states_[state].ended; }
  // The state that has the children of both; `other` may be of another thread's tree. 0 when there is no room.
  std::uint32_t joined(std::uint32_t state, const CallTree& tree, std::uint32_t other) noexcept {
    for (; state && tree.states_[other].previous; other = tree.states_[other].previous) {
      std::uint32_t shape = tree.states_[other].added;
      std::uint32_t child = root(tree.shapes_[shape].function);
      for (; child && tree.shapes_[shape].previous; shape = tree.shapes_[shape].previous) {
        const std::uint32_t below = root(tree.shapes_[shape].added);
        child = below ? step(child, below) : 0;
      }
      state = child ? step(state, child) : 0;
    }
    return state;
  }

  const State& state(std::uint32_t number) const noexcept { return states_[number]; }
  const Shape& shape(std::uint32_t number) const noexcept { return shapes_[number]; }
  std::uint64_t states() const noexcept { return head_->state_count; }

 private:
  using Identity = detail::Identity;

  std::uint32_t remembered(std::uint32_t state, std::uint32_t shape) noexcept {
    const std::uint64_t key = std::uint64_t{state} << 32 | shape;
    if (const std::uint32_t next = steps_.find(key)) [[likely]]
      return next;
    const std::uint32_t next = has_child(state, shape) ? state : state_with(state, shape);
    return next && steps_.insert(key, next) ? next : 0;
  }
  // Back along the chain as far as the last state for which the same was asked: in a set that grows and grows, members come again and again.
  bool has_child(std::uint32_t state, std::uint32_t shape) const noexcept {
    while (const std::uint32_t before = states_[state].previous) {
      if (states_[state].added == shape) return true;
      if (const std::uint32_t next = steps_.find(std::uint64_t{before} << 32 | shape)) return next == before;
      state = before;
    }
    return false;
  }
  std::uint32_t new_root(std::uint32_t function) noexcept {
    const std::uint32_t shape = add_shape({function, 0, 0, 0}, Identity::of(function));
    const std::uint32_t state = shape ? add_state({function, shape, 0, 0, 0, 0, 0}, Identity::of(function)) : 0;
    if (!state || !roots_.reserve(std::uint64_t{function} + 1)) return 0;
    return roots_[function] = state;
  }
  std::uint32_t state_with(std::uint32_t state, std::uint32_t child) noexcept {
    const Identity identity = state_identities_[state].with(child);
    if (const std::uint32_t known = states_by_identity_.find(identity)) return known;
    const std::uint32_t shape = shape_with(states_[state].shape, shapes_[child].function);
    return shape ? add_state({states_[state].function, shape, 0, state, child, 0, 0}, identity) : 0;
  }
  std::uint32_t shape_with(std::uint32_t shape, std::uint32_t function) noexcept {
    for (std::uint32_t s = shape; shapes_[s].previous; s = shapes_[s].previous) {
      if (shapes_[s].added == function) return shape;
    }
    const Identity identity = shape_identities_[shape].with(function);
    if (const std::uint32_t known = shapes_by_identity_.find(identity)) return known;
    return add_shape({shapes_[shape].function, shape, function, shapes_[shape].size + 1}, identity);
  }
  std::uint32_t add_state(const State& state, const Identity& identity) noexcept {
    const std::uint64_t number = head_->state_count;
    if (!states_.reserve(number + 1, number) || !state_identities_.reserve(number + 1)) return 0;
    states_[number] = state;
    state_identities_[number] = identity;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    head_->state_count = number + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return states_by_identity_.insert(identity, static_cast<std::uint32_t>(number)) ? static_cast<std::uint32_t>(number) : 0;
  }
  std::uint32_t add_shape(const Shape& shape, const Identity& identity) noexcept {
    const std::uint64_t number = head_->shape_count;
    if (!shapes_.reserve(number + 1, number) || !shape_identities_.reserve(number + 1)) return 0;
    shapes_[number] = shape;
    shape_identities_[number] = identity;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    head_->shape_count = number + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return shapes_by_identity_.insert(identity, static_cast<std::uint32_t>(number)) ? static_cast<std::uint32_t>(number) : 0;
  }

  CallTreeHead* head_ = nullptr;
  Pool<State> states_;
  Pool<Shape> shapes_;
  Pages<std::uint32_t> roots_;  // by function
  Pages<Identity> state_identities_, shape_identities_;
  detail::Lookup<Identity, detail::HashIdentity> states_by_identity_, shapes_by_identity_;
  detail::Lookup<std::uint64_t, detail::HashStep> steps_;  // (state, shape of the child) -> state
};

}  // namespace thriftwood::clarify
