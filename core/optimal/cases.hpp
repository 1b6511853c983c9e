// The cases as the search sees them: small numbers instead of values, and what each answer costs more than the cheapest.
//
//   code    the rank of a number among those of its column (or its bin), or a category; `values` stands for missing
//   unit    what is never told apart: one case, or all cases that are equal in every column. A unit has a weight and a cost per answer
//   excess  costs of a unit are counted from its cheapest answer; what every tree has to pay is `base`
//   kind    cases whose answers cost the same (a class, where every case counts once). Where there are few, the search counts cases of a
//           kind by bits; then every case is a unit of its own, and units are in the order of their kinds
//   floor   what a unit costs whatever is asked: equal cases of several kinds cannot all have their cheapest answer
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "question.hpp"

namespace thriftwood::optimal {

enum class Asking : std::uint8_t {
  Cuts,   // numbers: at most a cut, or above it
  Value,  // one category against the others
  Every,  // a branch for every category
};

struct CaseColumn {
  Index feature = 0;
  Asking asking = Asking::Cuts;
  std::uint32_t values = 0;         // codes 0 .. values - 1; code `values` is missing
  bool missing = false;             // whether any unit has none
  std::vector<std::uint32_t> code;  // per unit
  std::vector<double> low, high;    // Cuts: the smallest and largest number of each code
};

// Identifies a set of units: the exclusive or of the members' marks. Two sets have the same one by chance with probability 2^-128.
struct SetKey {
  std::uint64_t a = 0, b = 0;
  void toggle(const SetKey& other) {
    a ^= other.a;
    b ^= other.b;
  }
  bool operator==(const SetKey&) const = default;
};

struct Cases {
  std::size_t units = 0;
  std::size_t answers = 0;
  std::vector<CaseColumn> columns;  // those that tell any two units apart
  std::vector<double> weight;       // per unit
  std::vector<double> cost;         // per unit and answer: the excess, times the weight
  std::vector<double> floor;        // per unit
  std::vector<double> most;         // per unit: the most that its answer can add to the cost of a tree that was made without it
  std::vector<Index> best;          // per unit: its cheapest answer
  std::vector<double> regret;       // per unit: what any other answer costs more at least; empty with a prior
  std::vector<SetKey> mark;         // per unit
  double base = 0.0;                // what is added to the cost of every tree
  double total_weight = 0.0;
  double unit = 0.0;                // all costs are whole multiples of it, and few enough for 32 bits; 0: there is no such unit
  std::size_t most_branches = 2;
  bool uneven_branches = false;     // may a question have branches that cases elsewhere in the table take, and none here?

  std::vector<std::uint32_t> kind;    // per unit; empty where there are too many kinds
  std::size_t kinds = 0;
  std::vector<double> kind_cost;      // per kind and answer: the excess of one unit
  std::vector<double> kind_weight;    // per kind: of one unit

  double prior_weight = 0.0, prior_least = 0.0, leaf_fee = 0.0;  // prior_least: the least of prior_cost
  std::vector<double> prior_cost;

  // Whether every question has two branches and costs are sums, so that pairs of questions can be counted.
  bool countable = false;

  Cases(const OptimalInput& input, const OptimalSettings& settings);

  std::size_t bytes() const;

 private:
  void read_columns(const OptimalInput& input, const OptimalSettings& settings, const std::vector<Row>& rows);
  void read_costs(const OptimalInput& input, const std::vector<Row>& rows);
  void merge_equal(const std::vector<std::uint32_t>& first_equal);
  void sort_by_kind(const std::vector<std::uint32_t>& first_equal);
  void measure();
  void measure_with_prior();
  void find_unit();
  void reorder(const std::vector<std::uint32_t>& order);
  std::vector<std::uint32_t> equal_units() const;
};

}  // namespace thriftwood::optimal
