#include "ecco_shape.hpp"

#include <algorithm>
#include <limits>
#include <set>

using namespace thriftwood;

namespace {

constexpr std::size_t least_depth = 5, greatest_depth = 11;

class Advice {
 public:
  Advice(const std::vector<Question>& questions, const Shape& shape, std::size_t max_bits) : questions_(questions), shape_(shape), max_bits_(max_bits) {
    for (const Question& question : questions)
      if (widest_ == nullptr || question.outcomes > widest_->outcomes) widest_ = &question;
  }

  // The question with more outcomes than any that asks about a number; null: no question has more than two.
  const Question* widest() const { return widest_ != nullptr && widest_->outcomes > 2 ? widest_ : nullptr; }

  std::vector<std::string> remedies(const std::vector<std::string>& names, std::size_t rows) const {
    std::vector<std::string> found;
    if (const Question* most = widest(); most != nullptr && features() > 1 && fits(without(most->feature)))
      found.push_back("leave out " + names[static_cast<std::size_t>(most->feature)] +
                      (2 * static_cast<std::size_t>(most->outcomes) > rows ? ", which nearly names the cases" : ""));
    if (widest() != nullptr && fits({by_value(), 2, shape_.depth})) found.push_back("ask for one category at a time (nominal='value')");
    if (fits({features(), shape_.branches, shape_.depth})) found.push_back("ask fewer questions about numbers (cuts_per_feature=1)");
    if (const auto flatter = deepest_shape(shape_.questions, shape_.branches, 1, shape_.depth - 1, max_bits_))
      found.push_back("give a smaller depth (depth=" + std::to_string(flatter->depth) + ")");
    if (shape_.bits() < most_bits) found.push_back("allow more bits (max_bits=" + std::to_string(shape_.bits() + 1) + ")");
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
  const Question* widest_ = nullptr;
};

std::string listed(const std::vector<std::string>& remedies) {
  std::string text;
  for (std::size_t i = 0; i < remedies.size(); ++i) text += (i == 0 ? "" : i + 1 < remedies.size() ? "; " : "; or ") + remedies[i];
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

}  // namespace

Shape ecco_shape(const std::vector<Question>& questions, std::optional<std::size_t> depth, std::size_t max_bits, const std::vector<std::string>& names,
                 std::size_t rows) {
  const Shape flattest(questions, depth.value_or(least_depth));
  if (const auto found = deepest_shape(flattest.questions, flattest.branches, flattest.depth, depth.value_or(greatest_depth), max_bits)) return *found;
  const Advice advice(questions, flattest, max_bits);
  const bool countable = flattest.bits() < std::numeric_limits<std::size_t>::max();
  std::string said = "A tree of depth " + std::to_string(flattest.depth) + " takes " + (countable ? std::to_string(flattest.bits()) : "countless") + " bits with " +
                     std::to_string(flattest.questions) + " questions of up to " + std::to_string(flattest.branches) + " outcomes";
  if (const Question* widest = advice.widest()) said += " (" + names[static_cast<std::size_t>(widest->feature)] + ")";
  throw InputError(said + ", and max_bits=" + std::to_string(max_bits) + " asks for fewer. " + listed(advice.remedies(names, rows)));
}
