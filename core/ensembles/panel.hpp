// A panel: trees of one table that answer together and are asked one after the other.
//
//   member        one of the trees; all tell the same classes apart by the same features
//   vote          members are asked in their order; each has a *vote weight*, and the class with most weight is answered (of equal ones
//                 the first)
//   short cut     a vote ends as soon as the leader cannot be caught any more
//   stacked tree  a tree that decides instead of a vote: its columns are what members answer, so a member it does not come to is not asked
//   consulted     the members that were asked about a case
//
// A case is answered by `consult_members`: what is read of its row then is what was asked. Prediction, the ledger and the types of byte
// streams all use it, so they cannot disagree about who was consulted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../table.hpp"
#include "../tree/answer.hpp"
#include "../tree/predict.hpp"
#include "../tree/walk.hpp"

namespace thriftwood {

struct Vote {
  std::vector<double> weight;  // per member, above 0
  bool shares = false;         // members give the shares of the classes; otherwise each is for its answer alone
  bool short_cut = false;
  bool tie_ends = false;       // short cut: also where others can at most draw level, and come after the leader
};

struct StackedTree {
  const Predictor* tree = nullptr;
  std::vector<Index> member;    // per column of the tree: who is asked
  std::vector<Index> share_of;  // per column: the class whose share is asked for; -1: the answer
};

// What is answered about a case. Reused from case to case, so that many cases allocate once.
struct PanelAnswer {
  Index answer = 0;
  std::vector<double> shares;    // of the classes
  std::vector<Index> consulted;  // members, in the order asked

  // Where the walk at hand ends, and what members answered.
  std::vector<Ending> endings;
  std::vector<Index> member_answer;   // per member, where it was consulted
  std::vector<double> member_shares;  // members x classes
  std::vector<std::uint8_t> asked;    // per member
};

class Panel {
 public:
  // Throw InputError unless everything fits together. The trees must outlive the panel.
  Panel(std::vector<const Predictor*> members, Vote vote);
  Panel(std::vector<const Predictor*> members, StackedTree stacked);

  const std::vector<const Predictor*>& members() const { return members_; }
  const Predictor& member(Index m) const { return *members_[static_cast<std::size_t>(m)]; }
  std::size_t width() const { return static_cast<std::size_t>(members_.front()->tree().width); }
  bool is_stacked() const { return stacked_.tree != nullptr; }
  const Vote& vote() const { return vote_; }
  const StackedTree& stacked() const { return stacked_; }

  // The members that may be consulted, in the order a reader meets them: all that vote, or those that the stacked tree's tests are about.
  std::vector<Index> may_be_consulted() const;
  // The tests that may be asked of anybody: those of these members, each once, in the order of the columns; no surrogates.
  std::vector<Index> tests() const;

  // Can nobody catch the leader any more, when the first `done` members have voted?
  bool decided(std::span<const double> cast, std::size_t done) const;

 private:
  void check_members() const;

  std::vector<const Predictor*> members_;
  Vote vote_;
  StackedTree stacked_;
  std::vector<double> later_weight_;  // of the members after the first 0, 1, ...
};

// A row as the members of a panel read it: begin(member) says who asks from now on, view(member, node) is the row at that node.
template <class RowView>
struct PlainReader {
  const RowView& row;

  void begin(Index) const {}
  const RowView& view(Index, Index) const { return row; }
};

namespace detail {

template <class RowReader>
void consult(const Panel& panel, Index m, RowReader& reader, bool shares, PanelAnswer& found) {
  const Predictor& member = panel.member(m);
  reader.begin(m);
  found.consulted.push_back(m);
  found.endings.clear();
  walk_viewing(
      member.tree(), [&](Index node) -> decltype(auto) { return reader.view(m, node); },
      [&](Index node, double share) { found.endings.push_back({node, share}); });
  const auto at = static_cast<std::size_t>(m);
  found.member_answer[at] = member.label(found.endings);
  if (shares) member.put_class_shares(found.endings, std::span(found.member_shares).subspan(at * panel.width(), panel.width()));
  found.asked[at] = 1;
}

template <class RowReader>
void vote(const Panel& panel, RowReader& reader, PanelAnswer& found) {
  const Vote& rule = panel.vote();
  std::span<double> cast(found.shares);
  double total = 0.0;
  for (std::size_t m = 0; m < panel.members().size(); ++m) {
    consult(panel, static_cast<Index>(m), reader, rule.shares, found);
    total += rule.weight[m];
    if (rule.shares)
      for (std::size_t c = 0; c < cast.size(); ++c) cast[c] += rule.weight[m] * found.member_shares[m * cast.size() + c];
    else
      cast[static_cast<std::size_t>(found.member_answer[m])] += rule.weight[m];
    if (rule.short_cut && panel.decided(cast, m + 1)) break;
  }
  found.answer = cheapest_answer(cast, {});
  for (double& share : cast) share = std::min(1.0, share / total);
}

// What members answer, as the row that a stacked tree reads: they are consulted when it reads.
template <class RowReader>
struct MemberAnswersRow {
  const Panel& panel;
  RowReader& reader;
  PanelAnswer& found;

  Index ask(Index column) const {
    const Index m = panel.stacked().member[static_cast<std::size_t>(column)];
    if (found.asked[static_cast<std::size_t>(m)] == 0) consult(panel, m, reader, true, found);
    return m;
  }
  Index code(Index column) const { return found.member_answer[static_cast<std::size_t>(ask(column))]; }
  double number(Index column) const {
    const auto m = static_cast<std::size_t>(ask(column));
    return found.member_shares[m * panel.width() + static_cast<std::size_t>(panel.stacked().share_of[static_cast<std::size_t>(column)])];
  }
};

}  // namespace detail

// Answers one case.
template <class RowReader>
void consult_members(const Panel& panel, RowReader&& reader, PanelAnswer& found) {
  const std::size_t members = panel.members().size();
  found.shares.assign(panel.width(), 0.0);
  found.consulted.clear();
  found.asked.assign(members, 0);
  found.member_answer.resize(members);
  found.member_shares.resize(members * panel.width());
  if (!panel.is_stacked()) return detail::vote(panel, reader, found);
  const Predictor& stacked = *panel.stacked().tree;
  const detail::MemberAnswersRow<std::remove_reference_t<RowReader>> row{panel, reader, found};
  std::vector<Ending> endings;  // one: what members answer is never missing
  walk(stacked.tree(), row, [&](Index node, double share) { endings.push_back({node, share}); });
  found.answer = stacked.label(endings);
  stacked.put_class_shares(endings, found.shares);
}

// The answers to all rows of a table that fits the members.
struct Answers {
  std::vector<Index> answer;
  std::vector<double> shares;       // rows x classes
  std::vector<Index> n_consulted;   // members, per row

  Answers() = default;
  Answers(std::size_t rows, std::size_t width) : answer(rows), shares(rows * width), n_consulted(rows) {}

  void put(std::size_t row, const PanelAnswer& found) {
    answer[row] = found.answer;
    std::copy(found.shares.begin(), found.shares.end(), shares.begin() + static_cast<std::ptrdiff_t>(row * found.shares.size()));
    n_consulted[row] = static_cast<Index>(found.consulted.size());
  }
};

// n_threads <= 0: one per core; the result is the same for any number.
Answers answer(const Panel& panel, const Table& table, int n_threads);

}  // namespace thriftwood
