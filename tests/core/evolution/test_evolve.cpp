// The loop, with a genome that costs what it says: the number of ones in the string.
#include "evolution/evolve.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <thread>

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

// Notes what is judged, one generation after the other, at a cost that is drawn for every trial. Every string is another one: each
// begins with a number of its own, and mutation gives it a new one.
class Diary : public Genome {
 public:
  struct Trial {
    std::uint32_t number;
    double cost;
  };
  struct Noting : Judge {
    const Diary& diary;
    explicit Noting(const Diary& own) : diary(own) {}
    double cost(const Bits& string, Key trial) override {
      diary.trials.push_back({string.field(0, 32), unit_draw(trial)});
      if (diary.trials.size() == diary.long_trial)
        while (!diary.stop->reached()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return diary.trials.back().cost;
    }
  };

  std::size_t bits() const override { return 32; }
  void begin(Bits& string, std::size_t, Draws) const override { string.put(0, 32, next++); }
  void cross(Bits&, Bits&, Draws) const override {}
  void mutate(Bits& string, Draws) const override { string.put(0, 32, next++); }
  std::unique_ptr<Judge> judge() const override { return std::make_unique<Noting>(*this); }

  // The trial that takes until `stop` is reached.
  std::size_t long_trial = 0;
  Stop* stop = nullptr;
  mutable std::uint32_t next = 1;
  mutable std::vector<Trial> trials;

  std::vector<std::uint32_t> generation(std::size_t number, std::size_t population) const {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = number * population; i < (number + 1) * population; ++i) numbers.push_back(trials[i].number);
    return numbers;
  }
  const Trial& best(std::size_t first, std::size_t last) const {
    const auto begin = trials.begin();
    return *std::min_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last),
                             [](const Trial& a, const Trial& b) { return a.cost < b.cost; });
  }
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

TEST_CASE("the last generation is the last one that was judged as a whole; the best is of all trials") {
  for (const std::size_t trials : {7, 50, 130, 149, 150}) {
    Diary diary;
    Stop stop(infinity, [&] { return diary.trials.size() >= trials; });
    diary.long_trial = trials;
    diary.stop = &stop;
    const Evolved evolved = evolve(diary, {}, stop);
    CHECK(diary.trials.size() == trials);
    CHECK(evolved.trials == trials);
    CHECK(evolved.end == Evolved::End::Asked);
    CHECK(evolved.history.size() == (trials + 49) / 50);
    const std::size_t whole = trials / 50;
    const Diary::Trial last = whole > 0 ? diary.best(50 * (whole - 1), 50 * whole) : diary.best(0, trials);
    CHECK(evolved.last.field(0, 32) == last.number);
    CHECK(evolved.last_cost == last.cost);
    CHECK(evolved.best.field(0, 32) == diary.best(0, trials).number);
    CHECK(evolved.cost == diary.best(0, trials).cost);
  }
}

TEST_CASE("all trials made is the end by trials, though time was up with the last; who asks then is heard") {
  for (const bool asks : {false, true}) {
    Diary diary;
    Stop stop(asks ? infinity : 0.5, [&] { return asks && diary.trials.size() >= 100; });
    diary.long_trial = 100;
    diary.stop = &stop;
    Evolution how;
    how.trials = 100;
    std::size_t told = 0;
    const Evolved evolved = evolve(diary, how, stop, [&](std::size_t, std::size_t, const Generation&) { return ++told > 0; });
    CHECK(evolved.trials == 100);
    CHECK(evolved.end == (asks ? Evolved::End::Asked : Evolved::End::Trials));
    CHECK(told == 2);
  }
}

TEST_CASE("the gap is the part that is replaced; the others stay, each at most once; the best always does if elitist") {
  for (const double gap : {0.02, 0.25, 0.7, 0.99, 1.0}) {
    for (const bool elitist : {false, true}) {
      Diary diary;
      Evolution how;
      how.trials = 1000;
      how.gap = gap;
      how.elitist = elitist;
      Stop never;
      evolve(diary, how, never);
      const auto fresh = static_cast<std::size_t>(std::llround(50 * gap));
      std::size_t best_stayed = 0;
      for (std::size_t g = 1; g < 20; ++g) {
        auto before = diary.generation(g - 1, 50), now = diary.generation(g, 50);
        std::sort(before.begin(), before.end());
        std::sort(now.begin(), now.end());
        CHECK(std::unique(now.begin(), now.end()) == now.end());
        std::vector<std::uint32_t> stayed;
        std::set_intersection(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(stayed));
        const bool best = std::binary_search(stayed.begin(), stayed.end(), diary.best(50 * (g - 1), 50 * g).number);
        best_stayed += best;
        // The best takes the place of another that stays; where nobody does, of a new one.
        CHECK(stayed.size() == (elitist && fresh == 50 ? 1 : 50 - fresh));
      }
      if (elitist) CHECK(best_stayed == 19);
      if (!elitist && fresh >= 25) CHECK(best_stayed < 19);
      if (!elitist && fresh == 50) CHECK(best_stayed == 0);
    }
  }
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
