#include "sums.hpp"

#include "../basics/thread_pool.hpp"

namespace thriftwood {

CodedTable::CodedTable(const Table& cases, ThreadPool& pool, int bins) : table(cases), columns(prepare(cases, pool, bins, false, 0)), first(1, 0) {
  for (Index f = 0; f < cases.features(); ++f) first.push_back(first.back() + static_cast<std::size_t>(cells(f)));
}

namespace {

template <class Code>
void add_up(double* cells, std::size_t width, std::span<const Row> rows, const double* terms, const Code& code) {
  for (const Row row : rows) {
    double* cell = cells + static_cast<std::size_t>(code(row)) * width;
    const double* term = terms + static_cast<std::size_t>(row) * width;
    for (std::size_t j = 0; j < width; ++j) cell[j] += term[j];
  }
}

}  // namespace

void Sums::add(Index feature, std::span<const Row> rows, std::span<const double> terms) {
  double* cells = cells_.data() + coded_->first[static_cast<std::size_t>(feature)] * width_;
  const PreparedColumn& column = coded_->columns[feature];
  if (column.form == Form::Coded) {
    const std::uint8_t* code_of = column.code_of.data();
    add_up(cells, width_, rows, terms.data(), [code_of](Row row) { return code_of[row]; });
  } else {
    add_up(cells, width_, rows, terms.data(), [this, feature](Row row) { return coded_->code(feature, row); });
  }
}

void Sums::subtract(Index feature, const Sums& part) {
  const std::size_t begin = coded_->first[static_cast<std::size_t>(feature)] * width_,
                    end = coded_->first[static_cast<std::size_t>(feature) + 1] * width_;
  for (std::size_t i = begin; i < end; ++i) cells_[i] -= part.cells_[i];
}

}  // namespace thriftwood
