#include "ecco_shape.hpp"

#include <limits>
#include <set>

using namespace thriftwood;

namespace {

constexpr std::size_t least_depth = 5, greatest_depth = 11;

class Oversized {
 public:
  Oversized(const std::vector<Question>& questions, const Shape& shape, std::size_t max_bits)
      : questions_(questions), shape_(shape), max_bits_(max_bits) {
    for (const Question& question : questions)
      if (widest_ == nullptr || question.outcomes > widest_->outcomes) widest_ = &question;
    if (widest_ != nullptr && widest_->outcomes <= 2) widest_ = nullptr;
  }

  OversizedTree described(std::size_t rows) const {
    OversizedTree found{shape_.depth, shape_.questions, shape_.branches};
    if (shape_.bits() < std::numeric_limits<std::size_t>::max()) found.bits = shape_.bits();
    if (widest_ != nullptr) {
      found.widest = widest_->feature;
      found.widest_names_cases = 2 * static_cast<std::size_t>(widest_->outcomes) > rows;
      found.without_widest = features() > 1 && fits(without(widest_->feature));
      found.nominal_by_value = fits({by_value(), 2, shape_.depth});
    }
    found.one_cut = fits({features(), shape_.branches, shape_.depth});
    if (const auto flatter = deepest_shape(shape_.questions, shape_.branches, 1, shape_.depth - 1, max_bits_)) found.smaller_depth = flatter->depth;
    if (shape_.bits() < most_bits) found.more_bits = shape_.bits() + 1;
    return found;
  }

 private:
  bool fits(const Shape& shape) const { return shape.bits() < max_bits_; }

  Shape without(Index feature) const {
    std::vector<Question> others;
    for (const Question& question : questions_)
      if (question.feature != feature) others.push_back(question);
    return Shape(others, shape_.depth);
  }
  std::size_t features() const {
    std::set<Index> all;
    for (const Question& question : questions_) all.insert(question.feature);
    return all.size();
  }
  std::size_t by_value() const {
    std::size_t sum = 0;
    for (const Question& question : questions_) sum += question.outcomes > 2 ? static_cast<std::size_t>(question.outcomes) : 1;
    return sum;
  }

  const std::vector<Question>& questions_;
  const Shape& shape_;
  std::size_t max_bits_;
  const Question* widest_ = nullptr;  // with more outcomes than any that asks about a number; null: no question has more than two
};

}  // namespace

Shape ecco_shape(const std::vector<Question>& questions, std::optional<std::size_t> depth, std::size_t max_bits, std::size_t rows) {
  const Shape flattest(questions, depth.value_or(least_depth));
  if (const auto found = deepest_shape(flattest.questions, flattest.branches, flattest.depth, depth.value_or(greatest_depth), max_bits))
    return *found;
  throw Oversized(questions, flattest, max_bits).described(rows);
}
