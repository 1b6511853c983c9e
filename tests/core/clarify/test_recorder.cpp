#include "clarify/recorder.hpp"

#include <map>
#include <set>
#include <vector>

#include "basics/random.hpp"
#include "check.hpp"
#include "temporary_folder.hpp"

using namespace thriftwood::clarify;

namespace {

// The three tables, as plain sets.
using Function = std::uint32_t;
using Shape1 = std::pair<Function, std::set<Function>>;
using Shape2 = std::pair<Function, std::set<Shape1>>;
struct Tables {
  std::map<Function, std::uint64_t> calls;
  std::map<Shape1, std::uint64_t> one;
  std::map<Shape2, std::uint64_t> two;
  bool operator==(const Tables&) const = default;
};

// An activation with its children, kept whole: what the automaton must agree with.
struct Node {
  Function function;
  std::vector<Node> children;
};

Shape1 shape_of(const Node& node) {
  Shape1 shape{node.function, {}};
  for (const Node& child : node.children) shape.second.insert(child.function);
  return shape;
}

void count(const Node& node, Tables& tables) {
  Shape2 two{node.function, {}};
  for (const Node& child : node.children) {
    count(child, tables);
    two.second.insert(shape_of(child));
  }
  ++tables.calls[node.function];
  ++tables.one[shape_of(node)];
  ++tables.two[two];
}

void play(const Node& node, Recorder& recorder) {
  recorder.enter(node.function);
  for (const Node& child : node.children) play(child, recorder);
  recorder.leave();
}

Shape1 read_shape(const CallTree& tree, std::uint32_t number) {
  Shape1 shape{tree.shape(number).function, {}};
  for (; tree.shape(number).previous; number = tree.shape(number).previous) shape.second.insert(tree.shape(number).added);
  return shape;
}

Tables read(const CallTree& tree) {
  Tables tables;
  for (std::uint32_t i = 1; i < tree.states(); ++i) {
    const State& state = tree.state(i);
    if (!state.ended) continue;
    Shape2 two{state.function, {}};
    for (std::uint32_t s = i; tree.state(s).previous; s = tree.state(s).previous) {
      two.second.insert(read_shape(tree, tree.state(s).added));
    }
    tables.calls[state.function] += state.ended;
    tables.one[read_shape(tree, state.shape)] += state.ended;
    tables.two[two] += state.ended;
  }
  return tables;
}

Node random_node(thriftwood::Key key, int depth) {
  Node node{static_cast<Function>(thriftwood::draw_below(key, 6)), {}};
  const std::size_t children = depth ? thriftwood::draw_below(thriftwood::key_below(key, 100), 5) : 0;
  for (std::size_t i = 0; i < children; ++i) node.children.push_back(random_node(thriftwood::key_below(key, i), depth - 1));
  return node;
}

}  // namespace

TEST_CASE("subtrees of a call tree by hand") {
  // main calls parse twice, once with an error inside, then report.
  enum : Function { main, parse, error, report };
  const Node tree{main, {{parse, {}}, {parse, {{error, {}}, {error, {}}}}, {report, {{error, {}}}}}};
  TemporaryFolder folder;
  Arena arena;
  Recorder recorder;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(recorder.begin(arena, 0));
  play(tree, recorder);
  const Tables tables = read(recorder.tree());
  CHECK((tables.calls == std::map<Function, std::uint64_t>{{main, 1}, {parse, 2}, {error, 3}, {report, 1}}));
  CHECK((tables.one == std::map<Shape1, std::uint64_t>{
                           {{main, {parse, report}}, 1}, {{parse, {}}, 1}, {{parse, {error}}, 1}, {{error, {}}, 3}, {{report, {error}}, 1}}));
  CHECK((tables.two.at({main, {{parse, {}}, {parse, {error}}, {report, {error}}}}) == 1));
  CHECK((tables.two.at({report, {{error, {}}}}) == 1));
  CHECK(tables.two.size() == 5);
  arena.destroy();
}

TEST_CASE("the automaton counts what whole trees count") {
  TemporaryFolder folder;
  for (std::size_t round = 0; round < 20; ++round) {
    Arena arena;
    Recorder recorder;
    CHECK(arena.create(folder.path(), Mode::trees));
    CHECK(recorder.begin(arena, 0));
    Tables wanted;
    for (std::size_t i = 0; i < 30; ++i) {
      const Node tree = random_node(thriftwood::key_below(round, i), 5);
      count(tree, wanted);
      play(tree, recorder);
    }
    CHECK(read(recorder.tree()) == wanted);
    CHECK(recorder.depth() == 0);
    arena.destroy();
  }
}

TEST_CASE("a child that is not attached is nobody's child") {
  TemporaryFolder folder;
  Arena arena;
  Recorder recorder;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(recorder.begin(arena, 0));
  recorder.enter(0);
  recorder.enter(1, false);
  recorder.enter(2);
  recorder.leave_all();
  recorder.leave();  // of nothing
  const Tables tables = read(recorder.tree());
  CHECK((tables.one == std::map<Shape1, std::uint64_t>{{{0, {}}, 1}, {{1, {2}}, 1}, {{2, {}}, 1}}));
  arena.destroy();
}

TEST_CASE("an activation that goes on is counted once, with all its children") {
  enum : Function { main, generator, first, second };
  TemporaryFolder folder;
  Arena arena;
  Recorder recorder;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(recorder.begin(arena, 0));
  recorder.enter(main);
  recorder.enter(generator);
  play({first, {}}, recorder);
  const std::uint32_t suspended = recorder.top().state;
  recorder.leave();
  CHECK((read(recorder.tree()).one.at({generator, {first}}) == 1));  // as if it had ended, in case nobody resumes it
  recorder.resume(suspended, suspended, false);
  play({second, {}}, recorder);
  recorder.leave();
  recorder.leave();
  const Tables tables = read(recorder.tree());
  CHECK(tables.calls.at(generator) == 1);
  CHECK((tables.one.at({generator, {first, second}}) == 1));
  CHECK((tables.two.at({main, {{generator, {first}}}}) == 1));  // what it did when not attached is not seen by its caller
  arena.destroy();
}

TEST_CASE("one word says how many frames are open and which count goes with that") {
  CHECK(Open::frames(5) == 5);
  CHECK(Open::counted(5, 3, 8) == (5 | std::uint64_t{3} << 33));
  CHECK(Open::counted(5, 3, 7) == (5 | std::uint64_t{1} << 32 | std::uint64_t{3} << 33));
  CHECK(Open::taken_back(5, 3, 7) == (Open::counted(5, 3, 7) | std::uint64_t{1} << 31));
}

TEST_CASE("the children of two states are joined, whichever thread they are of") {
  enum : Function { main, a, b, c, d };
  TemporaryFolder folder;
  Arena arena;
  Recorder one, other;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(one.begin(arena, 0) && other.begin(arena, 1));
  play({d, {}}, other);  // so that numbers differ
  one.enter(main), play({a, {{b, {}}}}, one);
  other.enter(main), play({c, {}}, other), play({a, {{d, {}}, {b, {}}}}, other);
  const std::uint32_t joined = one.tree().joined(one.top().state, other.tree(), other.top().state);
  one.count(joined);
  CHECK((read(one.tree()).two.at({main, {{a, {b}}, {c, {}}, {a, {b, d}}}}) == 1));
  CHECK(one.tree().joined(joined, one.tree(), one.top().state) == joined);
  arena.destroy();
}

TEST_CASE("deep recursion and many kinds of children") {
  TemporaryFolder folder;
  Arena arena;
  Recorder recorder;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(recorder.begin(arena, 0));
  for (int i = 0; i < 300000; ++i) recorder.enter(0);
  CHECK(recorder.depth() == 300000);
  recorder.leave_all();
  Tables tables = read(recorder.tree());
  CHECK((tables.one == std::map<Shape1, std::uint64_t>{{{0, {}}, 1}, {{0, {0}}, 299999}}));
  recorder.enter(1);
  for (Function f = 2; f < 2002; ++f) {
    recorder.enter(f);
    recorder.leave();
  }
  recorder.leave();
  tables = read(recorder.tree());
  CHECK(recorder.tree().states() < 5000);  // one for each step, and no set twice
  CHECK(tables.calls.size() == 2002);
  arena.destroy();
}

TEST_CASE("a recorder whose file cannot grow stops and harms nothing") {
  TemporaryFolder folder;
  Arena arena;
  Recorder recorder;
  CHECK(arena.create(folder.path(), Mode::trees));
  CHECK(recorder.begin(arena, 0));
  std::filesystem::remove(arena.path());
  for (int i = 0; i < 100000; ++i) recorder.enter(static_cast<Function>(i % 7));
  CHECK(recorder.stopped());
  recorder.leave_all();
  CHECK(arena.header().trouble == Trouble::growing);
  arena.destroy();
}
