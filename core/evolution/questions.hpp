// The questions that a tree of ECCO may ask, numbered from 1; 0 is no question, a leaf.
//
//   question   a test with its outcomes: a number against a cut, or a category. Several may be about one feature: who asks the second
//              one has bought the test already
//   outcome    numbers up to the cut, numbers above it; or one for every category that occurs; or one category, all others
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "../basics/stopping.hpp"
#include "../settings.hpp"
#include "../tree/tree.hpp"
#include "judging.hpp"

namespace thriftwood {

struct Question {
  Index feature = -1;
  NodeKind kind = NodeKind::Threshold;
  double threshold = 0.0;
  Index outcomes = 2;
  // Nominal: per category its number among those that occur; -1: it does not, so it counts as missing. All questions about a feature
  // have the same list.
  std::shared_ptr<const std::vector<Index>> numbers = {};
  Index own = -1;  // nominal: the number of the category that is asked for, against the others; -1: every category is an outcome

  // Negative: the row has no answer.
  Index outcome(const Table& table, Row row) const {
    const Column& column = table.column(feature);
    if (kind == NodeKind::Threshold) {
      const double number = column.number(row);
      return std::isnan(number) ? -1 : number > threshold;
    }
    const Index code = column.code(row);
    return code < 0 || code >= column.values ? -1 : outcome_of(code);
  }
  Index outcome_of(Index category) const {
    const Index number = (*numbers)[static_cast<std::size_t>(category)];
    return number < 0 || own < 0 ? number : number != own;
  }
};

// Of a numeric feature: its cuts at the borders between classes, the `cuts` of them with the largest gain in the whole table (ties: the
// lowest), by ascending threshold. Of a nominal feature: one question with an outcome for every category (nominal: Multiway), or one for
// every category (Value). Features with a single value have none. Throws Interrupted when `stop` is asked to.
std::vector<Question> list_questions(const Judged& judged, std::size_t cuts, NominalTests nominal, Stop* stop = nullptr);

// The size of complete trees of so many levels, in which every node has a question's number or 0.
struct Shape {
  std::size_t questions = 0;
  std::size_t branches = 2;  // the largest number of outcomes
  std::size_t depth = 5;     // levels of questions

  Shape(const std::vector<Question>& all, std::size_t levels);
  Shape(std::size_t n_questions, std::size_t n_branches, std::size_t levels) : questions(n_questions), branches(n_branches), depth(levels) {}

  // Saturates: what is too large to count is the largest number.
  std::size_t nodes() const;
  unsigned bits_per_node() const;
  std::size_t bits() const;
};

// The deepest of the shapes from `least` to `most` levels that has fewer than `max_bits` bits; none if the first has more.
std::optional<Shape> deepest_shape(std::size_t questions, std::size_t branches, std::size_t least, std::size_t most, std::size_t max_bits);

}  // namespace thriftwood
