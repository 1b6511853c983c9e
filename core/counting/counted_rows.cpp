#include "counted_rows.hpp"

#include <algorithm>

#include "../splitting/coded_offer.hpp"

namespace thriftwood {

namespace {

[[noreturn]] void refuse_looking_ahead() {
  throw InputError("Looking ahead needs the cases themselves, and there are more of them than the memory may hold.");
}

Side side_of_missing(const Split& split) {
  if (split.missing_route == route_fractional) return everywhere;
  return split.missing_route == route_stop ? stays : static_cast<Side>(split.missing_route);
}

}  // namespace

CountedRows::CountedRows(const Coding& coding, const Target& target, const Settings& settings, std::uint64_t cases, Counter& counter,
                         const CountingLimits& limits)
    : coding_(coding), target_(target), settings_(settings), counter_(counter), limits_(limits), root_(std::make_shared<Slot>()) {
  root_->cases = cases;
  for (Index f = 0; f < coding.features(); ++f) root_->features.push_back(f);
}

Part CountedRows::whole(std::span<const Row> subset) {
  if (!subset.empty()) throw InputError("A table that is counted where it lies is counted whole.");
  Part root = part_of(root_);
  Part* const only = &root;
  fetch({&only, 1});
  return root;
}

Part CountedRows::part_of(const std::shared_ptr<Slot>& slot) const {
  Part part;
  if (slot->gathered) part = slot->gathered->part(slot->features);
  if (slot->gathered && keeps_) part = slot->gathered->rows().copied(part);  // growing divides it, and will begin anew
  part.features = slot->features;
  part.slot = slot;
  if (!slot->gathered) part.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(slot->cases, row_mask));
  return part;
}

std::span<const double> CountedRows::counts(const Slot& slot, Index feature) const {
  std::size_t begin = 0;
  for (Index f : slot.features) {
    if (f == feature) return std::span(slot.cells).subspan(begin, coding_.cells(f));
    begin += coding_.cells(f);
  }
  throw std::logic_error("a feature that was not counted");
}

std::uint64_t CountedRows::cases_in(std::span<const double> counted, std::size_t code) const {
  const auto cell = counted.subspan(code * coding_.width(), coding_.width());
  if (coding_.weighted) return static_cast<std::uint64_t>(cell.back());
  if (coding_.regression) return static_cast<std::uint64_t>(cell.front());
  double sum = 0.0;
  for (double n : cell) sum += n;
  return static_cast<std::uint64_t>(sum);
}

void CountedRows::read_numbers(std::span<const double> counted, double centre, CategoryCells& cells) const {
  const std::int64_t from = coding_.numbers.units(centre);
  for (std::size_t code = 0; code <= cells.categories(); ++code) {
    const NumberSums sums = sums_of_digits(counted.data() + code * coding_.width());
    if (sums.weight > 0) write_cell(coding_.numbers, sums.from(from), cells.cell(code));
  }
}

void CountedRows::read_cells(const Slot& slot, Index feature, double centre, CategoryCells& cells) const {
  const auto counted = counts(slot, feature);
  const std::size_t classes = target_.width(), width = coding_.width(), codes = coding_.codes(feature);
  cells.clear(codes - 1, classes);
  if (coding_.regression) read_numbers(counted, centre, cells);
  for (std::size_t code = 0; code < codes && !coding_.regression; ++code)
    std::copy_n(counted.begin() + static_cast<std::ptrdiff_t>(code * width), classes, cells.cell(code).begin());
  if (!coding_.column(feature).nominal || settings_.many_categories <= 0 || codes - 1 <= static_cast<std::size_t>(settings_.many_categories)) return;
  cells.cases.assign(codes, 0);
  for (std::size_t code = 0; code + 1 < codes; ++code)
    cells.cases[code] = static_cast<std::uint32_t>(std::min<std::uint64_t>(cases_in(counted, code), 0xffffffffu));
}

Workspace CountedRows::make_workspace(int worker) const {
  Workspace workspace;
  workspace.worker = worker;
  return workspace;
}

void CountedRows::prepare(const Part& part, const Summary& summary, Workspace& workspace) const {
  if (part.slot->gathered) part.slot->gathered->rows().prepare(part, summary, workspace);
}

Summary CountedRows::summary(const Part& part) const {
  if (part.slot->gathered) return part.slot->gathered->rows().summary(part);
  const Index feature = part.features.front();
  const std::vector<Side> all(coding_.codes(feature), 0);
  return branches_of(*part.slot, feature, all, 1).front();
}

std::vector<Summary> CountedRows::branches_of(const Slot& slot, Index feature, std::span<const Side> side_of_code, std::size_t branches) const {
  const auto counted = counts(slot, feature);
  const std::size_t width = coding_.width();
  std::vector<Summary> found(branches);
  std::vector<NumberSums> numbers(branches);
  for (Summary& branch : found) branch.cell.assign(target_.width(), 0.0);
  for (std::size_t code = 0; code < side_of_code.size(); ++code) {
    const Side side = side_of_code[code];
    if (side >= branches) continue;
    const auto cell = counted.subspan(code * width, width);
    if (coding_.regression) numbers[side].add(sums_of_digits(cell.data()));
    for (std::size_t c = 0; c < target_.width() && !coding_.regression; ++c) found[side].cell[c] += cell[c];
  }
  for (std::size_t b = 0; b < branches; ++b) {
    if (coding_.regression) found[b] = summary_of(coding_.numbers, numbers[b], 0);
    finish(found[b], target_, settings_.impurity, !coding_.weighted);
  }
  return found;
}

std::size_t CountedRows::work(const Part& part) const {
  return part.slot->gathered ? part.slot->gathered->rows().work(part) : part.slot->cells.size();
}

bool CountedRows::whole_weights(const Part& part) const {
  return part.slot->gathered ? part.slot->gathered->rows().whole_weights(part) : !coding_.weighted;
}

Offer CountedRows::offer(const Part& part, const NodeView& node, std::size_t i, const Workspace& workspace, Workspace& own) const {
  const Slot& slot = *part.slot;
  if (slot.gathered) return slot.gathered->rows().offer(part, node, i, workspace, own);
  const Index feature = part.features[i];
  const PreparedColumn& column = coding_.column(feature);
  if (!column.nominal && counts_suffice(node) && slot.cases <= 0xffffffffu) {
    const auto counted = counts(slot, feature);
    std::vector<Counted> occurring;
    for (std::uint32_t code = 0; code < coding_.codes(feature); ++code) {
      const auto ones = static_cast<std::uint32_t>(counted[code * 2 + 1]), cases = static_cast<std::uint32_t>(counted[code * 2]) + ones;
      if (cases > 0) occurring.push_back({code, cases, ones});
    }
    return counted_offer(node, feature, column, occurring, static_cast<std::uint32_t>(slot.cases), own.left);
  }
  read_cells(slot, feature, node.summary.centre, own.categories);
  if (column.nominal) return nominal_offer(node, feature, own.categories);
  return coded_offer(node, feature, column, own.categories, own.known, own.left);
}

std::vector<Offer> CountedRows::value_offers(const Part& part, const NodeView& node, std::size_t i, Workspace& workspace) const {
  if (part.slot->gathered) return part.slot->gathered->rows().value_offers(part, node, i, workspace);
  read_cells(*part.slot, part.features[i], node.summary.centre, workspace.categories);
  return thriftwood::value_offers(node, part.features[i], workspace.categories);
}

std::vector<Offer> CountedRows::cut_offers(const Part& part, const NodeView& node, std::size_t i, CutWindow window, const Workspace& workspace,
                                           Workspace& own) const {
  if (!part.slot->gathered) refuse_looking_ahead();
  return part.slot->gathered->rows().cut_offers(part, node, i, window, workspace, own);
}

Split CountedRows::split(const Part& part, const NodeView& node, const Offer& offer, Workspace& workspace) const {
  if (part.slot->gathered) return part.slot->gathered->rows().split(part, node, offer, workspace);
  const PreparedColumn& column = coding_.column(offer.feature);
  if (column.nominal) {
    read_cells(*part.slot, offer.feature, node.summary.centre, workspace.categories);
    const NominalTest test = offered_test(node, offer, workspace.categories);
    const bool missing = target_.weight_of(workspace.categories.missing()) > 0.0;
    return nominal_split(node, offer.feature, test, branch_weights(node, workspace.categories, test), missing);
  }
  if (offer.position == 0) {
    Split split = numeric_split(node, offer, every_number);
    split.left_cases = static_cast<std::uint32_t>(column.codes);
    return split;
  }
  Split split = numeric_split(node, offer, cut_between(settings_, {}, column.high[offer.position - 1], column.low[offer.next]));
  split.left_cases = offer.position;
  return split;
}

void CountedRows::weigh(const Part& part, const Summary& summary, const Split& split, Workspace& workspace) const {
  if (part.slot->gathered) return part.slot->gathered->rows().weigh(part, summary, split, workspace);
  Division& division = workspace.division;
  const PreparedColumn& column = coding_.column(split.feature);
  const std::size_t codes = coding_.codes(split.feature);
  division.feature = split.feature;
  division.side_of_code.assign(codes, stays);
  for (std::size_t code = 0; code + 1 < codes; ++code) {
    const Index branch = column.nominal ? split.branch_of[code] : static_cast<Index>(code >= split.left_cases);
    division.side_of_code[code] = branch < 0 ? stays : static_cast<Side>(branch);  // below 0: no case of the node has it
  }
  division.side_of_code.back() = side_of_missing(split);
  if (division.side_of_code.back() == everywhere) {
    if (cases_in(counts(*part.slot, split.feature), codes - 1) > 0)
      throw InputError("Cases with missing values cannot be shared among branches where they are counted. Give missing values a branch.");
    division.side_of_code.back() = stays;
  }
  division.spread = 0;
  division.branches = branches_of(*part.slot, split.feature, division.side_of_code, static_cast<std::size_t>(split.branches));
}

void CountedRows::divide(const Part& part, const std::vector<bool>& open, Workspace& workspace, std::vector<Workspace>& workspaces, ThreadPool* pool,
                         std::vector<Part>& parts) const {
  if (part.slot->gathered) {
    part.slot->gathered->rows().divide(part, open, workspace, workspaces, pool, parts);
    for (std::size_t b = 0; b < parts.size(); ++b)
      if (open[b]) parts[b].slot = part.slot;  // the table that its cases are in
    return;
  }
  const Division& division = workspace.division;
  const auto counted = counts(*part.slot, division.feature);
  const auto fork = std::make_shared<const Fork>(Fork{division.feature, division.side_of_code});
  parts.clear();
  parts.resize(open.size());
  for (std::size_t b = 0; b < open.size(); ++b) {
    if (!open[b]) continue;
    std::vector<Index> features;
    for (std::size_t place : workspace.kept) features.push_back(part.features[place]);
    std::uint64_t cases = 0;
    for (std::size_t code = 0; code < division.side_of_code.size(); ++code)
      if (division.side_of_code[code] == b) cases += cases_in(counted, code);
    parts[b] = part_of(branch_of(part.slot, fork, static_cast<Side>(b), std::move(features), cases));
  }
}

std::shared_ptr<Slot> CountedRows::branch_of(const std::shared_ptr<Slot>& parent, const std::shared_ptr<const Fork>& fork, Side branch,
                                             std::vector<Index> features, std::uint64_t cases) const {
  for (const std::shared_ptr<Slot>& known : parent->below)
    if (known->branch == branch && known->features == features && *known->fork == *fork) return known;
  auto slot = std::make_shared<Slot>();
  slot->parent = parent;
  slot->fork = fork;
  slot->branch = branch;
  slot->features = std::move(features);
  slot->cases = cases;
  if (keeps_) parent->below.push_back(slot);
  return slot;
}

Part CountedRows::copied(const Part& part) const {
  if (!part.slot->gathered) refuse_looking_ahead();
  Part copy = part.slot->gathered->rows().copied(part);
  copy.slot = part.slot;
  return copy;
}

void CountedRows::copy(const Part& part, std::span<const std::size_t> kept, PartCopy& copy) const {
  if (!part.slot->gathered) refuse_looking_ahead();
  part.slot->gathered->rows().copy(part, kept, copy);
  copy.part.slot = part.slot;
}

}  // namespace thriftwood
