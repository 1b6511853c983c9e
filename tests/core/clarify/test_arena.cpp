#include "clarify/arena.hpp"

#include <sys/resource.h>
#include <sys/wait.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "check.hpp"
#include "clarify/texts.hpp"
#include "temporary_folder.hpp"

using namespace thriftwood::clarify;

namespace {

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Kinds of the blocks that a reader of the file meets.
std::vector<Kind> kinds_in(const std::string& bytes) {
  Header header{};
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  std::vector<Kind> kinds;
  for (std::uint64_t at = page; at < header.used;) {
    Block block{};
    std::memcpy(&block, bytes.data() + at, sizeof block);
    kinds.push_back(block.kind);
    at = block.next;
  }
  return kinds;
}

// Texts of the file's first block.
std::vector<std::string> texts_in(const std::string& bytes) {
  Block block{};
  std::memcpy(&block, bytes.data() + page, sizeof block);
  std::uint64_t used = 0;
  std::memcpy(&used, bytes.data() + block.content, sizeof used);
  std::vector<std::string> texts;
  for (std::uint64_t at = 0; at < used;) {
    const std::uint64_t text = block.content + sizeof used + at;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + text, sizeof length);
    texts.push_back(bytes.substr(text + sizeof length, length));
    at += sizeof length + length;
  }
  return texts;
}

}  // namespace

TEST_CASE("an arena grows without moving, and what is written is in the file at once") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  auto* first = static_cast<std::uint64_t*>(arena.allocate(Kind::counters, 7, 8));
  *first = 41;
  for (int i = 0; i < 100; ++i) CHECK(arena.allocate(Kind::frames, 0, 100000) != nullptr);
  ++*first;
  const std::string bytes = bytes_of(arena.path());
  std::uint64_t seen = 0;
  std::memcpy(&seen, bytes.data() + arena.offset(first), sizeof seen);
  CHECK(seen == 42);
  CHECK(kinds_in(bytes).size() == 101);
  CHECK(kinds_in(bytes)[0] == Kind::counters);
  arena.destroy();
}

TEST_CASE("a pool keeps its elements when it moves and leaves a gap behind") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::trees));
  std::uint64_t where = 0;
  Pool<std::uint64_t> pool;
  pool.begin(arena, Kind::states, 3, &where);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    CHECK(pool.reserve(i + 1, i));
    pool[i] = i * i;
  }
  CHECK(pool[999] == 999 * 999);
  CHECK(where == arena.offset(&pool[0]));
  int living = 0;
  for (const Kind kind : kinds_in(bytes_of(arena.path()))) living += kind == Kind::states;
  CHECK(living == 1);
  arena.destroy();
}

TEST_CASE("a folder that is not there makes no arena") {
  Arena arena;
  CHECK(!arena.create("/no/such/folder", Mode::counts));
  CHECK(!arena.open());
}

TEST_CASE("a file has the name that readers look for once it is published, and grows on") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  const auto ending = [&] { return std::filesystem::path(arena.path()).extension(); };
  CHECK(ending() == ".making");
  CHECK(std::filesystem::exists(arena.path()));
  arena.publish();
  CHECK(ending() == ".profile");
  CHECK(folder.files() == 1);
  CHECK(arena.allocate(Kind::frames, 0, 1 << 20) != nullptr);
  CHECK(std::filesystem::file_size(arena.path()) > 1 << 20);
  arena.destroy();
}

TEST_CASE("an arena does not grow into another file of its name") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  const std::string path = arena.path();
  std::filesystem::rename(path, path + ".moved");
  std::ofstream(path) << "somebody else's";
  CHECK(arena.allocate(Kind::frames, 0, 1 << 20) == nullptr);
  CHECK(arena.header().trouble == Trouble::growing);
  CHECK(bytes_of(path.c_str()) == "somebody else's");
  arena.destroy();
}

TEST_CASE("an arena that may not grow says so and goes on") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{128 * 1024, 128 * 1024};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool refused = arena.allocate(Kind::frames, 0, 1 << 20) == nullptr && arena.header().trouble == Trouble::growing;
    ::_exit(refused ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  arena.destroy();
}

TEST_CASE("a forked child has a file of its own with the same functions and counters at 0") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  Texts functions(arena, Kind::functions);
  CHECK(functions.add("program!main") == 0);
  auto* counters = static_cast<std::uint64_t*>(arena.allocate(Kind::counters, 0, 64, page));
  counters[0] = 5;
  const pid_t child = fork();
  if (child == 0) {
    const bool renewed = arena.renew();
    const bool empty = counters[0] == 0 && arena.header().forked == 1;
    counters[0] = 9;
    const std::string bytes = bytes_of(arena.path());
    const bool named = bytes.find("program!main") != std::string::npos;
    ::_exit(renewed && empty && named && arena.allocate(Kind::frames, 0, 1 << 20) ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(counters[0] == 5);
  CHECK(folder.files() == 2);
  arena.destroy();
}

TEST_CASE("what a parent adds after forking shifts nothing in the child") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  Texts functions(arena, Kind::functions);
  CHECK(functions.add("before") == 0);
  int added[2];
  CHECK(::pipe(added) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char sign = 0;
    bool right = ::read(added[0], &sign, 1) == 1 && arena.renew();
    functions.renew();
    right = right && functions.add("the child's") == 1 && arena.allocate(Kind::frames, 0, 8);
    const std::string bytes = bytes_of(arena.path());
    right = right && texts_in(bytes) == std::vector<std::string>{"before", "the child's"};
    ::_exit(right && kinds_in(bytes) == std::vector<Kind>{Kind::functions, Kind::frames} ? 0 : 1);
  }
  CHECK(functions.add("the parent's") == 1);
  CHECK(functions.add(std::string(100000, 'x')) == 2);
  CHECK(::write(added[1], "!", 1) == 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(texts_in(bytes_of(arena.path()))[1] == "the parent's");
  ::close(added[0]);
  ::close(added[1]);
  arena.destroy();
}

TEST_CASE("texts of any length are numbered in the order they came") {
  TemporaryFolder folder;
  Arena arena;
  CHECK(arena.create(folder.path(), Mode::counts));
  Texts texts(arena, Kind::functions);
  const std::string long_text(100000, 'x');
  CHECK(texts.add("a") == 0);
  CHECK(texts.add("") == 1);
  CHECK(texts.add(long_text) == 2);
  CHECK(texts.add("b") == 3);
  CHECK(texts.size() == 4);
  CHECK(bytes_of(arena.path()).find(long_text) != std::string::npos);
  arena.destroy();
}
