#include "cuts.hpp"

namespace thriftwood::optimal {

void Cuts::begin(const Cases& cases, const Part& part, const View& view, const ColumnView& column, double dearest_way) {
  last_ = column.cuts();
  windows_.clear();
  if (last_ > 0) windows_.push_back({0, last_ + 1, 1, last_});
  left_.assign(last_ + 2, 0.0);
  right_.assign(last_ + 2, 0.0);
  move_.assign(last_ + 2, 0.0);
  const auto sorted = view.sorted(column);
  const double fee = cases.uneven_branches ? cases.leaf_fee : 0.0;
  double floor = 0.0;
  for (std::uint32_t g = 0; g < column.groups(); ++g) {
    double move = 0.0;
    for (std::uint32_t i = column.begin_of(g); i < column.ends[g]; ++i) {
      const std::uint32_t u = part.units[sorted[i]];
      move += cases.most[u] + cases.weight[u] * dearest_way + fee;
      floor += cases.floor[u];
    }
    if (g + 1 <= last_ + 1) move_[g + 1] = move_[g] + move;
    if (g + 1 <= last_ + 1) left_[g + 1] = floor;
  }
  if (column.groups() < last_ + 1) move_[last_ + 1] = move_[last_];
  for (std::uint32_t cut = 0; cut <= last_ + 1; ++cut) right_[cut] = std::max(0.0, floor - left_[cut]);
  left_[last_ + 1] = right_[last_ + 1] = right_[0] = 0.0;  // the ends are no cuts: of them nothing is known
}

double Cuts::left_bound(const Window& window, std::uint32_t cut) const {
  return std::max({left_[cut], left_[window.low], left_[window.high] - (move_[window.high] - move_[cut])});
}

double Cuts::right_bound(const Window& window, std::uint32_t cut) const {
  return std::max({right_[cut], right_[window.high], right_[window.low] - (move_[cut] - move_[window.low])});
}

std::uint32_t Cuts::next(double most) {
  while (!windows_.empty()) {
    Window window = windows_.front();
    windows_.pop_front();
    const auto bound = [&](std::uint32_t cut) { return left_bound(window, cut) + right_bound(window, cut); };
    while (window.first <= window.last && bound(window.first) >= most) ++window.first;
    while (window.first <= window.last && bound(window.last) >= most) --window.last;
    if (window.first > window.last) continue;
    const std::uint32_t cut = window.first + (window.last - window.first) / 2;
    left_[cut] = left_bound(window, cut);
    right_[cut] = right_bound(window, cut);
    if (window.first < cut) windows_.push_back({window.low, cut, window.first, cut - 1});
    if (cut < window.last) windows_.push_back({cut, window.high, cut + 1, window.last});
    reach_ = std::max(move_[cut] - move_[window.first], move_[window.last] - move_[cut]);
    if (left_[cut] + right_[cut] < most) return cut;
  }
  return 0;
}

void Cuts::know(std::uint32_t cut, double left, double right) {
  left_[cut] = std::max(left_[cut], left);
  right_[cut] = std::max(right_[cut], right);
}

double Cuts::least() const {
  double least = infinity;
  for (const Window& window : windows_) least = std::min(least, left_[window.low] + right_[window.high]);
  return least;
}

}  // namespace thriftwood::optimal
