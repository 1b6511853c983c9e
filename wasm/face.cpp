// What JavaScript calls. Numbers go in and out as arrays of doubles, settings as lines of text. A function that can fail returns -1 (or
// null), and `tw_error` says why. Results lie in `tw_result` until the next call that writes there.
#include <cstring>
#include <exception>
#include <memory>

#include "panel.hpp"
#include "session.hpp"
#include "thrift.hpp"
#include "wire.hpp"

using namespace thriftwood;
using namespace thriftwood::face;

namespace {

std::unique_ptr<Session> session;
std::vector<Tree> trees;
std::vector<double> result;
Panels panels;
std::string text, error;

// The number of a tree that stays until the next table; there are few.
int keep(Tree tree) {
  trees.push_back(std::move(tree));
  return static_cast<int>(trees.size()) - 1;
}

template <class Work>
int guarded(const Work& work) {
  try {
    return work();
  } catch (const std::exception& problem) {
    error = problem.what();
    return -1;
  }
}

Session& table() {
  if (!session) throw InputError("There is no table yet.");
  return *session;
}

const Tree& tree_of(int number) {
  if (number < 0 || number >= static_cast<int>(trees.size())) throw InputError("There is no such tree.");
  return trees[static_cast<std::size_t>(number)];
}

void put(const Billed& billed) {
  result.assign(billed.answers.begin(), billed.answers.end());
  for (const auto* part : {&billed.test_cost, &billed.bought, &billed.paid}) result.insert(result.end(), part->begin(), part->end());
}

}  // namespace

extern "C" {

const char* tw_error() { return error.c_str(); }
const char* tw_text() { return text.c_str(); }
const double* tw_result() { return result.data(); }
int tw_result_size() { return static_cast<int>(result.size()); }

int tw_begin(int rows, int features, int classes) {
  return guarded([&] {
    trees.clear();
    panels = {};
    session = std::make_unique<Session>(static_cast<std::size_t>(rows), features, classes);
    return 0;
  });
}

double* tw_numbers(int feature) { return session ? session->numbers(feature) : nullptr; }
int* tw_codes(int feature, int values) { return session ? session->codes(feature, values) : nullptr; }
int* tw_labels() { return session ? session->labels() : nullptr; }

// Forgets all trees: prices and losses differ from now on.
int tw_prices(const double* numbers, int count) {
  return guarded([&] {
    table().set_prices(read_prices({numbers, static_cast<std::size_t>(count)}, table().table().features()));
    trees.clear();
    return 0;
  });
}

int tw_loss(const double* entries, int count) {
  return guarded([&] {
    if (count % table().classes() != 0) throw InputError("Error costs have a row for each class.");
    table().set_loss({entries, entries + count});
    trees.clear();
    return 0;
  });
}

int tw_grow(const char* settings) {
  return guarded([&] { return keep(table().grow(read_learning(settings))); });
}

// How many parts cases are judged by: those of `thriftwood fit`.
int tw_parts() {
  return guarded([&] { return static_cast<int>(table().parts().size()); });
}

// Result: the cases of a part. Returns how many there are.
int tw_part(int part) {
  return guarded([&] {
    const auto& own = table().parts().at(static_cast<std::size_t>(part));
    result.assign(own.begin(), own.end());
    return static_cast<int>(own.size());
  });
}

// Learns without one part; result: the bill of its cases, as in tw_bill.
int tw_judge(const char* settings, int part) {
  return guarded([&] {
    const auto number = static_cast<std::size_t>(part);
    put(table().bill(table().grow(read_learning(settings), number), table().parts().at(number)));
    return 0;
  });
}

// The same by our own learner, which judges its candidates without the part, too: by cases that had no part in the choice.
int tw_judge_thrift(int count, int seed, int part) {
  return guarded([&] {
    const auto number = static_cast<std::size_t>(part);
    const std::vector<Row> others = table().without(number);
    const Thrift found = learn_thrift(table(), others, static_cast<std::size_t>(count), static_cast<std::uint32_t>(seed));
    put(table().bill(found.tree, table().parts().at(number)));
    return 0;
  });
}

// What everybody's tests of today tell of a part, learnt without it. Result: the answers to its cases.
int tw_today(const char* forest, const double* tests, int count, int part) {
  return guarded([&] {
    const std::vector<Index> panel(tests, tests + count);
    for (Index test : panel)
      if (test < 0 || test >= table().table().features()) throw InputError("There is no such test.");
    const std::vector<Index> answers = panels.answers(table(), panel, read_learning(forest), static_cast<std::size_t>(part));
    result.assign(answers.begin(), answers.end());
    return 0;
  });
}

// Our own learner. text: what was chosen and why.
int tw_thrift(int count, int seed) {
  return guarded([&] {
    Thrift found = learn_thrift(table(), {}, static_cast<std::size_t>(count), static_cast<std::uint32_t>(seed));
    text = found.note;
    return keep(std::move(found.tree));
  });
}

int tw_tree(int number) {
  return guarded([&] {
    result = written(tree_of(number));
    return 0;
  });
}

// result: the answer of every row, what it pays for tests, and per test how many bought it and what was paid for it.
int tw_bill(int number) {
  return guarded([&] {
    put(table().bill(tree_of(number), {}));
    return 0;
  });
}

}  // extern "C"
