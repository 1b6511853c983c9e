// Cutting numeric columns into bins.
//
//   edge    a threshold between two bins; bin c holds the values above edge c-1 and up to edge c
//   sample  the rows whose values decide where the edges are: evenly spaced, at most 200,000
#pragma once

#include "columns.hpp"

namespace thriftwood {

// Finds the bin of a number. A grid over the range of the edges leads to within a step or two of it.
class Binner {
 public:
  explicit Binner(std::vector<double> edges);

  const std::vector<double>& edges() const { return edges_; }
  std::uint8_t bin(double x) const {
    std::size_t c = first_[cell(x)];
    while (c < edges_.size() && x > edges_[c]) ++c;
    return static_cast<std::uint8_t>(c);
  }

 private:
  static constexpr int cells = 4096;

  // Not decreasing in x, so every edge in an earlier cell than x lies below x.
  std::size_t cell(double x) const {
    const double at = (x - origin_) * scale_;
    return at > 0.0 ? (at < cells - 1 ? static_cast<std::size_t>(at) : cells - 1) : 0;
  }

  std::vector<double> edges_;
  double origin_ = 0.0, scale_ = 0.0;
  std::vector<std::uint8_t> first_;  // by cell: edges in earlier cells
};

// Edges at quantiles of the sorted sample, half way between neighbouring values; a value never has two bins.
std::vector<double> quantile_edges(const std::vector<double>& sorted, int bins);

void bin_columns(const Table& table, ThreadPool& pool, const std::vector<Index>& numeric, int bins, Columns& columns);

}  // namespace thriftwood
