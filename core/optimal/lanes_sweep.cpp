#include "lanes_sweep.hpp"

#include "simd.hpp"

// Vectors are passed within one function only, so how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace thriftwood::optimal {

namespace {

typedef double Doubles __attribute__((vector_size(64)));
typedef std::int32_t Wholes __attribute__((vector_size(64)));
typedef std::int64_t Bits __attribute__((vector_size(64)));

template <class V>
struct Scalar;
template <>
struct Scalar<Doubles> {
  using Number = double;
};
template <>
struct Scalar<Wholes> {
  using Number = std::int32_t;
};

template <class V>
THRIFTWOOD_INLINE void keep_less(V& a, const V& b) {
  a = a < b ? a : b;
}
template <class V>
THRIFTWOOD_INLINE void keep_more(V& a, const V& b) {
  a = a > b ? a : b;
}
template <class V>
THRIFTWOOD_INLINE void add_negative(V& sum, const V& x) {
  sum += x < V{} ? x : V{};
}
// `x` in the lanes that `in` has all bits of.
THRIFTWOOD_INLINE void add_in(Doubles& sum, const Doubles& in, double x) { sum += (Doubles)((Bits)in & (Bits)(x - Doubles{})); }
THRIFTWOOD_INLINE void add_in(Wholes& sum, const Wholes& in, std::int32_t x) { sum += in & x; }

template <class V>
THRIFTWOOD_INLINE void fill_places(const Fill& f) {
  const V lanes = *static_cast<const V*>(f.lanes);
  V* in = static_cast<V*>(f.in);
  V* total = static_cast<V*>(f.total);
  for (const std::uint32_t* p = f.first; p != f.last; ++p) {
    const auto* costs = static_cast<const typename Scalar<V>::Number*>(f.costs) + *p * f.answers;
    if (f.difference)
      add_in(in[*p], lanes, costs[0]);  // no other run has put anything into these lanes
    else
      in[*p] = (V)((Bits)in[*p] | (Bits)lanes);
    for (std::size_t a = 0; a < f.answers; ++a) add_in(total[a], lanes, costs[a]);
  }
}

template <class V>
THRIFTWOOD_INLINE void differences(const Sweep& s) {
  const V* in = static_cast<const V*>(s.in);
  V lacking{};
  for (std::uint32_t i = s.known; i < s.units; ++i) lacking += in[s.sorted[i]];
  const V known = static_cast<const V*>(s.total)[0] - lacking;
  V cost = static_cast<const V*>(s.total)[1];
  add_negative(cost, lacking);
  V* result = static_cast<V*>(s.cost);
  if (s.asking == Asking::Cuts) {
    V sum{}, least{}, most{};
    if (s.groups == 2) {
      const bool first = s.ends[0] * 2 <= s.known;
      for (std::uint32_t i = first ? 0 : s.ends[0], end = first ? s.ends[0] : s.known; i < end; ++i) sum += in[s.sorted[i]];
      add_negative(cost, sum);
      const V rest = known - sum;
      add_negative(cost, rest);
      *result = cost;
      return;
    }
    std::uint32_t i = 0;
    for (std::uint32_t g = 0; g < s.groups; ++g) {
      for (const std::uint32_t end = s.ends[g]; i < end; ++i) sum += in[s.sorted[i]];
      keep_less(least, sum);
      keep_more(most, sum);
    }
    V above = known - most;
    keep_less(above, least);
    *result = cost + above;
    return;
  }
  V best = known < V{} ? known : V{};  // never less than what a value saves
  V all{};
  std::uint32_t i = 0;
  for (std::uint32_t g = 0; g < s.groups; ++g) {
    V sum{};
    for (const std::uint32_t end = s.ends[g]; i < end; ++i) sum += in[s.sorted[i]];
    add_negative(all, sum);
    V split{};
    add_negative(split, sum);
    const V rest = known - sum;
    add_negative(split, rest);
    keep_less(best, split);
  }
  *result = cost + (s.asking == Asking::Every ? all : best);
}

// How many there are; known to the compiler where n is.
template <std::size_t n>
THRIFTWOOD_INLINE std::size_t answers(const Sweep& s) {
  return n > 0 ? n : s.answers;
}

template <class V, std::size_t n = 0>
THRIFTWOOD_INLINE void add_sums(const Sweep& s, V* total, std::uint32_t place) {
  const V& in = static_cast<const V*>(s.in)[place];
  const auto* costs = static_cast<const typename Scalar<V>::Number*>(s.costs) + place * answers<n>(s);
  for (std::size_t a = 0; a < answers<n>(s); ++a) add_in(total[a], in, costs[a]);
}

template <class V, std::size_t n = 0>
THRIFTWOOD_INLINE void add_least(const Sweep& s, const V* total, V& cost) {
  V least = total[0];
  for (std::size_t a = 1; a < answers<n>(s); ++a) keep_less(least, total[a]);
  cost += least;
}

// The cost of leaves for `taken` and for the rest of `all`.
template <class V, std::size_t n = 0>
THRIFTWOOD_INLINE void add_both(const Sweep& s, const V* all, const V* taken, V& cost) {
  V left = taken[0], right = all[0] - taken[0];
  for (std::size_t a = 1; a < answers<n>(s); ++a) {
    keep_less(left, taken[a]);
    const V rest = all[a] - taken[a];
    keep_less(right, rest);
  }
  cost += left + right;
}

template <class V, std::size_t n = 0>
THRIFTWOOD_INLINE void sums(const Sweep& s) {
  // Few answers stay in the machine's registers.
  V few[n > 0 ? 3 * n : 1];
  V* lacking = n > 0 ? few : static_cast<V*>(s.space);
  V* known = lacking + answers<n>(s);
  V* sum = known + answers<n>(s);
  V cost{}, all{}, best{};
  for (std::size_t a = 0; a < answers<n>(s); ++a) lacking[a] = sum[a] = V{};
  for (std::uint32_t i = s.known; i < s.units; ++i) add_sums<V, n>(s, lacking, s.sorted[i]);
  for (std::size_t a = 0; a < answers<n>(s); ++a) known[a] = static_cast<const V*>(s.total)[a] - lacking[a];
  if (s.known < s.units) add_least<V, n>(s, lacking, cost);
  add_least<V, n>(s, known, best);  // no less than what a question leaves
  V* result = static_cast<V*>(s.cost);
  if (s.asking == Asking::Cuts && s.groups == 2) {
    const bool first = s.ends[0] * 2 <= s.known;
    for (std::uint32_t i = first ? 0 : s.ends[0], end = first ? s.ends[0] : s.known; i < end; ++i) add_sums<V, n>(s, sum, s.sorted[i]);
    add_both<V, n>(s, known, sum, cost);
    *result = cost;
    return;
  }
  std::uint32_t i = 0;
  for (std::uint32_t g = 0; g < s.groups; ++g) {
    if (s.asking != Asking::Cuts)
      for (std::size_t a = 0; a < answers<n>(s); ++a) sum[a] = V{};
    for (const std::uint32_t end = s.ends[g]; i < end; ++i) add_sums<V, n>(s, sum, s.sorted[i]);
    if (s.asking == Asking::Every) {
      add_least<V, n>(s, sum, all);
      continue;
    }
    V split{};
    add_both<V, n>(s, known, sum, split);
    keep_less(best, split);
  }
  *result = cost + (s.asking == Asking::Every ? all : best);
}

template <class V>
THRIFTWOOD_INLINE void any_sums(const Sweep& s) {
  switch (s.answers) {
    case 3: return sums<V, 3>(s);
    case 4: return sums<V, 4>(s);
    case 5: return sums<V, 5>(s);
    case 6: return sums<V, 6>(s);
    default: return sums<V>(s);
  }
}

// Sums of units: what each answer costs them, their weight and their number.
struct Sums {
  Doubles* total;
  Doubles weight, count;
};

THRIFTWOOD_INLINE void empty(const Sweep& s, Sums& sums) {
  for (std::size_t a = 0; a < s.answers; ++a) sums.total[a] = Doubles{};
  sums.weight = sums.count = Doubles{};
}

THRIFTWOOD_INLINE void add_unit(const Sweep& s, Sums& sums, std::uint32_t place) {
  const Doubles& in = static_cast<const Doubles*>(s.in)[place];
  add_sums(s, sums.total, place);
  add_in(sums.weight, in, s.weights[place]);
  add_in(sums.count, in, 1.0);
}

// What a leaf for `all` less `taken` costs.
THRIFTWOOD_INLINE void add_leaf(const Sweep& s, const Sums& all, const Sums* taken, Doubles& cost) {
  Doubles least{};
  for (std::size_t a = 0; a < s.answers; ++a) {
    Doubles total = taken == nullptr ? all.total[a] : all.total[a] - taken->total[a];
    if (s.prior_weight > 0.0) total += s.prior_weight * s.prior_cost[a];
    if (a == 0)
      least = total;
    else
      keep_less(least, total);
  }
  const Doubles count = taken == nullptr ? all.count : all.count - taken->count;
  if (s.prior_weight > 0.0) {
    const Doubles weight = taken == nullptr ? all.weight : all.weight - taken->weight;
    least *= weight / (weight + s.prior_weight);
  }
  least = count > 0.5 ? least + s.fee : Doubles{};
  cost += least;
}

THRIFTWOOD_INLINE void everything(const Sweep& s) {
  auto* space = static_cast<Doubles*>(s.space);
  const auto* total = static_cast<const Doubles*>(s.total);
  Sums lacking{space, {}, {}}, known{space + s.answers, {}, {}}, taken{space + 2 * s.answers, {}, {}};
  empty(s, lacking);
  for (std::uint32_t i = s.known; i < s.units; ++i) add_unit(s, lacking, s.sorted[i]);
  for (std::size_t a = 0; a < s.answers; ++a) known.total[a] = total[a] - lacking.total[a];
  known.weight = *reinterpret_cast<const Doubles*>(s.weight) - lacking.weight;
  known.count = *reinterpret_cast<const Doubles*>(s.count) - lacking.count;
  *static_cast<Doubles*>(s.known_weight) = known.weight;
  Doubles cost{}, all{}, best{};
  if (s.known < s.units) add_leaf(s, lacking, nullptr, cost);
  if (s.asking == Asking::Value)
    best += infinity;
  else
    add_leaf(s, known, nullptr, best);  // a cut above all values tells those that have one from the others
  empty(s, taken);
  std::uint32_t i = 0;
  for (std::uint32_t g = 0; g < s.groups; ++g) {
    if (s.asking != Asking::Cuts) empty(s, taken);
    for (const std::uint32_t end = s.ends[g]; i < end; ++i) add_unit(s, taken, s.sorted[i]);
    if (s.asking == Asking::Every) {
      add_leaf(s, taken, nullptr, all);
      continue;
    }
    Doubles split{};
    add_leaf(s, taken, nullptr, split);
    add_leaf(s, known, &taken, split);
    if (s.asking == Asking::Value) split = taken.count > 0.5 ? split : split + infinity;  // nobody would say yes
    keep_less(best, split);
  }
  *static_cast<Doubles*>(s.cost) = cost + (s.asking == Asking::Every ? all : best);
}

// Every loop for every machine.
#define THRIFTWOOD_SWEEPS(name, attribute)                                            \
  attribute void fill_##name(const Fill& s) { fill_places<Doubles>(s); }              \
  attribute void fill_whole_##name(const Fill& s) { fill_places<Wholes>(s); }         \
  attribute void differences_##name(const Sweep& s) { differences<Doubles>(s); }      \
  attribute void differences_whole_##name(const Sweep& s) { differences<Wholes>(s); } \
  attribute void sums_##name(const Sweep& s) { any_sums<Doubles>(s); }                \
  attribute void sums_whole_##name(const Sweep& s) { any_sums<Wholes>(s); }           \
  attribute void everything_##name(const Sweep& s) { everything(s); }

THRIFTWOOD_SWEEPS(plain, )
#if THRIFTWOOD_X86
THRIFTWOOD_SWEEPS(avx2, THRIFTWOOD_AVX2)
THRIFTWOOD_SWEEPS(avx512, THRIFTWOOD_AVX512)
#define THRIFTWOOD_CHOOSE(name)                    \
  switch (machine()) {                             \
    case Machine::Avx512: return name##_avx512(s); \
    case Machine::Avx2: return name##_avx2(s);     \
    case Machine::Plain: return name##_plain(s);   \
  }
#else
#define THRIFTWOOD_CHOOSE(name) name##_plain(s);
#endif

}  // namespace

void fill(const Fill& s) { THRIFTWOOD_CHOOSE(fill) }
void fill_whole(const Fill& s) { THRIFTWOOD_CHOOSE(fill_whole) }
void sweep_differences(const Sweep& s) { THRIFTWOOD_CHOOSE(differences) }
void sweep_differences_whole(const Sweep& s) { THRIFTWOOD_CHOOSE(differences_whole) }
void sweep_sums(const Sweep& s) { THRIFTWOOD_CHOOSE(sums) }
void sweep_sums_whole(const Sweep& s) { THRIFTWOOD_CHOOSE(sums_whole) }
void sweep_all(const Sweep& s) { THRIFTWOOD_CHOOSE(everything) }

}  // namespace thriftwood::optimal
