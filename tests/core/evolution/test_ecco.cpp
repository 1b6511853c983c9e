// ECCO's strings, and what their trees cost.
#include "evolution/ecco.hpp"

#include "check.hpp"
#include "evolution/evolve.hpp"
#include "evolution/outline_cost.hpp"
#include "evolution/sample.hpp"

using namespace thriftwood;

namespace {

Question category(Index feature, std::vector<Index> outcomes) {
  return {feature, NodeKind::Nominal, 0.0, 2, std::make_shared<const std::vector<Index>>(std::move(outcomes))};
}

std::vector<Index> outcomes_of(const Question& question) {
  std::vector<Index> found;
  for (Index category = 0; category < static_cast<Index>(question.numbers->size()); ++category) found.push_back(question.outcome_of(category));
  return found;
}

Bits drawn(const Ecco& ecco, Key key) {
  Bits string(ecco.bits());
  ecco.begin(string, 0, Draws(key));
  return string;
}

}  // namespace

TEST_CASE("strings are as long as their trees are deep") {
  CHECK(Shape(19, 2, 5).bits() == 155);
  CHECK(Shape(19, 2, 11).bits() == 10235);
  CHECK(Shape(19, 3, 9).bits() == 49205);
  CHECK(Shape(19, 3, 10).bits() == 147620);
  CHECK(Shape(19, 4, 7).bits() == 27305);
  CHECK(Shape(6, 2, 11).bits() == 6141);
  CHECK(deepest_shape(19, 2, 5, 11, 50000)->depth == 11);
  CHECK(deepest_shape(19, 3, 5, 11, 50000)->depth == 9);
  CHECK(deepest_shape(19, 4, 5, 11, 50000)->depth == 7);
  CHECK(!deepest_shape(19, 14, 5, 11, 50000));
  CHECK(Shape(19, 1000, 64).bits() == std::numeric_limits<std::size_t>::max());
  CHECK(Shape(0, 2, 5).bits() == 0);
}

TEST_CASE("the worked example: fourteen days, two questions") {
  const Days days;
  const Prices prices(plain({4.0, 2.0, 0.5}));
  const std::vector<double> loss{0, 20, 10, 0};
  const std::vector<Question> questions{category(1, {0, 1}), category(2, {1, 0}), category(0, {1, 0, 1})};
  const Judged judged{days.table, days.labels, 2, {}, loss, &prices};
  const Ecco ecco(judged, questions, {2, 0.02, 0.2, false});
  const Bits string = Bits::read("01 10 00");
  CHECK(ecco.bits() == 6);
  CHECK(ecco.decode(string) == std::vector<Index>({1, 2, 0}));
  CHECK_NEAR(ecco.judge()->cost(string, 0), 5.821429, 1e-6);
  const Tree tree = ecco.tree(string, false);
  CHECK(tree.size() == 5);
  CHECK(tree.value(tree.node(0).first_child + 1)[1] == 6);  // normal humidity
  const Tree pruned = ecco.tree(string, true);
  CHECK(pruned.size() == 3);
  CHECK_NEAR(mean_bill(Predictor(pruned), judged, judged.weighed_rows()), 5.571429, 1e-6);
  CHECK_NEAR(ecco.judge()->cost(Bits(6), 0), 6.428571, 1e-6);
  const Ecco always(judged, questions, {2, 0.02, 0.2, true});
  CHECK_NEAR(always.judge()->cost(string, 0), 5.571429, 1e-6);
}

TEST_CASE("questions: cuts between classes by gain, an outcome for every category that occurs, or one for each") {
  std::vector<double> numbers{1, 2, 3, 4, 5, 6, 7, 8}, constant(8, 1.0);
  std::vector<Index> codes{0, 0, 1, 1, 3, 3, 3, 3}, labels{0, 0, 1, 1, 1, 0, 1, 1};
  Table table;
  table.rows = 8;
  table.columns = {{Storage::Float64, numbers.data(), 1, 0, nullptr, 0},
                   {Storage::Float64, constant.data(), 1, 0, nullptr, 0},
                   {Storage::Codes, codes.data(), 1, 4, nullptr, 0}};
  const auto all = list_questions({table, labels, 2}, 8, NominalTests::Multiway);
  CHECK(all.size() == 4);
  CHECK(all[0].threshold == 2.5);
  CHECK(all[1].threshold == 5.5);
  CHECK(all[2].threshold == 6.5);
  CHECK(all[3].outcomes == 3);
  CHECK(outcomes_of(all[3]) == std::vector<Index>({0, 1, -1, 2}));
  const auto best = list_questions({table, labels, 2}, 1, NominalTests::Value);
  CHECK(best.size() == 4);
  CHECK(best[0].threshold == 2.5);
  CHECK(outcomes_of(best[2]) == std::vector<Index>({1, 0, -1, 1}));
  const std::vector<double> weights{1, 1, 1, 1, 0, 0, 0, 0};
  CHECK(list_questions({table, labels, 2, weights}, 8, NominalTests::Value).size() == 2);  // one cut; of two categories one question
  CHECK_THROWS_AS(InputError, list_questions({table, labels, 2}, 8, NominalTests::Grouped));
}

TEST_CASE("a string and its numbers are one, and only whole nodes are crossed and mutated") {
  Random random(8);
  const EvolvedSample sample(random, 60, 2, false);
  const Judged judged{sample.table, sample.labels, 2};
  const Ecco ecco(judged, list_questions(judged, 8, NominalTests::Multiway), {5, 0.02, 0.2, false});
  const auto n = static_cast<Index>(ecco.questions().size());
  for (Key key = 0; key < 100; ++key) {
    Bits a = drawn(ecco, key), b = drawn(ecco, key + 1000);
    const auto before_a = ecco.decode(a), before_b = ecco.decode(b);
    CHECK(ecco.encode(before_a) == a);
    ecco.cross(a, b, Draws(key));
    const auto crossed = ecco.decode(a), other = ecco.decode(b);
    std::size_t head = 0;
    while (head < crossed.size() && crossed[head] == before_a[head]) ++head;
    for (std::size_t i = head; i < crossed.size(); ++i) CHECK(crossed[i] == before_b[i] && other[i] == before_a[i]);
    CHECK(head >= 1);
    ecco.mutate(a, Draws(key));
    const auto mutated = ecco.decode(a);
    int changed = 0;
    for (std::size_t i = 0; i < mutated.size(); ++i) {
      changed += mutated[i] != crossed[i];
      CHECK(mutated[i] >= 0 && mutated[i] <= n);
    }
    CHECK(changed <= 2);  // 2 % of 121 nodes
  }
  CHECK_THROWS_AS(InputError, ecco.encode({1, 2, 3}));
  CHECK_THROWS_AS(InputError, ecco.decode(Bits(3)));
}

TEST_CASE("a tree costs what the ledger and the predictor say, whatever is missing, weighed or paid") {
  Random random(9);
  for (int round = 0; round < 24; ++round) {
    const Index classes = 2 + round % 3;
    const EvolvedSample sample(random, 90, classes, round % 2 == 1);
    std::vector<double> loss;
    for (Index i = 0; i < classes * classes; ++i) loss.push_back(i % (classes + 1) == 0 ? 0.0 : static_cast<double>(1 + below(random, 9)));
    std::vector<double> weights(90);
    for (double& weight : weights) weight = round % 4 < 2 ? static_cast<double>(below(random, 2)) : 0.5 * static_cast<double>(below(random, 4));
    const Prices prices = prices_of_kind(round / 6);
    const Judged judged{
        sample.table, sample.labels, classes, round % 8 < 2 ? std::span<const double>() : weights, round % 5 == 0 ? std::span<const double>() : loss,
        &prices};
    for (const NominalTests nominal : {NominalTests::Multiway, NominalTests::Value}) {
      const auto questions = list_questions(judged, 3, nominal);
      const Ecco ecco(judged, questions, {4, 0.02, 0.2, false}), always(judged, questions, {4, 0.02, 0.2, true});
      const auto judge = ecco.judge(), pruning = always.judge();
      for (Key key = 0; key < 12; ++key) {
        const Bits string = drawn(ecco, key);
        const Tree tree = ecco.tree(string, false), pruned = ecco.tree(string, true);
        validate(tree);
        validate(pruned);
        const double cost = judge->cost(string, 0);
        CHECK_NEAR(cost, mean_bill(Predictor(tree), judged, judged.weighed_rows()), 1e-9);
        CHECK_NEAR(pruning->cost(string, 0), mean_bill(Predictor(pruned), judged, judged.weighed_rows()), 1e-9);
        CHECK(pruning->cost(string, 0) <= cost + 1e-9);
        CHECK(pruned.size() <= tree.size());
      }
    }
  }
}

TEST_CASE("weights that differ by more than a sum can tell are counted all the same") {
  // The dear case without an answer goes down both branches, and one of them weighs nothing beside the other.
  std::vector<double> numbers{1, 2, std::nan("")};
  const std::vector<Index> labels{1, 0, 1};
  const std::vector<double> weights{1e20, 1, 1e20};
  Table table;
  table.rows = 3;
  table.columns = {{Storage::Float64, numbers.data(), 1, 0, nullptr, 0}};
  const Judged judged{table, labels, 2, weights};
  const Ecco ecco(judged, list_questions(judged, 8, NominalTests::Multiway), {1, 0.02, 0.2, false});
  const Bits string = ecco.encode({1});
  const double billed = mean_bill(Predictor(ecco.tree(string, false)), judged, judged.weighed_rows());
  CHECK_NEAR(billed, 0.0, 1e-12);
  CHECK_NEAR(ecco.judge()->cost(string, 0), billed, 1e-12);
}

TEST_CASE("rows as bits and rows as pieces cost the same") {
  Random random(10);
  for (const bool missing : {false, true}) {
    const EvolvedSample sample(random, 150, 3, missing);
    const Prices prices = prices_of_kind(1);
    const std::vector<double> twice(150, 2.0);
    const Judged whole{sample.table, sample.labels, 3, {}, {}, &prices}, pieces{sample.table, sample.labels, 3, twice, {}, &prices};
    const auto questions = list_questions(whole, 8, NominalTests::Multiway);
    const Ecco bits(whole, questions, {5, 0.02, 0.1, false}), rows(pieces, questions, {5, 0.02, 0.1, false});
    const auto by_bits = bits.judge(), by_rows = rows.judge();
    for (Key key = 0; key < 60; ++key) CHECK_NEAR(by_bits->cost(drawn(bits, key), 0), by_rows->cost(drawn(bits, key), 0), 1e-10);
  }
}

TEST_CASE("a question asked before is passed over, and so is one whose answer follows") {
  std::vector<double> numbers{1, 2, 3, 4};
  const std::vector<Index> labels{0, 1, 0, 1};
  Table table;
  table.rows = 4;
  table.columns = {{Storage::Float64, numbers.data(), 1, 0, nullptr, 0}};
  const Prices prices(plain({1.0}));
  const Judged judged{table, labels, 2, {}, {}, &prices};
  const Ecco ecco(judged, list_questions(judged, 8, NominalTests::Multiway), {3, 0.02, 0.2, false});
  CHECK(ecco.questions().size() == 3);
  // At 2.5, then below it again at 2.5 and at 1.5; above it at 1.5, whose branch above is at 3.5.
  const Bits string = ecco.encode({2, 2, 1, 1, 0, 0, 3});
  const Tree tree = ecco.tree(string, false);
  CHECK(tree.size() == 7);
  CHECK(tree.node(tree.node(0).first_child).threshold == 1.5);
  CHECK(tree.node(tree.node(0).first_child + 1).threshold == 3.5);
  CHECK_NEAR(ecco.judge()->cost(string, 0), 1.0, 1e-12);
}

TEST_CASE("threads do not matter, and populations get cheaper") {
  Random random(11);
  const EvolvedSample sample(random, 300, 2, true);
  const Prices prices = prices_of_kind(1);
  const std::vector<double> loss{0, 20, 40, 0};
  const Judged judged{sample.table, sample.labels, 2, {}, loss, &prices};
  const Ecco ecco(judged, list_questions(judged, 8, NominalTests::Multiway), {5, 0.02, 0.2, false});
  Evolution how;
  how.population = 200;
  how.trials = 4000;
  Stop never;
  const Evolved one = evolve(ecco, how, never);
  how.threads = 3;
  const Evolved three = evolve(ecco, how, never);
  CHECK(one.best == three.best);
  CHECK(one.cost == three.cost);
  CHECK(one.cost < one.history.front().best);
  CHECK(ecco.worth_a_thread() >= 1);
}

TEST_CASE("without a question every tree is a leaf; tests that nobody can afford are pruned") {
  std::vector<double> constant(6, 1.0), numbers{1, 2, 3, 4, 5, 6};
  const std::vector<Index> labels{0, 1, 1, 0, 1, 1};
  Table table;
  table.rows = 6;
  table.columns = {{Storage::Float64, constant.data(), 1, 0, nullptr, 0}};
  const Judged nothing{table, labels, 2};
  const Ecco ecco(nothing, list_questions(nothing, 8, NominalTests::Multiway), {});
  Evolution how;
  Stop never;
  const Evolved evolved = evolve(ecco, how, never);
  CHECK_NEAR(evolved.cost, 2.0 / 6.0, 1e-12);
  CHECK(ecco.tree(evolved.best, true).size() == 1);
  table.columns = {{Storage::Float64, numbers.data(), 1, 0, nullptr, 0}};
  const Prices dear(plain({100.0}));
  const Judged judged{table, labels, 2, {}, {}, &dear};
  const Ecco poor(judged, list_questions(judged, 8, NominalTests::Multiway), {});
  CHECK(poor.tree(evolve(poor, how, never).best, true).size() == 1);
}

TEST_CASE("cases that do not fit are refused") {
  Random random(12);
  const EvolvedSample sample(random, 20, 2, false);
  const std::vector<double> few(3, 1.0), none_counts(20, 0.0);
  const Prices short_list(plain({1.0}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 1}, {}, {}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2, few}, {}, {}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2, none_counts}, {}, {}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2, {}, few}, {}, {}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2, {}, {}, &short_list}, {}, {}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2}, {}, {0, 0.02, 0.2, false}));
  CHECK_THROWS_AS(InputError, Ecco({sample.table, sample.labels, 2}, {}, {5, 1.02, 0.2, false}));
}

TEST_CASE("who asks ends the preparation; time that is up does not") {
  const Days days;
  const Judged judged{days.table, days.labels, 2};
  const auto questions = list_questions(judged, 8, NominalTests::Value);
  Stop late(0.0), asked(infinity, [] { return true; }), asked_again(infinity, [] { return true; });
  CHECK(list_questions(judged, 8, NominalTests::Value, &late).size() == questions.size());
  CHECK(Ecco(judged, questions, {2, 0.02, 0.2, false}, &late).bits() > 0);
  CHECK_THROWS_AS(Interrupted, list_questions(judged, 8, NominalTests::Value, &asked));
  CHECK_THROWS_AS(Interrupted, Ecco(judged, questions, {2, 0.02, 0.2, false}, &asked_again));
}
