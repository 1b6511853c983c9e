// The columns that tell the units of a part apart, each with its units in order.
//
//   place   of a unit in the part: 0, 1, ... in the order of the part's units
//   group   the places of one value; groups are in the order of codes. Cut x sends the groups before x to the left
#pragma once

#include <span>
#include <vector>

#include "part.hpp"

namespace thriftwood::optimal {

struct ColumnView {
  std::uint32_t column = 0;
  std::size_t first = 0;              // in View::sorted: the places by ascending code, those without a value last
  std::vector<std::uint32_t> ends;    // per group: where it ends, counted from `first`
  std::vector<std::uint32_t> codes;   // per group
  std::uint32_t known = 0;            // how many have a value
  std::uint32_t missing = 0;          // how many have none
  double known_weight = 0.0;

  std::uint32_t groups() const { return static_cast<std::uint32_t>(ends.size()); }
  std::uint32_t begin_of(std::uint32_t group) const { return group == 0 ? 0 : ends[group - 1]; }
  // Cuts are 1 .. cuts(). The last one may send all that have a value to the left, where others have none.
  std::uint32_t cuts() const { return missing > 0 ? groups() : groups() - 1; }
  // Codes below it go left.
  std::uint32_t code_of_cut(std::uint32_t cut) const { return cut < groups() ? codes[cut] : codes.back() + 1; }
};

class View {
 public:
  void lay(const Cases& cases, const Part& part);

  std::size_t units() const { return units_; }
  std::size_t size() const { return size_; }
  const ColumnView& operator[](std::size_t i) const { return columns_[i]; }
  std::span<const std::uint32_t> sorted(const ColumnView& column) const { return {sorted_.data() + column.first, units_}; }
  // The columns' numbers.
  std::span<const std::uint32_t> numbers() const { return numbers_; }

 private:
  std::size_t units_ = 0, size_ = 0;
  std::vector<ColumnView> columns_;  // the first `size_` are in use; their memory is kept
  std::vector<std::uint32_t> numbers_, sorted_, count_, code_;
  std::vector<std::uint64_t> keyed_;
};

}  // namespace thriftwood::optimal
