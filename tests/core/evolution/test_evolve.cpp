// The loop, with a genome that costs what it says: the number of ones in the string.
#include "evolution/evolve.hpp"

#include <atomic>

#include "check.hpp"

using namespace thriftwood;

namespace {

class Ones : public Genome {
 public:
  struct Counting : Judge {
    const Ones& ones;
    explicit Counting(const Ones& own) : ones(own) {}
    double cost(const Bits& string, Key trial) override {
      ++ones.judged;
      double sum = 0.0;
      for (std::size_t i = 0; i < string.size(); ++i) sum += string.field(i, 1);
      return sum + (ones.noise ? unit_draw(trial) : 0.0);
    }
  };

  std::size_t bits() const override { return 70; }
  void begin(Bits& string, std::size_t, Draws draws) const override {
    for (std::size_t i = 0; i < string.size(); ++i) string.put(i, 1, draws.chance(0.5));
  }
  void cross(Bits& a, Bits& b, Draws draws) const override {
    if (crosses) Bits::exchange(a, b, draws.below(70), 70);
  }
  void mutate(Bits& string, Draws draws) const override {
    for (std::size_t i = 0; i < string.size() && mutates; ++i)
      if (draws.chance(0.01)) string.put(i, 1, draws.chance(0.5));
  }
  std::unique_ptr<Judge> judge() const override { return std::make_unique<Counting>(*this); }

  bool crosses = true, mutates = true, noise = false;
  mutable std::atomic<std::size_t> judged{0};
};

double ones_in(const Bits& string) { return Ones::Counting(Ones()).cost(string, 0); }

bool same(const Evolved& a, const Evolved& b) {
  if (a.best != b.best || a.cost != b.cost || a.trial != b.trial || a.trials != b.trials || a.history.size() != b.history.size()) return false;
  for (std::size_t i = 0; i < a.history.size(); ++i)
    if (a.history[i].best != b.history[i].best || a.history[i].mean != b.history[i].mean) return false;
  return true;
}

}  // namespace

TEST_CASE("costs fall, and the best string is the one that was judged best") {
  Ones ones;
  Evolution how;
  how.trials = 3010;
  Stop never;
  const Evolved evolved = evolve(ones, how, never);
  CHECK(evolved.trials == 3050);  // whole generations
  CHECK(ones.judged == 3050);
  CHECK(evolved.history.size() == 61);
  CHECK(evolved.end == Evolved::End::Trials);
  CHECK(evolved.cost == ones_in(evolved.best));
  CHECK(evolved.history.back().best == ones_in(evolved.last));
  CHECK(evolved.cost < evolved.history.front().best - 5);
  CHECK(evolved.history.back().mean < evolved.history.front().mean - 10);
  for (std::size_t i = 1; i < evolved.history.size(); ++i) CHECK(evolved.history[i].best <= evolved.history[i - 1].best);  // elitist
}

TEST_CASE("any number of threads gives the same, another seed does not") {
  Ones ones;
  ones.noise = true;
  Evolution how;
  how.gap = 0.7;
  how.elitist = false;
  Stop never;
  const Evolved one = evolve(ones, how, never);
  how.threads = 4;
  CHECK(same(evolve(ones, how, never), one));
  how.seed = 1;
  CHECK(!same(evolve(ones, how, never), one));
}

TEST_CASE("without crossing and mutation strings only die out") {
  Ones ones;
  ones.crosses = ones.mutates = false;
  Evolution how;
  Stop never;
  const Evolved evolved = evolve(ones, how, never);
  CHECK(evolved.cost == evolved.history.front().best);
  CHECK(evolved.history.back().mean == evolved.cost);
  how.gap = 0.02;  // one string at a time
  CHECK(evolve(ones, how, never).history.back().mean > evolved.cost);
}

TEST_CASE("it ends by patience, by time, and when somebody has enough; something was judged by then") {
  Ones ones;
  ones.crosses = ones.mutates = false;
  Evolution how;
  how.trials = 1'000'000;
  how.patience = 3;
  Stop never;
  const Evolved patient = evolve(ones, how, never);
  CHECK(patient.end == Evolved::End::Patience);
  CHECK(patient.history.size() == 4);
  how.patience = 0;
  for (const int threads : {1, 3}) {
    how.threads = threads;
    Stop now(0.0);
    const Evolved late = evolve(ones, how, now);
    CHECK(late.end == Evolved::End::Time);
    CHECK(late.trials >= 1);
    CHECK(late.trials <= 50);
    CHECK(late.cost == ones_in(late.best));
    CHECK(late.history.size() == 1);
  }
  std::size_t told = 0;
  Stop still;
  const Evolved asked = evolve(ones, how, still, [&](std::size_t generation, std::size_t generations, const Generation& costs) {
    CHECK(generation == ++told);
    CHECK(generations == 20'000);
    CHECK(costs.best <= costs.mean);
    return generation < 5;
  });
  CHECK(asked.end == Evolved::End::Asked);
  CHECK(asked.history.size() == 5);
}

TEST_CASE("settings out of their bounds are refused") {
  Ones ones;
  Stop never;
  const auto refused = [&](auto change) {
    Evolution how;
    change(how);
    CHECK_THROWS_AS(InputError, evolve(ones, how, never));
  };
  refused([](Evolution& how) { how.population = 1; });
  refused([](Evolution& how) { how.trials = 0; });
  refused([](Evolution& how) { how.window = 0; });
  refused([](Evolution& how) { how.crossover = 1.1; });
  refused([](Evolution& how) { how.gap = 0.0; });
}
