// ADWIN (Bifet & Gavalda 2007): a window over numbers that grows while their mean stays and loses its older part when it does not.
//
// The window is kept as buckets of 1, 2, 4, ... numbers, at most `per_size` of each size, so that a window of n numbers takes about
// per_size * log2(n / per_size) buckets. At every `pace`-th number each border between buckets is tried as a cut. With n0 and n1 numbers on
// its sides, 1/m = 1/n0 + 1/n1, v the variance of the window, r the range of the numbers and d = delta / ln(n), the means differ too much if
//
//   |mean0 - mean1| > sqrt(2 v ln(2/d) / m) + 2 r ln(2/d) / (3 m)
//
// Then the oldest bucket goes, until no cut is left.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftwood {

class AdaptiveWindow {
 public:
  enum class Change : std::uint8_t { None, Fall, Rise };

  explicit AdaptiveWindow(double delta = 0.002) : delta_(delta) {}

  // Takes the next number; tells whether the mean of what is kept was found to have changed, and how.
  Change add(double value) {
    range_ = std::max(range_, std::abs(value));
    insert(0, {1.0, value, 0.0});
    count_ += 1.0;
    sum_ += value;
    const double mean_before = count_ > 1.0 ? (sum_ - value) / (count_ - 1.0) : value;
    spread_ += (value - mean_before) * (value - sum_ / count_);
    if (++since_ < pace) return Change::None;
    since_ = 0;
    return shrink();
  }

  double count() const { return count_; }
  double mean() const { return count_ > 0.0 ? sum_ / count_ : 0.0; }

  // Everything it holds, as numbers, and back; `take()` gives them one by one.
  void write(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {range_, static_cast<double>(since_), static_cast<double>(sizes_.size())});
    for (const auto& same : sizes_) {
      numbers.push_back(static_cast<double>(same.size()));
      for (const Bucket& bucket : same) numbers.insert(numbers.end(), {bucket.count, bucket.sum, bucket.spread});
    }
  }
  template <class Take>
  void read(const Take& take) {
    range_ = take();
    since_ = static_cast<int>(std::clamp(take(), 0.0, 1.0 * pace));
    sizes_.assign(static_cast<std::size_t>(std::clamp(take(), 0.0, 64.0)), {});
    Bucket all;
    for (auto& same : sizes_) {
      same.resize(static_cast<std::size_t>(std::clamp(take(), 0.0, 1.0 * per_size)));
      for (Bucket& bucket : same) {
        bucket = {std::max(1.0, take()), take(), std::max(0.0, take())};
        all = all.count > 0.0 ? joined(all, bucket) : bucket;
      }
    }
    while (!sizes_.empty() && sizes_.back().empty()) sizes_.pop_back();
    count_ = all.count;
    sum_ = all.sum;
    spread_ = all.spread;
  }

 private:
  static constexpr std::size_t per_size = 5;
  static constexpr int pace = 32;
  static constexpr double least_side = 5.0;

  struct Bucket {
    double count = 0.0, sum = 0.0, spread = 0.0;  // spread: summed squared distance from its mean
  };

  static Bucket joined(const Bucket& a, const Bucket& b) {
    const double n = a.count + b.count, apart = a.sum / a.count - b.sum / b.count;
    return {n, a.sum + b.sum, a.spread + b.spread + apart * apart * a.count * b.count / n};
  }

  // sizes_[k] has the buckets of 2^k numbers, oldest first.
  void insert(std::size_t size, Bucket bucket) {
    for (;; ++size) {
      if (size == sizes_.size()) sizes_.emplace_back();
      auto& same = sizes_[size];
      same.push_back(bucket);
      if (same.size() <= per_size) return;
      bucket = joined(same[0], same[1]);
      same.erase(same.begin(), same.begin() + 2);
    }
  }

  Change shrink() {
    Change found = Change::None;
    while (count_ >= 2.0 * least_side) {
      const Change here = cut();
      if (here == Change::None) break;
      found = here;
      drop_oldest();
    }
    return found;
  }

  // Whether some border between buckets parts unlike means.
  Change cut() const {
    const double doubt = std::log(2.0 * std::log(count_) / delta_), variance = spread_ / count_;
    double n0 = 0.0, sum0 = 0.0;
    for (std::size_t size = sizes_.size(); size-- > 0;) {
      for (const Bucket& bucket : sizes_[size]) {
        n0 += bucket.count;
        sum0 += bucket.sum;
        const double n1 = count_ - n0;
        if (n0 < least_side || n1 < least_side) continue;
        const double per = 1.0 / n0 + 1.0 / n1, apart = (sum_ - sum0) / n1 - sum0 / n0;
        const double bound = std::sqrt(2.0 * per * std::max(variance, 0.0) * doubt) + 2.0 / 3.0 * per * range_ * doubt;
        if (std::abs(apart) > bound) return apart > 0.0 ? Change::Rise : Change::Fall;
      }
    }
    return Change::None;
  }

  void drop_oldest() {
    auto& largest = sizes_.back();
    const Bucket gone = largest.front();
    largest.erase(largest.begin());
    while (!sizes_.empty() && sizes_.back().empty()) sizes_.pop_back();
    const double rest = count_ - gone.count, apart = gone.sum / gone.count - (sum_ - gone.sum) / rest;
    spread_ = std::max(0.0, spread_ - gone.spread - apart * apart * gone.count * rest / count_);
    count_ = rest;
    sum_ -= gone.sum;
  }

  double delta_;
  double range_ = 0.0;
  std::vector<std::vector<Bucket>> sizes_;
  double count_ = 0.0, sum_ = 0.0, spread_ = 0.0;
  int since_ = 0;
};

}  // namespace thriftwood
