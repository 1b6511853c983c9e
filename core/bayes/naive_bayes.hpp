// Naive Bayes over the columns that a case has paid for: the class with the most for it, by how common the classes are and how common each of
// the values that are known is in them. There may be several sets of densities, one for each leaf of a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../table.hpp"
#include "densities.hpp"

namespace thriftwood {

class NaiveBayes {
 public:
  struct Group {
    std::vector<double> classes;  // what the cases of each class weigh
    std::vector<double> learnt;   // of Densities
  };

  NaiveBayes(Densities densities, std::vector<Group> groups);
  // One group, of the cases of a table; weights may be empty.
  NaiveBayes(Densities densities, const Table& table, std::span<const Index> labels, std::span<const double> weights);

  const Densities& densities() const { return densities_; }
  const std::vector<Group>& groups() const { return groups_; }

  // By row and class. asked: by row and column, whether the value counts; group: of each row, -1: its shares are 0.
  std::vector<double> shares(const Table& table, std::span<const std::uint8_t> asked, std::span<const Index> group) const;

 private:
  Densities densities_;
  std::vector<Group> groups_;
};

// The logarithms of how common classes are.
void class_logs(std::span<const double> classes, std::span<double> logs);

}  // namespace thriftwood
