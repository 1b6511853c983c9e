#include "ecco.hpp"

#include <algorithm>
#include <string>

#include "outline_cost.hpp"

namespace thriftwood {

namespace {

class EccoJudge : public Judge {
 public:
  EccoJudge(const Ground& ground, bool prune) : drafter_(ground), cost_(ground), prune_(prune) {}

  double cost(const Bits& string, Key) override {
    Outline& outline = drafter_.draw(string);
    return prune_ ? cost_.prune(outline) : cost_.of(outline);
  }

 private:
  Drafter drafter_;
  OutlineCost cost_;
  bool prune_;
};

const Judged& checked(const Judged& judged) {
  check_judged(judged);
  if (judged.weighed_rows().empty()) throw InputError("ECCO judges trees by their training cases, and none counts.");
  return judged;
}

bool unit(const Judged& judged) {
  return std::all_of(judged.weights.begin(), judged.weights.end(), [](double weight) { return weight == 0.0 || weight == 1.0; });
}

}  // namespace

Ecco::Ecco(const Judged& judged, std::vector<Question> questions, const EccoSettings& settings, Stop* stop)
    : judged_(checked(judged)),
      questions_(std::move(questions)),
      settings_(settings),
      shape_(questions_, questions_.size() == 0 ? 1 : settings.depth),  // without questions a string has no bits to say when to stop
      apart_(unit(judged) ? std::vector<Row>{} : judged.weighed_rows()),
      sets_(judged, questions_, apart_.empty() ? judged.weighed_rows() : std::vector<Row>{}, stop) {
  if (settings.depth < 1) throw InputError("A tree of ECCO has at least 1 level of questions.");
  for (double part : {settings.mutation, settings.leaf_share})
    if (!(part >= 0.0 && part <= 1.0)) throw InputError("Rates lie from 0 to 1. Got " + std::to_string(part) + ".");
}

void Ecco::begin(Bits& string, std::size_t, Draws draws) const {
  for (std::size_t node = 0; node < shape_.nodes(); ++node) {
    const bool empty = node > 0 && draws.chance(settings_.leaf_share);
    put(string, node, empty ? 0 : node == 0 ? draws.below(questions_.size() + 1) : 1 + draws.below(questions_.size()));
  }
}

void Ecco::cross(Bits& a, Bits& b, Draws draws) const {
  const std::size_t nodes = shape_.nodes();
  if (nodes < 2) return;
  const std::size_t head = 1 + draws.below(nodes - 1);
  Bits::exchange(a, b, head * shape_.bits_per_node(), a.size());
}

void Ecco::mutate(Bits& string, Draws draws) const {
  if (settings_.mutation == 0.0) return;
  const std::size_t nodes = shape_.nodes();
  // A little more, because 0.02 * 50 may be a little less than 1.
  const auto most = std::max<std::size_t>(1, static_cast<std::size_t>(settings_.mutation * static_cast<double>(nodes) + 1e-9));
  for (std::size_t left = draws.below(most + 1); left > 0; --left) {
    const std::size_t node = draws.below(nodes);
    std::size_t other = draws.below(questions_.size());
    if (other >= static_cast<std::size_t>(number(string, node))) ++other;
    put(string, node, other);
  }
}

std::unique_ptr<Judge> Ecco::judge() const { return std::make_unique<EccoJudge>(ground(), settings_.prune_always); }

// Waking a thread takes about as long as judging fifty small trees.
std::size_t Ecco::worth_a_thread() const {
  const std::size_t reached = std::min(shape_.nodes(), 2 * judged_.table.rows);
  const std::size_t work = reached * (20 + sets_.words() + apart_.size());
  return std::max<std::size_t>(1, 100'000 / work);
}

std::vector<Index> Ecco::decode(const Bits& string) const {
  check_size(string);
  std::vector<Index> numbers;
  for (std::size_t node = 0; node < shape_.nodes(); ++node) numbers.push_back(number(string, node));
  return numbers;
}

Bits Ecco::encode(const std::vector<Index>& numbers) const {
  if (numbers.size() != shape_.nodes())
    throw InputError("ECCO's trees for this table have " + std::to_string(shape_.nodes()) + " nodes. Got " + std::to_string(numbers.size()) +
                     " numbers.");
  Bits string(bits());
  for (std::size_t node = 0; node < numbers.size(); ++node) {
    if (numbers[node] < 0 || static_cast<std::size_t>(numbers[node]) > questions_.size())
      throw InputError("There is no question " + std::to_string(numbers[node]) + "; questions are 1 to " + std::to_string(questions_.size()) +
                       ", and 0 is none.");
    put(string, node, static_cast<std::size_t>(numbers[node]));
  }
  return string;
}

void Ecco::check_size(const Bits& string) const {
  if (string.size() != bits())
    throw InputError("ECCO's strings for this table have " + std::to_string(bits()) + " bits. Got " + std::to_string(string.size()) + ".");
}

Tree Ecco::tree(const Bits& string, bool pruned) const {
  check_size(string);
  const Ground shared = ground();
  Drafter drafter(shared);
  Outline& outline = drafter.draw(string);
  if (pruned) OutlineCost(shared).prune(outline);
  return to_tree(outline, shared);
}

}  // namespace thriftwood
