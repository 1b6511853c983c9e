#include "lanes.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <new>

#include "lanes_sweep.hpp"

namespace thriftwood::optimal {

namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

void Lanes::Free::operator()(std::byte* p) const { ::operator delete[](p, alignment); }

Lanes::Room Lanes::aligned(std::size_t bytes) {
  return Room(static_cast<std::byte*>(::operator new[](std::max<std::size_t>(bytes, row), alignment)));
}

Lanes::Lanes(const Cases& cases, bool with_weights) : cases_(cases), with_weights_(with_weights), answers_(cases.answers) {
  const bool plain = cases.prior_weight <= 0.0 && !with_weights && (cases.leaf_fee <= 0.0 || !cases.uneven_branches);
  how_ = !plain ? How::All : cases.answers == 2 ? How::Difference : How::Sums;
  whole_ = plain && cases.unit > 0.0;
  total_ = aligned(4 * answers_ * row);
}

void Lanes::begin(const Part& part, const View& view) {
  part_ = &part;
  view_ = &view;
  const std::size_t n = part.units.size();
  weights_.resize(n);
  costs_.resize(n * answers_);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t u = part.units[i];
    weights_[i] = cases_.weight[u];
    std::copy_n(cases_.cost.data() + u * answers_, answers_, costs_.data() + i * answers_);
    if (how_ == How::Difference) costs_[2 * i] -= costs_[2 * i + 1];
  }
  if (whole_) {
    whole_costs_.resize(costs_.size());
    for (std::size_t i = 0; i < costs_.size(); ++i) whole_costs_[i] = static_cast<std::int32_t>(std::lround(costs_[i] / cases_.unit));
  }
  if (n > places_) {
    in_ = aligned(n * row);
    places_ = n;
  }
}

void Lanes::clear() {
  std::memset(in_.get(), 0, part_->units.size() * row);
  std::memset(total_.get(), 0, answers_ * row);
  for (double* sums : {leaf_, weight_, count_}) std::fill_n(sums, most_lanes, 0.0);
}

void Lanes::add_to(std::uint32_t lanes, const std::uint32_t* first, const std::uint32_t* last) {
  alignas(64) std::byte chosen[row] = {};
  const std::size_t size = row / width();
  for (std::size_t lane = 0; lane < width(); ++lane)
    if ((lanes >> lane & 1u) != 0) std::memset(chosen + lane * size, 0xff, size);
  const Fill run{first, last, chosen, how_ == How::Difference, answers_, costs(), in_.get(), total_.get()};
  whole_ ? fill_whole(run) : fill(run);
  double weight = 0.0;
  for (const std::uint32_t* p = first; p != last; ++p) weight += weights_[*p];
  for (std::size_t lane = 0; lane < width(); ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    weight_[lane] += weight;
    count_[lane] += static_cast<double>(last - first);
  }
}

void Lanes::add(std::size_t lane, const std::uint32_t* first, const std::uint32_t* last) { add_to(1u << lane, first, last); }

void Lanes::add_cuts(std::size_t lane, const ColumnView& column, std::span<const std::uint32_t> cuts) {
  const std::uint32_t* sorted = view_->sorted(column).data();
  std::array<std::size_t, most_lanes / 2> order;
  std::uint32_t lanes = 0;  // on the left of all cuts
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    order[k] = k;
    lanes |= 1u << (lane + 2 * k);
  }
  std::sort(order.begin(), order.begin() + cuts.size(), [&](std::size_t a, std::size_t b) { return cuts[a] < cuts[b]; });
  std::uint32_t begin = 0;
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const std::uint32_t end = column.ends[cuts[order[k]] - 1];
    add_to(lanes, sorted + begin, sorted + end);
    lanes ^= 3u << (lane + 2 * order[k]);
    begin = end;
  }
  add_to(lanes, sorted + begin, sorted + column.known);
}

template <class Number>
double Lanes::total(std::size_t answer, std::size_t lane) const {
  return static_cast<double>(reinterpret_cast<const Number*>(total_.get())[answer * (row / sizeof(Number)) + lane]) * (whole_ ? cases_.unit : 1.0);
}

void Lanes::close() {
  std::vector<double> totals(answers_);
  for (std::size_t lane = 0; lane < width(); ++lane) {
    leaf_[lane] = 0.0;
    if (count_[lane] < 0.5) continue;
    for (std::size_t a = 0; a < answers_; ++a) totals[a] = whole_ ? total<std::int32_t>(a, lane) : total<double>(a, lane);
    if (how_ == How::Difference) totals[0] += totals[1];
    leaf_[lane] = answers_cost(cases_, totals.data(), weight_[lane]) + cases_.leaf_fee;
  }
}

void Lanes::sweep(const ColumnView& column, double* cost, double* known_weight) {
  alignas(64) std::byte left[row], known[row];
  std::byte* space = total_.get() + answers_ * row;
  const Sweep s{view_->sorted(column).data(),
                column.ends.data(),
                column.groups(),
                column.known,
                static_cast<std::uint32_t>(view_->units()),
                cases_.columns[column.column].asking,
                answers_,
                costs(),
                in_.get(),
                total_.get(),
                space,
                left,
                weights_.data(),
                weight_,
                count_,
                cases_.prior_cost.data(),
                cases_.prior_weight,
                cases_.leaf_fee,
                known};
  switch (how_) {
    case How::Difference: whole_ ? sweep_differences_whole(s) : sweep_differences(s); break;
    case How::Sums: whole_ ? sweep_sums_whole(s) : sweep_sums(s); break;
    case How::All: sweep_all(s); break;
  }
  // All counts its fees itself.
  const double fees = how_ == How::All ? 0.0 : 2.0 * cases_.leaf_fee;
  for (std::size_t lane = 0; lane < width(); ++lane) {
    double own = 0.0;
    if (whole_) {
      std::int32_t number = 0;
      std::memcpy(&number, left + lane * sizeof number, sizeof number);
      own = static_cast<double>(number) * cases_.unit;
    } else {
      std::memcpy(&own, left + lane * sizeof own, sizeof own);
    }
    cost[lane] = own + fees;
    if (with_weights_) std::memcpy(known_weight + lane, known + lane * sizeof(double), sizeof(double));
  }
}

}  // namespace thriftwood::optimal
