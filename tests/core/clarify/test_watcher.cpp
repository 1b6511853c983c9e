#include "clarify/watcher.hpp"

#include <ctime>

#include "check.hpp"

using namespace thriftwood::clarify;

namespace {

// A thread that knows its callers: what the native thunk finds out from return addresses.
class Play {
 public:
  explicit Play(std::string_view plan) {
    const auto patterns = read_plan(plan);
    CHECK(patterns.has_value());
    CHECK(orders_.begin(*patterns));
    counters_ = std::vector<std::atomic<std::uint64_t>>(patterns->size());
    watcher_.begin(orders_, counters_.data(), arena_);
  }
  // A call tree as text: "f(g h(k))".
  void run(std::string_view tree) {
    std::uint64_t stack = 1000;
    std::vector<std::string> callers;
    std::string name;
    const auto begin = [&] {
      if (name.empty()) return;
      stack -= 10;
      while (watcher_.depth() > 0 && watcher_.top().stack <= stack) watcher_.leave();
      const std::uint32_t function = orders_.find(name);
      const std::uint32_t caller = callers.empty() ? nobody : orders_.find(callers.back());
      if (function != nobody) {
        watcher_.enter(function, stack, 0, [&](std::uint32_t parent) { return parent == caller; });
      }
      callers.push_back(name);
      name.clear();
    };
    const auto end = [&] {
      callers.pop_back();
      stack += 10;
    };
    for (const char c : tree) {
      if (c == '(') {
        begin();
      } else if (c == ')') {
        if (!name.empty()) begin(), end();
        end();
      } else if (c == ' ') {
        if (!name.empty()) begin(), end();
      } else {
        name += c;
      }
    }
  }
  std::vector<std::uint64_t> counts() const { return {counters_.begin(), counters_.end()}; }

 private:
  Orders orders_;
  std::vector<std::atomic<std::uint64_t>> counters_;
  Arena arena_;  // for what memory is lacking, never here
  Watcher watcher_;
};

using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a plan is lines of numbered patterns") {
  const auto plan = read_plan("0\tcount\tf\n1\tinside\tf\tg\th\n2\tchain\tf\tg\th\n");
  CHECK(plan && plan->size() == 3);
  CHECK(plan && (*plan)[1].kind == PatternKind::inside && (*plan)[1].functions == (std::vector<std::string>{"f", "g", "h"}));
  CHECK(read_plan("")->empty());
  const auto tree = read_plan("0\ttree\tf\tg\t2\th\ti\tk\t0\n");
  CHECK(tree && (*tree)[0].functions == (std::vector<std::string>{"f", "g", "h", "i", "k"}));
  CHECK(tree && (*tree)[0].shape == (std::vector<std::size_t>{2, 0}));
  for (const char* wrong : {"0\ttree\tf\n", "0\ttree\tf\tg\n", "0\ttree\tf\tg\t1\n", "0\ttree\tf\tg\tx\th\n", "0\ttree\tf\tg\t-1\n"}) {
    CHECK(!read_plan(wrong));
  }
  for (const char* wrong : {"1\tcount\tf\n", "0\tcount\tf\tg\n", "0\tinside\tf\n", "0\tchain\tf\tg\n", "0\tsum\tf\n", "count\tf\n"}) {
    CHECK(!read_plan(wrong));
  }
}

TEST_CASE("calls are counted wherever they come from") {
  Play play("0\tcount\tg\n");
  play.run("f(g g(g) h(g))");
  CHECK(play.counts() == (Counts{4}));
}

TEST_CASE("an activation counts once for the children it has, and only for direct ones") {
  Play play("0\tinside\tf\tg\n1\tinside\tf\tg\th\n");
  play.run("f(g g)");        // g
  play.run("f(h)");          // no g
  play.run("f(h g h)");      // both
  play.run("f(k(g) h)");     // g is k's child
  play.run("f(f(g) h)");     // one activation has g, the other h
  CHECK(play.counts() == (Counts{3, 1}));
}

TEST_CASE("a chain is a child with a child of its own") {
  Play play("0\tchain\tf\tg\th\n1\tinside\tg\th\n");
  play.run("f(g(h) g(h))");  // once for f, twice for g
  play.run("f(g h)");        // h is not g's
  play.run("f(k(g(h)))");    // g is not f's
  play.run("g(h)");
  play.run("f(g(k(h)))");
  CHECK(play.counts() == (Counts{1, 4}));
}

TEST_CASE("a tree is children with children of their own") {
  Play play("0\ttree\tf\tg\t2\th\ti\n1\ttree\tf\tg\t1\th\tk\t0\n2\ttree\tf\tg\t1\th\tg\t1\ti\n");
  play.run("f(g(h i))");       // one g has both
  CHECK(play.counts() == (Counts{1, 0, 1}));
  play.run("f(g(h) g(i))");    // one g has h, another has i
  CHECK(play.counts() == (Counts{1, 0, 2}));
  play.run("f(k g(i h) g(h i))");  // each counts once for an activation of f
  CHECK(play.counts() == (Counts{2, 1, 3}));
  play.run("f(g(k(h i)) h i)");    // neither is g's
  play.run("g(h i)");
  play.run("f(k(g(h i)))");    // g is not f's
  CHECK(play.counts() == (Counts{2, 1, 3}));
  play.run("f(g(h) k)");
  CHECK(play.counts() == (Counts{2, 2, 3}));
}

TEST_CASE("recursion: functions are their own children") {
  Play play("0\tinside\tf\tf\n1\tchain\tf\tf\tf\n2\tcount\tf\n3\ttree\tf\tf\t1\tf\tf\t0\n");
  play.run("f(f(f(f)) f)");
  CHECK(play.counts() == (Counts{3, 2, 5, 2}));
}

TEST_CASE("more than 64 marks are refused") {
  std::vector<Pattern> patterns;
  for (int i = 0; i < 65; ++i) patterns.push_back({PatternKind::inside, {"f", "g" + std::to_string(i)}, {}});
  CHECK(!Orders().begin(patterns));
  patterns.pop_back();
  CHECK(Orders().begin(patterns));
}

TEST_CASE("every function of a large program is looked up in a large plan in no time") {
  constexpr std::uint32_t n = 40'000;
  const auto name = [](std::uint32_t number) { return "program!some_longer_name_" + std::to_string(number); };
  std::vector<Pattern> patterns;
  for (std::uint32_t i = 0; i < n; ++i) patterns.push_back({PatternKind::count, {name(i)}, {}});
  const std::clock_t before = std::clock();
  Orders orders;
  CHECK(orders.begin(patterns));
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < 2 * n; ++i) wrong += orders.find(name(i)) != (i < n ? i : nobody);
  CHECK(wrong == 0);
  CHECK(std::clock() - before < CLOCKS_PER_SEC);  // 0.02 s; one by one 4 s
}
