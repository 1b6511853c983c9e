#include "view.hpp"

#include "../basics/interruption.hpp"

namespace thriftwood::optimal {

void View::lay(const Cases& cases, const Part& part) {
  units_ = part.units.size();
  size_ = 0;
  numbers_.clear();
  sorted_.resize(cases.columns.size() * units_);
  code_.resize(units_);
  for (std::uint32_t c = 0; c < cases.columns.size(); ++c) {
    if (units_ >= worth_polling) poll(units_);
    const CaseColumn& column = cases.columns[c];
    std::uint32_t lowest = column.values, highest = 0;
    for (std::size_t i = 0; i < units_; ++i) {
      const std::uint32_t code = column.code[part.units[i]];
      code_[i] = code;
      lowest = std::min(lowest, code);
      highest = std::max(highest, code);
    }
    if (lowest == highest || units_ == 0) continue;
    if (columns_.size() == size_) columns_.emplace_back();
    ColumnView& view = columns_[size_];
    view.column = c;
    view.first = size_ * units_;
    view.ends.clear();
    view.codes.clear();
    std::uint32_t* sorted = sorted_.data() + view.first;
    const std::size_t span = highest - lowest + 1u;
    if (span <= 4 * units_) {
      count_.assign(span + 1, 0);
      for (std::size_t i = 0; i < units_; ++i) ++count_[code_[i] - lowest + 1];
      for (std::uint32_t k = 0; k < span; ++k) {
        if (count_[k + 1] > 0) {
          view.codes.push_back(lowest + k);
          view.ends.push_back(count_[k] + count_[k + 1]);
        }
        count_[k + 1] += count_[k];
      }
      for (std::uint32_t i = 0; i < units_; ++i) sorted[count_[code_[i] - lowest]++] = i;
    } else {
      keyed_.resize(units_);
      for (std::size_t i = 0; i < units_; ++i) keyed_[i] = (std::uint64_t{code_[i]} << 32) | i;
      std::sort(keyed_.begin(), keyed_.end());
      for (std::uint32_t i = 0; i < units_; ++i) {
        sorted[i] = static_cast<std::uint32_t>(keyed_[i]);
        const auto code = static_cast<std::uint32_t>(keyed_[i] >> 32);
        if (view.codes.empty() || view.codes.back() != code) {
          view.codes.push_back(code);
          view.ends.push_back(i);
        }
        view.ends.back() = i + 1;
      }
    }
    view.known = static_cast<std::uint32_t>(units_);
    if (view.codes.back() == column.values) {  // the group of missing values is none
      view.codes.pop_back();
      view.ends.pop_back();
      view.known = view.ends.back();
    }
    view.missing = static_cast<std::uint32_t>(units_) - view.known;
    view.known_weight = part.weight;
    if (view.missing > 0) {
      view.known_weight = 0.0;
      for (std::size_t i = 0; i < view.known; ++i) view.known_weight += cases.weight[part.units[sorted[i]]];
    }
    numbers_.push_back(c);
    ++size_;
  }
}

}  // namespace thriftwood::optimal
