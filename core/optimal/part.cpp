#include "part.hpp"

#include <array>
#include <functional>

namespace thriftwood::optimal {

void Part::measure(const Cases& cases) {
  const std::size_t n = cases.answers;
  key = {};
  weight = floor = 0.0;
  total.assign(n, 0.0);
  pull.assign(n, 0.0);
  for (std::uint32_t u : units) {
    key.toggle(cases.mark[u]);
    weight += cases.weight[u];
    floor += cases.floor[u];
  }
  if (!cases.kind.empty()) {  // units come kind by kind
    for (std::size_t i = 0; i < units.size();) {
      const std::uint32_t kind = cases.kind[units[i]];
      std::size_t end = i + 1;
      while (end < units.size() && cases.kind[units[end]] == kind) ++end;
      const auto count = static_cast<double>(end - i);
      for (std::size_t a = 0; a < n; ++a) total[a] += count * cases.kind_cost[kind * n + a];
      pull[static_cast<std::size_t>(cases.best[units[i]])] += count * cases.regret[units[i]];
      i = end;
    }
    return;
  }
  for (std::uint32_t u : units)
    for (std::size_t a = 0; a < n; ++a) total[a] += cases.cost[u * n + a];
  if (!cases.regret.empty())
    for (std::uint32_t u : units) pull[static_cast<std::size_t>(cases.best[u])] += cases.regret[u];
}

void divide(const Cases& cases, const Part& part, const Question& question, std::vector<Part>& branches) {
  const CaseColumn& column = cases.columns[static_cast<std::size_t>(question.column)];
  const bool every = column.asking == Asking::Every;
  const std::size_t missing = missing_branch(column);
  if (branches.size() < missing + 1) branches.resize(missing + 1);
  for (std::size_t b = 0; b <= missing; ++b) branches[b].units.clear();
  for (std::uint32_t u : part.units) {
    const std::uint32_t code = column.code[u];
    const bool left = column.asking == Asking::Cuts ? code < question.cut : code == question.cut;
    branches[code == column.values ? missing : every ? code : !left].units.push_back(u);
  }
  for (std::size_t b = 0; b <= missing; ++b) branches[b].measure(cases);
}

double least_cost(const Cases& cases, const Part& part, int depth) {
  if (part.units.empty()) return 0.0;
  double least = floor_of(cases, part);
  if (!cases.regret.empty()) {
    std::size_t leaves = 1;
    for (int i = 0; i < depth && leaves < cases.answers; ++i) leaves *= cases.most_branches;
    if (leaves < cases.answers) {
      std::vector<double> pulls(part.pull);
      std::nth_element(pulls.begin(), pulls.begin() + static_cast<std::ptrdiff_t>(leaves), pulls.end(), std::greater<>());
      double ungiven = 0.0;
      for (std::size_t i = leaves; i < pulls.size(); ++i) ungiven += pulls[i];
      least = std::max(least, ungiven);
    }
  }
  return least + cases.leaf_fee;
}

}  // namespace thriftwood::optimal
