#include "pairs.hpp"

#include <bit>

#include "../basics/interruption.hpp"
#include "simd.hpp"

namespace thriftwood::optimal {

namespace {

// A 64 x 64 matrix of bits, mirrored at its diagonal (Hacker's Delight 7-3): bit j of word i becomes bit i of word j.
void transpose64(std::uint64_t* a) {
  std::uint64_t mask = 0x00000000ffffffffull;
  for (unsigned j = 32; j != 0; j >>= 1, mask ^= mask << j) {
    for (unsigned k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const std::uint64_t t = ((a[k] >> j) ^ a[k | j]) & mask;
      a[k] ^= t << j;
      a[k | j] ^= t;
    }
  }
}

// What the counting of one first question against all later ones reads and writes.
struct Counting {
  const std::uint64_t* own;    // per segment
  const std::uint32_t* block;  // per segment
  const std::uint32_t* kind;
  std::size_t segments;
  const std::uint64_t* bits;   // per block and question
  std::size_t stride;
  std::size_t from, to;        // questions
  std::uint64_t* count;        // per kind and question
};

THRIFTWOOD_INLINE void count_pairs(const Counting& c) {
  for (std::size_t s = 0; s < c.segments; ++s) {
    const std::uint64_t own = c.own[s];
    const std::uint64_t* bits = c.bits + c.block[s] * c.stride;
    std::uint64_t* count = c.count + c.kind[s] * c.stride;
    const bool first = s == 0 || c.kind[s] != c.kind[s - 1];
    if (first)
      for (std::size_t g = c.from; g < c.to; ++g) count[g] = static_cast<std::uint64_t>(__builtin_popcountll(own & bits[g]));
    else
      for (std::size_t g = c.from; g < c.to; ++g) count[g] += static_cast<std::uint64_t>(__builtin_popcountll(own & bits[g]));
  }
}

// Gains of the four leaves for one first question f, and every later one.
struct Gaining {
  const std::uint64_t* count;
  std::size_t stride, from, to;
  const double* gain;       // per answer and question
  const double* part_gain;  // per answer
  std::size_t f;
  double* x;                // per question: space
  double* m11;
  double* m10;
  double* m01;
  double* m00;
};

// Whole numbers below 2^52 as floating point numbers: a way that every machine has for several at once.
THRIFTWOOD_INLINE double as_double(std::uint64_t n) { return std::bit_cast<double>(n | 0x4330000000000000ull) - 0x1p52; }

// Gains are not negative, so they begin at 0.
THRIFTWOOD_INLINE void keep_most(const Gaining& s, std::size_t answer) {
  const double* gain = s.gain + answer * s.stride;
  const double own = gain[s.f], rest = s.part_gain[answer] - own;
  for (std::size_t g = s.from; g < s.to; ++g) {
    const double both = s.x[g], f_only = own - both, g_only = gain[g] - both, none = rest - g_only;
    s.m11[g] = both > s.m11[g] ? both : s.m11[g];
    s.m10[g] = f_only > s.m10[g] ? f_only : s.m10[g];
    s.m01[g] = g_only > s.m01[g] ? g_only : s.m01[g];
    s.m00[g] = none > s.m00[g] ? none : s.m00[g];
  }
}

THRIFTWOOD_INLINE void add_gain(const Gaining& s, std::uint32_t kind, double by, bool first) {
  const std::uint64_t* count = s.count + kind * s.stride;
  if (first)
    for (std::size_t g = s.from; g < s.to; ++g) s.x[g] = by * as_double(count[g]);
  else
    for (std::size_t g = s.from; g < s.to; ++g) s.x[g] += by * as_double(count[g]);
}

// The best second question below f, and f as the second below every later one.
struct Choosing {
  std::size_t from, to;
  const double* m11;
  const double* m10;
  const double* m01;
  const double* m00;
  const double* after;    // of g below f
  const double* before;   // of f below g
  const double* all1;     // before gains, with the fees of two leaves
  const double* weight1;
  const double* weight0;
  double all;             // of the part
  std::size_t f;
  double fees;
  double* best1;
  double* best0;
};

THRIFTWOOD_INLINE void choose(const Choosing& c) {
  const double all1 = c.all1[c.f], weight1 = c.weight1[c.f], all0 = c.all - all1, weight0 = c.weight0[c.f];
  double best1 = c.best1[c.f], best0 = c.best0[c.f];
  for (std::size_t g = c.from; g < c.to; ++g) {
    const double yes = all1 - (c.m11[g] + c.m10[g]) + c.fees + weight1 * c.after[g];
    const double no = all0 - (c.m01[g] + c.m00[g]) + c.fees + weight0 * c.after[g];
    best1 = yes < best1 ? yes : best1;
    best0 = no < best0 ? no : best0;
    const double g_yes = c.all1[g] - (c.m11[g] + c.m01[g]) + c.fees + c.weight1[g] * c.before[g];
    const double g_no = c.all - c.all1[g] - (c.m10[g] + c.m00[g]) + c.fees + c.weight0[g] * c.before[g];
    c.best1[g] = g_yes < c.best1[g] ? g_yes : c.best1[g];
    c.best0[g] = g_no < c.best0[g] ? g_no : c.best0[g];
  }
  c.best1[c.f] = best1;
  c.best0[c.f] = best0;
}

// Every kernel for every machine.
#define THRIFTWOOD_KERNELS(name, attribute)                                                                                \
  attribute void count_##name(const Counting& c) { count_pairs(c); }                                                       \
  attribute void keep_##name(const Gaining& s, std::size_t answer) { keep_most(s, answer); }                               \
  attribute void add_##name(const Gaining& s, std::uint32_t kind, double by, bool first) { add_gain(s, kind, by, first); } \
  attribute void choose_##name(const Choosing& c) { choose(c); }

THRIFTWOOD_KERNELS(plain, )
#if THRIFTWOOD_X86
THRIFTWOOD_KERNELS(avx2, THRIFTWOOD_AVX2)
THRIFTWOOD_KERNELS(avx512, THRIFTWOOD_AVX512)
#endif
#undef THRIFTWOOD_KERNELS

struct Kernels {
  void (*count)(const Counting&);
  void (*keep)(const Gaining&, std::size_t);
  void (*add)(const Gaining&, std::uint32_t, double, bool);
  void (*choose)(const Choosing&);
};

Kernels kernels() {
#if THRIFTWOOD_X86
  if (machine() == Machine::Avx512) return {&count_avx512, &keep_avx512, &add_avx512, &choose_avx512};
  if (machine() == Machine::Avx2) return {&count_avx2, &keep_avx2, &add_avx2, &choose_avx2};
#endif
  return {&count_plain, &keep_plain, &add_plain, &choose_plain};
}

}  // namespace

Pairs::Pairs(const Cases& cases) : cases_(cases) {
  for (std::uint32_t c = 0; c < cases.columns.size(); ++c) {
    const CaseColumn& column = cases.columns[c];
    for (std::uint32_t cut = column.asking == Asking::Cuts ? 1 : 0; cut < column.values; ++cut) questions_.push_back({c, cut});
  }
  row_words_ = (questions_.size() + 63) / 64;
  row_bits_.assign(cases.units * row_words_, 0);
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const auto [c, cut] = questions_[q];
    const CaseColumn& column = cases.columns[c];
    poll(cases.units);
    for (std::size_t u = 0; u < cases.units; ++u) {
      const bool yes = column.asking == Asking::Cuts ? column.code[u] < cut : column.code[u] == cut;
      row_bits_[u * row_words_ + q / 64] |= std::uint64_t{yes} << (q % 64);
    }
  }
  const std::size_t answers = cases.answers;
  gains_.resize(answers);
  kind_all_.assign(cases.kinds, 0.0);
  for (std::uint32_t kind = 0; kind < cases.kinds; ++kind) {
    const double* cost = cases.kind_cost.data() + kind * answers;
    const double most = *std::max_element(cost, cost + answers);
    kind_all_[kind] = most;
    for (std::size_t a = 0; a < answers; ++a)
      if (cost[a] != most) gains_[a].push_back({kind, most - cost[a]});
  }
}

void Pairs::transpose(const Part& part) {
  units_ = part.units.size();
  blocks_ = (units_ + 63) / 64;
  all_bits_.resize(row_words_ * 64 * blocks_);
  std::uint64_t square[64];
  for (std::size_t w = 0; w < row_words_; ++w)
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::size_t begin = b * 64, n = std::min<std::size_t>(64, units_ - begin);
      for (std::size_t i = 0; i < n; ++i) square[i] = row_bits_[part.units[begin + i] * row_words_ + w];
      std::fill(square + n, square + 64, 0);
      transpose64(square);
      for (std::size_t q = 0; q < 64; ++q) all_bits_[(w * 64 + q) * blocks_ + b] = square[q];
    }
  segments_.clear();
  for (std::size_t i = 0; i < units_;) {
    const std::uint32_t kind = cases_.kind[part.units[i]];
    const std::size_t block = i / 64, end_of_block = std::min(units_, (block + 1) * 64);
    std::size_t end = i + 1;
    while (end < end_of_block && cases_.kind[part.units[end]] == kind) ++end;
    const std::size_t n = end - i;
    const std::uint64_t mask = (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << (i % 64);
    segments_.push_back({static_cast<std::uint32_t>(block), kind, mask});
    i = end;
  }
}

void Pairs::lay(const Part& part) {
  transpose(part);
  active_.clear();
  columns_.clear();
  std::size_t last_count = 0;
  for (std::uint32_t q = 0; q < questions_.size(); ++q) {
    std::size_t yes = 0;
    for (std::size_t b = 0; b < blocks_; ++b) yes += static_cast<std::size_t>(std::popcount(all_bits_[q * blocks_ + b]));
    const std::uint32_t column = questions_[q].column;
    const bool again = !active_.empty() && !columns_.empty() && columns_.back() == column && cases_.columns[column].asking == Asking::Cuts &&
                       yes == last_count;  // no unit lies between the two cuts
    if (yes == 0 || yes == units_ || again) continue;
    last_count = yes;
    active_.push_back(q);
    if (columns_.empty() || columns_.back() != column) columns_.push_back(column);
  }
  stride_ = (active_.size() + 7) / 8 * 8;
  bits_.assign(blocks_ * stride_, 0);
  for (std::size_t i = 0; i < active_.size(); ++i)
    for (std::size_t b = 0; b < blocks_; ++b) bits_[b * stride_ + i] = all_bits_[active_[i] * blocks_ + b];
}

// Cases of each kind that say yes to a question, and what follows from them.
void Pairs::count_single() {
  const std::size_t n = active_.size(), answers = cases_.answers;
  single_.assign(cases_.kinds * stride_, 0.0);
  for (const Segment& s : segments_)
    for (std::size_t i = 0; i < n; ++i) single_[s.kind * stride_ + i] += std::popcount(bits_[s.block * stride_ + i] & s.mask);
  gain_.assign(answers * stride_, 0.0);
  for (std::size_t a = 0; a < answers; ++a)
    for (const Gain& gain : gains_[a])
      for (std::size_t i = 0; i < n; ++i) gain_[a * stride_ + i] += gain.by * single_[gain.kind * stride_ + i];
  all1_.assign(stride_, 0.0);
  weight1_.assign(stride_, 0.0);
  part_gain_.assign(answers, 0.0);
  std::vector<double> counts(cases_.kinds, 0.0);
  for (const Segment& s : segments_) counts[s.kind] += std::popcount(s.mask);
  for (std::size_t a = 0; a < answers; ++a)
    for (const Gain& gain : gains_[a]) part_gain_[a] += gain.by * counts[gain.kind];
  for (std::uint32_t kind = 0; kind < cases_.kinds; ++kind) {
    if (counts[kind] <= 0.0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      all1_[i] += kind_all_[kind] * single_[kind * stride_ + i];
      weight1_[i] += cases_.kind_weight[kind] * single_[kind * stride_ + i];
    }
  }
  most_.assign(2 * stride_, 0.0);  // of yes, of no: the gain of the best answer
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < answers; ++a) {
      const double yes = gain_[a * stride_ + i], no = part_gain_[a] - yes;
      if (a == 0 || yes > most_[i]) most_[i] = yes;
      if (a == 0 || no > most_[stride_ + i]) most_[stride_ + i] = no;
    }
}

const std::vector<double>& Pairs::one_level(const Part& part, const PairPrices& prices) {
  count_single();
  double all = 0.0;
  for (const Segment& s : segments_) all += kind_all_[s.kind] * std::popcount(s.mask);
  found_.assign(active_.size(), 0.0);
  for (std::size_t i = 0; i < active_.size(); ++i)
    found_[i] = all - most_[i] - most_[stride_ + i] + 2.0 * cases_.leaf_fee + part.weight * prices.first[questions_[active_[i]].column];
  return found_;
}

const std::vector<double>& Pairs::two_levels(const Part& part, const PairPrices& prices, const std::function<bool()>& goes_on) {
  const std::size_t n = active_.size(), answers = cases_.answers;
  const Kernels run = kernels();
  count_single();
  double all = 0.0;
  for (const Segment& s : segments_) all += kind_all_[s.kind] * std::popcount(s.mask);
  const double fee = cases_.leaf_fee;
  best1_.assign(stride_, infinity);
  best0_.assign(stride_, infinity);
  for (std::size_t i = 0; i < n; ++i) {  // the second level need not ask
    best1_[i] = all1_[i] - most_[i] + fee;
    best0_[i] = all - all1_[i] - most_[stride_ + i] + fee;
  }
  weight0_.resize(stride_);
  for (std::size_t i = 0; i < n; ++i)  // above 0 whatever rounding does: what must not be asked has an infinite price
    weight0_[i] = std::max(part.weight - weight1_[i], std::numeric_limits<double>::min());
  count_.assign(cases_.kinds * stride_, 0);
  own_.resize(segments_.size());
  std::vector<std::uint32_t> block(segments_.size()), kind(segments_.size());
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    block[s] = segments_[s].block;
    kind[s] = segments_[s].kind;
  }
  after_.assign(stride_, 0.0);
  before_.assign(stride_, 0.0);
  most_.resize(5 * stride_);
  std::vector<std::uint8_t> there(cases_.kinds, 0);
  for (const Segment& s : segments_) there[s.kind] = 1;
  const std::size_t big = segments_.size() * n < worth_polling ? 0 : segments_.size() * n;
  std::size_t counted = 0;  // words since the last question whether to go on
  for (std::size_t f = 0; f + 1 < n; ++f) {
    if (big > 0) poll(big);
    counted += segments_.size() * (n - f);
    if (counted > 1'000'000) {  // a millisecond
      counted = 0;
      if (!goes_on()) break;
    }
    for (std::size_t s = 0; s < segments_.size(); ++s) own_[s] = bits_[segments_[s].block * stride_ + f] & segments_[s].mask;
    run.count({own_.data(), block.data(), kind.data(), segments_.size(), bits_.data(), stride_, f + 1, n, count_.data()});
    double* m = most_.data();
    const Gaining gaining{count_.data(),   stride_,         f + 1,          n, gain_.data(), part_gain_.data(), f, m, m + stride_,
                          m + 2 * stride_, m + 3 * stride_, m + 4 * stride_};
    for (std::size_t i = 1; i < 5; ++i) std::fill(m + i * stride_ + f + 1, m + i * stride_ + n, 0.0);
    for (std::size_t a = 0; a < answers; ++a) {
      bool first = true;
      for (const Gain& gain : gains_[a]) {
        if (!there[gain.kind]) continue;
        run.add(gaining, gain.kind, gain.by, first);
        first = false;
      }
      if (!first) run.keep(gaining, a);
    }
    const std::uint32_t own = questions_[active_[f]].column;
    if (prices.second != nullptr)
      for (std::size_t g = f + 1; g < n; ++g) {
        const std::uint32_t other = questions_[active_[g]].column;
        after_[g] = prices.second[own * prices.columns + other];
        before_[g] = prices.second[other * prices.columns + own];
      }
    run.choose({f + 1, n, m + stride_, m + 2 * stride_, m + 3 * stride_, m + 4 * stride_, after_.data(), before_.data(), all1_.data(),
                weight1_.data(), weight0_.data(), all, f, 2.0 * fee, best1_.data(), best0_.data()});
  }
  found_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) found_[i] = best1_[i] + best0_[i] + part.weight * prices.first[questions_[active_[i]].column];
  return found_;
}

std::size_t Pairs::bytes() const {
  return (row_bits_.size() + all_bits_.capacity() + bits_.capacity() + count_.capacity() + single_.capacity() + gain_.capacity()) * sizeof(double);
}

}  // namespace thriftwood::optimal
