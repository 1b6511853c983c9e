#include "row_sets.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace thriftwood {

namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 30;

constexpr std::uint64_t bit_of(std::size_t bit) { return std::uint64_t{1} << bit % 64; }

// Calls visit(bit) for every bit of a set.
template <class Visit>
void each_bit(const std::vector<std::uint64_t>& set, Visit visit) {
  for (std::size_t w = 0; w < set.size(); ++w)
    for (std::uint64_t left = set[w]; left != 0; left &= left - 1) visit(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace

RowSets::RowSets(const Judged& judged, const std::vector<Question>& questions, const std::vector<Row>& rows, Stop* stop) {
  line_up(judged, rows);
  make_room(questions);
  for (std::size_t first = 0, end = 0; first < questions.size(); first = end) {
    if (stop != nullptr) stop->throw_if_asked();
    while (end < questions.size() && questions[end].feature == questions[first].feature) ++end;
    if (questions[first].own >= 0)
      put_categories(judged.table, questions, first, end);
    else
      put_rows(judged.table, questions, first, end);
  }
}

void RowSets::line_up(const Judged& judged, const std::vector<Row>& rows) {
  const auto classes = static_cast<std::size_t>(judged.classes);
  std::vector<std::vector<Row>> by_class(classes);
  for (Row row : rows) by_class[static_cast<std::size_t>(judged.labels[row])].push_back(row);
  for (const auto& members : by_class) {
    class_words_.push_back(words_);
    rows_.resize(words_ * 64);
    rows_.insert(rows_.end(), members.begin(), members.end());
    words_ += (members.size() + 63) / 64;
  }
  class_words_.push_back(words_);
  rows_.resize(words_ * 64);
  all_.assign(words_, 0);
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t i = 0; i < by_class[c].size(); ++i) all_[class_words_[c] + i / 64] |= bit_of(i);
}

void RowSets::make_room(const std::vector<Question>& questions) {
  std::size_t sets = 0;
  for (const Question& question : questions) {
    first_.push_back(sets);
    sets += static_cast<std::size_t>(question.outcomes);
  }
  if (words_ > 0 && sets > most_bytes / (8 * words_))
    throw InputError("ECCO keeps which rows have which outcome of which question: here " + std::to_string(sets) + " outcomes of " +
                     std::to_string(questions.size()) + " questions for " + std::to_string(words_ * 64) + " rows, which would take more than " +
                     std::to_string(most_bytes >> 30) +
                     " GB. Leave out columns of very many categories (do they name the cases?), or learn from fewer rows.");
  sets_.assign(sets * words_, 0);
}

void RowSets::put_rows(const Table& table, const std::vector<Question>& questions, std::size_t first, std::size_t end) {
  std::vector<std::uint64_t> none(words_, 0);
  bool missing = false;
  each_bit(all_, [&](std::size_t bit) {
    const std::size_t word = bit / 64;
    const std::uint64_t at = bit_of(bit);
    for (std::size_t q = first; q < end; ++q) {  // inside: a row's value is far from the next row's
      const Index outcome = questions[q].outcome(table, rows_[bit]);
      missing = missing || outcome < 0;
      std::uint64_t* taker = outcome < 0 ? none.data() : set(q, outcome);
      taker[word] |= at;
    }
  });
  unanswered_.resize(end, missing ? static_cast<std::ptrdiff_t>(missing_.size() / words_) : -1);
  if (missing) missing_.insert(missing_.end(), none.begin(), none.end());
}

void RowSets::put_categories(const Table& table, const std::vector<Question>& questions, std::size_t first, std::size_t end) {
  const Question all{questions[first].feature, NodeKind::Nominal, 0.0, static_cast<Index>(end - first), questions[first].numbers};
  std::vector<std::uint64_t> none(words_, 0), known(all_);
  bool missing = false;
  each_bit(all_, [&](std::size_t bit) {
    if (all.outcome(table, rows_[bit]) >= 0) return;
    missing = true;
    none[bit / 64] |= bit_of(bit);
    known[bit / 64] &= ~bit_of(bit);
  });
  for (std::size_t q = first; q < end; ++q) std::copy(known.begin(), known.end(), set(q, 1));
  each_bit(known, [&](std::size_t bit) {
    const std::size_t q = first + static_cast<std::size_t>(all.outcome(table, rows_[bit]));
    if (q >= end) return;  // the second of two categories has no question
    set(q, 0)[bit / 64] |= bit_of(bit);
    set(q, 1)[bit / 64] &= ~bit_of(bit);
  });
  unanswered_.resize(end, missing ? static_cast<std::ptrdiff_t>(missing_.size() / words_) : -1);
  if (missing) missing_.insert(missing_.end(), none.begin(), none.end());
}

}  // namespace thriftwood
