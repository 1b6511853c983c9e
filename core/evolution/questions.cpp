#include "questions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "../splitting/numeric.hpp"

namespace thriftwood {

namespace {

struct Cut {
  double threshold;
  double impurity;  // what is left of it, to be compared with that of other cuts of the feature
};

double x_log_x(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }

// Entropy times weight.
double spread(const std::vector<double>& classes) {
  double sum = 0.0, logs = 0.0;
  for (double weight : classes) {
    sum += weight;
    logs += x_log_x(weight);
  }
  return x_log_x(sum) - logs;
}

// The only class there is; -1: there are several.
Index only_class(const std::vector<double>& classes) {
  Index only = -1;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!(classes[c] > 0.0)) continue;
    if (only >= 0) return -1;
    only = static_cast<Index>(c);
  }
  return only;
}

std::vector<Cut> borders(const Judged& judged, const Column& column, const std::vector<Row>& rows) {
  struct Known {
    double number;
    Row row;
  };
  std::vector<Known> known;
  for (Row row : rows)
    if (const double number = column.number(row); !std::isnan(number)) known.push_back({number, row});
  std::sort(known.begin(), known.end(), [](const Known& a, const Known& b) { return a.number < b.number; });
  const auto classes = static_cast<std::size_t>(judged.classes);
  std::vector<double> low(classes, 0.0), high(classes, 0.0), here(classes), before(classes);
  for (const Known& one : known) high[static_cast<std::size_t>(judged.labels[one.row])] += judged.weight(one.row);
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < known.size();) {
    const double number = known[i].number;
    const std::size_t first = i;
    std::fill(here.begin(), here.end(), 0.0);
    for (; i < known.size() && known[i].number == number; ++i)
      here[static_cast<std::size_t>(judged.labels[known[i].row])] += judged.weight(known[i].row);
    const bool border = first > 0 && (only_class(before) < 0 || only_class(before) != only_class(here));
    const double threshold = first > 0 ? midpoint(known[first - 1].number, number) : 0.0;
    if (border && std::isfinite(threshold)) cuts.push_back({threshold, spread(low) + spread(high)});
    for (std::size_t c = 0; c < classes; ++c) {
      low[c] += here[c];
      high[c] = std::max(0.0, high[c] - here[c]);
    }
    std::swap(before, here);
  }
  return cuts;
}

void add_cuts(std::vector<Question>& questions, const Judged& judged, Index feature, const std::vector<Row>& rows, std::size_t wanted) {
  std::vector<Cut> cuts = borders(judged, judged.table.column(feature), rows);
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.impurity < b.impurity; });
  if (cuts.size() > wanted) cuts.resize(wanted);
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.threshold < b.threshold; });
  for (const Cut& cut : cuts) questions.push_back({feature, NodeKind::Threshold, cut.threshold, 2});
}

void add_categories(std::vector<Question>& questions, const Judged& judged, Index feature, const std::vector<Row>& rows, NominalTests nominal) {
  const Column& column = judged.table.column(feature);
  std::vector<Index> numbers(static_cast<std::size_t>(column.values), -1);
  for (Row row : rows)
    if (const Index code = column.code(row); code >= 0 && code < column.values) numbers[static_cast<std::size_t>(code)] = 0;
  Index occurring = 0;
  for (Index& number : numbers)
    if (number == 0) number = occurring++;
  if (occurring < 2) return;
  const auto shared = std::make_shared<const std::vector<Index>>(std::move(numbers));
  if (nominal == NominalTests::Multiway) {
    questions.push_back({feature, NodeKind::Nominal, 0.0, occurring, shared});
    return;
  }
  // Of two categories the second is asked for by asking for the first.
  for (Index own = 0; own < (occurring == 2 ? 1 : occurring); ++own) questions.push_back({feature, NodeKind::Nominal, 0.0, 2, shared, own});
}

}  // namespace

std::vector<Question> list_questions(const Judged& judged, std::size_t cuts, NominalTests nominal, Stop* stop) {
  check_judged(judged);
  if (nominal != NominalTests::Multiway && nominal != NominalTests::Value)
    throw InputError("ECCO asks nominal questions with an outcome for every category, or for one category against the others.");
  const std::vector<Row> rows = judged.weighed_rows();
  std::vector<Question> questions;
  for (Index feature = 0; feature < judged.table.features(); ++feature) {
    if (stop != nullptr) stop->throw_if_asked();
    if (judged.table.column(feature).nominal())
      add_categories(questions, judged, feature, rows, nominal);
    else
      add_cuts(questions, judged, feature, rows, cuts);
  }
  return questions;
}

Shape::Shape(const std::vector<Question>& all, std::size_t levels) : questions(all.size()), depth(levels) {
  for (const Question& question : all) branches = std::max(branches, static_cast<std::size_t>(question.outcomes));
}

std::size_t Shape::nodes() const {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  std::size_t sum = 0, level = 1;
  for (std::size_t d = 0; d < depth; ++d) {
    if (sum > most / 2 || level > most / 2) return most;
    sum += level;
    if (level > most / branches) return most;
    level *= branches;
  }
  return sum;
}

unsigned Shape::bits_per_node() const { return static_cast<unsigned>(std::bit_width(questions)); }

std::size_t Shape::bits() const {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return nodes() > most / std::max(1u, bits_per_node()) ? most : nodes() * bits_per_node();
}

std::optional<Shape> deepest_shape(std::size_t questions, std::size_t branches, std::size_t least, std::size_t most, std::size_t max_bits) {
  std::optional<Shape> deepest;
  for (std::size_t depth = least; depth <= most; ++depth) {
    const Shape shape(questions, branches, depth);
    if (shape.bits() >= max_bits) break;
    deepest = shape;
  }
  return deepest;
}

}  // namespace thriftwood
