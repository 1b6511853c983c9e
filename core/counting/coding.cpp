#include "coding.hpp"

#include <cmath>

namespace thriftwood {

namespace {

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

double on_grid(double weight, double grid) {
  if (grid <= 0.0 || weight <= 0.0) return weight;
  return std::max(grid, std::round(weight / grid) * grid);  // a case that counts a little does not stop counting
}

double exact_grid(std::size_t rows, double largest) {
  int exponent = 0;
  std::frexp(largest * static_cast<double>(rows), &exponent);
  return std::ldexp(1.0, exponent - 53);
}

double Coding::rounded(double weight) const { return on_grid(weight, grid); }

PreparedColumn numeric_coding(std::vector<double> edges) {
  PreparedColumn column;
  column.form = Form::Coded;
  column.codes = static_cast<Index>(edges.size()) + 1;
  column.low = {-infinity};
  column.low.insert(column.low.end(), edges.begin(), edges.end());
  column.high = std::move(edges);
  column.high.push_back(infinity);
  return column;
}

PreparedColumn nominal_coding(Index categories) {
  PreparedColumn column;
  column.nominal = true;
  column.codes = categories;
  column.form = categories <= most_codes ? Form::Coded : Form::Wide;
  return column;
}

void CodedRows::append(const CodedRows& more) {
  for (std::size_t f = 0; f < bytes.size(); ++f) {
    append_all(bytes[f], more.bytes[f]);
    append_all(pairs[f], more.pairs[f]);
  }
  append_all(labels, more.labels);
  append_all(numbers, more.numbers);
  append_all(weights, more.weights);
}

}  // namespace thriftwood
