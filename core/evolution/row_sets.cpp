#include "row_sets.hpp"

namespace thriftwood {

RowSets::RowSets(const Judged& judged, const std::vector<Question>& questions, const std::vector<Row>& rows) {
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
    for (std::size_t i = 0; i < by_class[c].size(); ++i) all_[class_words_[c] + i / 64] |= std::uint64_t{1} << i % 64;

  std::size_t sets = 0;
  for (const Question& question : questions) {
    first_.push_back(sets);
    sets += static_cast<std::size_t>(question.outcomes);
  }
  sets_.assign(sets * words_, 0);
  std::vector<std::uint64_t> none(words_);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    bool missing = false;
    std::fill(none.begin(), none.end(), 0);
    for (std::size_t bit = 0; bit < rows_.size(); ++bit) {
      const std::uint64_t at = std::uint64_t{1} << bit % 64;
      if ((all_[bit / 64] & at) == 0) continue;
      const Index outcome = questions[q].outcome(judged.table, rows_[bit]);
      missing = missing || outcome < 0;
      (outcome < 0 ? none[bit / 64] : sets_[(first_[q] + static_cast<std::size_t>(outcome)) * words_ + bit / 64]) |= at;
    }
    unanswered_.push_back(missing ? static_cast<std::ptrdiff_t>(missing_.size() / words_) : -1);
    if (missing) missing_.insert(missing_.end(), none.begin(), none.end());
  }
}

}  // namespace thriftwood
