// What JavaScript calls. Numbers go in and out as arrays of doubles, settings as lines of text. A function that can fail returns -1 (or
// null), and `tw_error` says why. Results lie in `tw_result` until the next call that writes there.
#include <cstring>
#include <exception>
#include <memory>

#include "dealing.hpp"
#include "session.hpp"
#include "thrift.hpp"
#include "wire.hpp"

using namespace thriftwood;
using namespace thriftwood::face;

namespace {

std::unique_ptr<Session> session;
std::vector<Tree> trees;
std::vector<double> result;
std::string text, error;
std::vector<std::vector<Row>> folds;

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
    folds.clear();
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
  return guarded([&] { return keep(table().grow(read_learning(settings), {})); });
}

// The parts that cases are dealt into for judging; returns how many there are.
int tw_deal(int count, int seed) {
  return guarded([&] {
    std::vector<Row> all(table().table().rows);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Row>(i);
    folds = parts(table().classes_of_rows(), all, static_cast<std::size_t>(count), all.size(), static_cast<std::uint32_t>(seed));
    return static_cast<int>(folds.size());
  });
}

// Learns without one part; result: the rows of the part, then their bill as in tw_bill. Returns the size of the part.
int tw_judge(const char* settings, int part) {
  return guarded([&] {
    const auto& own = folds.at(static_cast<std::size_t>(part));
    std::vector<Row> others;
    for (std::size_t other = 0; other < folds.size(); ++other)
      if (other != static_cast<std::size_t>(part)) others.insert(others.end(), folds[other].begin(), folds[other].end());
    std::sort(others.begin(), others.end());
    put(table().bill(table().grow(read_learning(settings), others), own));
    result.insert(result.begin(), own.begin(), own.end());
    return static_cast<int>(own.size());
  });
}

// Our own learner. text: what was chosen and why; result: how many were judged, which was chosen, how often cases were dealt, cost and
// standard error of each, then answers (-1: not judged) and test costs of all rows by the chosen one, deal by deal.
int tw_thrift(int count, int seed) {
  return guarded([&] {
    Thrift found = learn_thrift(table(), static_cast<std::size_t>(count), static_cast<std::uint32_t>(seed));
    text = found.note;
    result = {static_cast<double>(found.judged.size()), static_cast<double>(found.chosen), static_cast<double>(found.deals)};
    for (const Contender& one : found.judged) result.insert(result.end(), {one.cost, one.error});
    const Contender& taken = found.judged[found.chosen];
    result.insert(result.end(), taken.answers.begin(), taken.answers.end());
    result.insert(result.end(), taken.test_cost.begin(), taken.test_cost.end());
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
