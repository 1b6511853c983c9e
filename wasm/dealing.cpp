#include "dealing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace thriftwood::face {

namespace {

__extension__ using Wide = unsigned __int128;

Wide wide(std::uint64_t high, std::uint64_t low) { return static_cast<Wide>(high) << 64 | low; }

// numpy.random.SeedSequence: a small seed spread over 256 bits.
std::array<std::uint64_t, 4> spread(std::uint32_t seed) {
  std::uint32_t constant = 0x43b0d7e5u;
  const auto hashed = [&](std::uint32_t value) {
    value ^= constant;
    constant *= 0x931e8875u;
    value *= constant;
    return value ^ value >> 16;
  };
  std::array<std::uint32_t, 4> pool{};
  for (std::size_t i = 0; i < 4; ++i) pool[i] = hashed(i == 0 ? seed : 0u);
  for (std::size_t from = 0; from < 4; ++from)
    for (std::size_t to = 0; to < 4; ++to) {
      if (from == to) continue;
      const std::uint32_t mixed = 0xca01f9ddu * pool[to] - 0x4973f715u * hashed(pool[from]);
      pool[to] = mixed ^ mixed >> 16;
    }
  constant = 0x8b51f9ddu;
  std::array<std::uint64_t, 4> words{};
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint32_t value = pool[i % 4] ^ constant;
    constant *= 0x58f38dedu;
    value *= constant;
    value ^= value >> 16;
    words[i / 2] |= static_cast<std::uint64_t>(value) << (32 * (i % 2));
  }
  return words;
}

class Pcg64 {
 public:
  explicit Pcg64(std::uint32_t seed) {
    const auto words = spread(seed);
    step_ = wide(words[2], words[3]) << 1 | 1u;
    advance();
    state_ += wide(words[0], words[1]);
    advance();
  }

  std::uint32_t operator()() { return half(); }

 private:
  void advance() { state_ = state_ * wide(0x2360ed051fc65da4u, 0x4385df649fccf645u) + step_; }

  std::uint64_t whole() {
    advance();
    const auto mixed = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
    const auto turned = static_cast<unsigned>(state_ >> 122);
    return mixed >> turned | mixed << ((64u - turned) & 63u);
  }

  // Each draw of 64 bits serves twice, its lower half first.
  std::uint32_t half() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t drawn = whole();
    has_half_ = true;
    half_ = static_cast<std::uint32_t>(drawn >> 32);
    return static_cast<std::uint32_t>(drawn);
  }

  Wide state_ = 0, step_ = 0;
  bool has_half_ = false;
  std::uint32_t half_ = 0;
};

// 0 .. most: draws of as many bits as it has, until one is not above it.
template <class Random>
std::uint32_t up_to(std::uint32_t most, Random& random) {
  std::uint32_t mask = most;
  for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
  for (;;) {
    const auto drawn = static_cast<std::uint32_t>(random()) & mask;
    if (drawn <= most) return drawn;
  }
}

// As numpy shuffles with its older and its newer random numbers alike.
template <class Value, class Random>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i-- > 1;) std::swap(values[i], values[up_to(static_cast<std::uint32_t>(i), random)]);
}

std::vector<std::vector<Row>> rows_of_classes(std::span<const Index> labels) {
  std::vector<std::vector<Row>> found(static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1);
  for (std::size_t row = 0; row < labels.size(); ++row) found[static_cast<std::size_t>(labels[row])].push_back(static_cast<Row>(row));
  return found;
}

// scikit-learn's StratifiedKFold, shuffled: classes in the order in which they first come.
std::vector<std::vector<Row>> stratified(std::vector<std::vector<Row>> classes, std::size_t folds, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::erase_if(classes, [](const auto& own) { return own.empty(); });
  std::sort(classes.begin(), classes.end(), [](const auto& one, const auto& other) { return one.front() < other.front(); });
  std::vector<std::vector<Row>> parts(folds);
  std::size_t begin = 0;  // of the class, where cases lie class by class and every fold takes every so-manyth
  for (const auto& own : classes) {
    std::vector<std::size_t> fold_of;
    for (std::size_t fold = 0; fold < folds; ++fold)
      for (std::size_t place = begin; place < begin + own.size(); ++place)
        if (place % folds == fold) fold_of.push_back(fold);
    shuffle(fold_of, random);
    for (std::size_t i = 0; i < own.size(); ++i) parts[fold_of[i]].push_back(own[i]);
    begin += own.size();
  }
  return parts;
}

std::vector<Row> held_out(std::vector<std::vector<Row>> classes, double share, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Row> part;
  for (auto& own : classes) {
    shuffle(own, random);
    part.insert(part.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(std::nearbyint(share * static_cast<double>(own.size()))));
  }
  return part;
}

}  // namespace

std::vector<Row> permuted(std::vector<Row> numbers, std::uint32_t seed) {
  Pcg64 random(seed);
  shuffle(numbers, random);
  return numbers;
}

std::vector<Row> dealt(std::span<const Index> labels, std::vector<Row> rows, std::uint32_t seed) {
  rows = permuted(std::move(rows), seed);
  std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return labels[a] < labels[b]; });
  return rows;
}

std::vector<std::vector<Row>> parts(std::span<const Index> labels, const std::vector<Row>& rows, std::size_t folds, std::size_t many,
                                    std::uint32_t seed) {
  const std::vector<Row> order = dealt(labels, rows, seed);
  const bool one = rows.size() > many;
  const std::size_t step = one ? 4 : std::min(folds, rows.size());
  std::vector<std::vector<Row>> found(one ? 1 : step);
  for (std::size_t part = 0; part < found.size(); ++part) {
    for (std::size_t i = part; i < order.size(); i += step) found[part].push_back(order[i]);
    std::sort(found[part].begin(), found[part].end());
  }
  return found;
}

// The sizes are those of src/thriftwood/cli/fit_page.py.
std::vector<std::vector<Row>> judging_parts(std::span<const Index> labels, std::size_t columns, std::uint32_t seed) {
  constexpr std::size_t few_cells = 10'000, folded_cells = 60'000, many_folds = 10, few_folds = 5;
  constexpr double share = 0.3;
  const auto classes = rows_of_classes(labels);
  const std::size_t cells = labels.size() * columns;
  std::size_t largest = 0;
  for (const auto& own : classes) largest = std::max(largest, own.size());
  const std::size_t folds = std::min(cells <= few_cells ? many_folds : few_folds, largest);
  std::vector<std::vector<Row>> parts;
  if (cells > folded_cells)
    parts.push_back(held_out(classes, share, seed));
  else if (folds > 1)
    parts = stratified(classes, folds, seed);
  std::erase_if(parts, [](const auto& part) { return part.empty(); });
  if (parts.empty()) {
    parts.emplace_back(labels.size());
    std::iota(parts[0].begin(), parts[0].end(), Row{0});
  }
  for (auto& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

}  // namespace thriftwood::face
