#include "lanes.hpp"

#include <cstring>
#include <new>

#include "simd.hpp"

// Vectors are passed within one function only, so how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace thriftwood::optimal {

namespace {

typedef double Eight __attribute__((vector_size(64)));

constexpr std::align_val_t alignment{64};

double* aligned(std::size_t doubles) { return static_cast<double*>(::operator new[](std::max<std::size_t>(doubles, 1) * sizeof(double), alignment)); }

// What a sweep reads and writes.
struct Sweep {
  const std::uint32_t* sorted;
  const std::uint32_t* ends;
  std::uint32_t groups, known, units;
  Asking asking;
  const Eight* in;
  // By difference:
  const Eight* second;
  const Eight* sum;
  // By answer:
  std::size_t answers;
  const double* costs;
  const double* weights;
  const Eight* total;
  const Eight* weight;
  const Eight* count;
  const double* prior_cost;
  double prior_weight;
  double fee;
  Eight* space;  // 3 vectors per answer
  Eight* cost;
  Eight* known_weight;
};

THRIFTWOOD_INLINE void keep_less(Eight& a, const Eight& b) { a = a < b ? a : b; }
THRIFTWOOD_INLINE void keep_more(Eight& a, const Eight& b) { a = a > b ? a : b; }
THRIFTWOOD_INLINE void add_negative(Eight& sum, const Eight& x) { sum += x < 0.0 ? x : Eight{}; }

THRIFTWOOD_INLINE void by_difference(const Sweep& s) {
  const Eight* in = s.in;
  Eight lacking{};
  for (std::uint32_t i = s.known; i < s.units; ++i) lacking += in[s.sorted[i]];
  const Eight known = *s.sum - lacking;
  Eight cost = *s.second;
  add_negative(cost, lacking);
  if (s.asking == Asking::Cuts) {
    Eight sum{}, least{}, most{};
    if (s.groups == 2) {
      const bool first = s.ends[0] * 2 <= s.known;
      for (std::uint32_t i = first ? 0 : s.ends[0], end = first ? s.ends[0] : s.known; i < end; ++i) sum += in[s.sorted[i]];
      add_negative(cost, sum);
      const Eight rest = known - sum;
      add_negative(cost, rest);
      *s.cost = cost;
      return;
    }
    std::uint32_t i = 0;
    for (std::uint32_t g = 0; g < s.groups; ++g) {
      for (const std::uint32_t end = s.ends[g]; i < end; ++i) sum += in[s.sorted[i]];
      keep_less(least, sum);
      keep_more(most, sum);
    }
    Eight above = known - most;
    keep_less(above, least);
    *s.cost = cost + above;
    return;
  }
  Eight best = known < 0.0 ? known : Eight{};  // never less than what a value saves
  Eight all{};
  std::uint32_t i = 0;
  for (std::uint32_t g = 0; g < s.groups; ++g) {
    Eight sum{};
    for (const std::uint32_t end = s.ends[g]; i < end; ++i) sum += in[s.sorted[i]];
    add_negative(all, sum);
    Eight split{};
    add_negative(split, sum);
    const Eight rest = known - sum;
    add_negative(split, rest);
    keep_less(best, split);
  }
  *s.cost = cost + (s.asking == Asking::Every ? all : best);
}

// Sums of units: what each answer costs them, their weight and their number.
struct Sums {
  Eight* total;
  Eight weight, count;
};

THRIFTWOOD_INLINE void empty(const Sweep& s, Sums& sums) {
  for (std::size_t a = 0; a < s.answers; ++a) sums.total[a] = Eight{};
  sums.weight = sums.count = Eight{};
}

THRIFTWOOD_INLINE void add(const Sweep& s, Sums& sums, std::uint32_t place) {
  const Eight& in = s.in[place];
  const double* costs = s.costs + place * s.answers;
  for (std::size_t a = 0; a < s.answers; ++a) sums.total[a] += in * costs[a];
  sums.weight += in * s.weights[place];
  sums.count += in;
}

// What a leaf for `all` less `taken` costs.
THRIFTWOOD_INLINE void add_leaf(const Sweep& s, const Sums& all, const Sums* taken, Eight& cost) {
  Eight least{};
  for (std::size_t a = 0; a < s.answers; ++a) {
    Eight total = taken == nullptr ? all.total[a] : all.total[a] - taken->total[a];
    if (s.prior_weight > 0.0) total += s.prior_weight * s.prior_cost[a];
    if (a == 0)
      least = total;
    else
      keep_less(least, total);
  }
  const Eight count = taken == nullptr ? all.count : all.count - taken->count;
  if (s.prior_weight > 0.0) {
    const Eight weight = taken == nullptr ? all.weight : all.weight - taken->weight;
    least *= weight / (weight + s.prior_weight);
  }
  if (s.prior_weight > 0.0 || s.fee > 0.0) least = count > 0.5 ? least + s.fee : Eight{};
  cost += least;
}

THRIFTWOOD_INLINE void by_answer(const Sweep& s) {
  Sums lacking{s.space, {}, {}}, known{s.space + s.answers, {}, {}}, sums{s.space + 2 * s.answers, {}, {}};
  empty(s, lacking);
  for (std::uint32_t i = s.known; i < s.units; ++i) add(s, lacking, s.sorted[i]);
  for (std::size_t a = 0; a < s.answers; ++a) known.total[a] = s.total[a] - lacking.total[a];
  known.weight = *s.weight - lacking.weight;
  known.count = *s.count - lacking.count;
  *s.known_weight = known.weight;
  Eight cost{}, all{}, best{};
  if (s.known < s.units) add_leaf(s, lacking, nullptr, cost);
  if (s.asking == Asking::Value)
    best += infinity;
  else
    add_leaf(s, known, nullptr, best);  // a cut above all values tells those that have one from the others
  empty(s, sums);
  std::uint32_t i = 0;
  for (std::uint32_t g = 0; g < s.groups; ++g) {
    if (s.asking != Asking::Cuts) empty(s, sums);
    for (const std::uint32_t end = s.ends[g]; i < end; ++i) add(s, sums, s.sorted[i]);
    if (s.asking == Asking::Every) {
      add_leaf(s, sums, nullptr, all);
      continue;
    }
    Eight split{};
    add_leaf(s, sums, nullptr, split);
    add_leaf(s, known, &sums, split);
    if (s.asking == Asking::Value) split = sums.count > 0.5 ? split : split + infinity;  // nobody would say yes
    keep_less(best, split);
  }
  *s.cost = cost + (s.asking == Asking::Every ? all : best);
}

void by_difference_plain(const Sweep& s) { by_difference(s); }
void by_answer_plain(const Sweep& s) { by_answer(s); }
#if THRIFTWOOD_X86
THRIFTWOOD_AVX2 void by_difference_avx2(const Sweep& s) { by_difference(s); }
THRIFTWOOD_AVX2 void by_answer_avx2(const Sweep& s) { by_answer(s); }
THRIFTWOOD_AVX512 void by_difference_avx512(const Sweep& s) { by_difference(s); }
THRIFTWOOD_AVX512 void by_answer_avx512(const Sweep& s) { by_answer(s); }
#endif

void run(const Sweep& s, bool difference) {
#if THRIFTWOOD_X86
  const Machine machine = this_machine();
  if (machine == Machine::Avx512) return difference ? by_difference_avx512(s) : by_answer_avx512(s);
  if (machine == Machine::Avx2) return difference ? by_difference_avx2(s) : by_answer_avx2(s);
#endif
  difference ? by_difference_plain(s) : by_answer_plain(s);
}

}  // namespace

void Lanes::Free::operator()(double* p) const { ::operator delete[](p, alignment); }

Lanes::Lanes(const Cases& cases, bool with_weights)
    : cases_(cases),
      with_weights_(with_weights),
      by_difference_(cases.answers == 2 && cases.prior_weight <= 0.0 && !with_weights && (cases.leaf_fee <= 0.0 || !cases.uneven_branches)),
      total_(aligned(width * cases.answers * 4)) {}

void Lanes::begin(const Part& part, const View& view) {
  part_ = &part;
  view_ = &view;
  const std::size_t n = part.units.size(), k = cases_.answers;
  weights_.resize(n);
  costs_.resize(n * k);
  if (by_difference_) difference_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t u = part.units[i];
    weights_[i] = cases_.weight[u];
    std::copy_n(cases_.cost.data() + u * k, k, costs_.data() + i * k);
    if (by_difference_) difference_[i] = costs_[i * k] - costs_[i * k + 1];
  }
  if (n > room_) {
    in_.reset(aligned(n * width));
    room_ = n;
  }
}

void Lanes::clear() {
  std::memset(in_.get(), 0, part_->units.size() * width * sizeof(double));
  std::fill_n(total_.get(), width * cases_.answers, 0.0);
  for (double* sums : {leaf_, weight_, count_, second_, sum_}) std::fill_n(sums, width, 0.0);
}

void Lanes::add(std::size_t lane, const std::uint32_t* first, const std::uint32_t* last) {
  const std::size_t k = cases_.answers;
  for (const std::uint32_t* p = first; p != last; ++p) {
    const std::size_t place = *p;
    weight_[lane] += weights_[place];
    if (by_difference_) {
      in_[place * width + lane] = difference_[place];
      sum_[lane] += difference_[place];
      second_[lane] += costs_[place * k + 1];
    } else {
      in_[place * width + lane] = 1.0;
      for (std::size_t a = 0; a < k; ++a) total_[a * width + lane] += costs_[place * k + a];
    }
  }
  count_[lane] += static_cast<double>(last - first);
}

void Lanes::close() {
  std::vector<double> total(cases_.answers);
  for (std::size_t lane = 0; lane < width; ++lane) {
    leaf_[lane] = 0.0;
    if (count_[lane] < 0.5) continue;
    if (by_difference_) {
      leaf_[lane] = second_[lane] + std::min(sum_[lane], 0.0);
    } else {
      for (std::size_t a = 0; a < total.size(); ++a) total[a] = total_[a * width + lane];
      leaf_[lane] = answers_cost(cases_, total.data(), weight_[lane]);
    }
    leaf_[lane] += cases_.leaf_fee;
  }
}

void Lanes::sweep(const ColumnView& column, double* cost, double* known_weight) {
  alignas(64) Eight left{}, known{};
  const auto eight = [](const double* p) { return reinterpret_cast<const Eight*>(p); };
  Eight* totals = reinterpret_cast<Eight*>(total_.get());
  const Sweep s{view_->sorted(column).data(),
                column.ends.data(),
                column.groups(),
                column.known,
                static_cast<std::uint32_t>(view_->units()),
                cases_.columns[column.column].asking,
                eight(in_.get()),
                eight(second_),
                eight(sum_),
                cases_.answers,
                costs_.data(),
                weights_.data(),
                totals,
                eight(weight_),
                eight(count_),
                cases_.prior_cost.data(),
                cases_.prior_weight,
                cases_.leaf_fee,
                totals + cases_.answers,
                &left,
                &known};
  run(s, by_difference_);
  // By difference fees are those of two leaves: elsewhere there is none, or the sweep has counted them.
  const double fees = by_difference_ ? 2.0 * cases_.leaf_fee : 0.0;
  for (std::size_t lane = 0; lane < width; ++lane) {
    cost[lane] = left[lane] + fees;
    if (with_weights_) known_weight[lane] = known[lane];
  }
}

}  // namespace thriftwood::optimal
