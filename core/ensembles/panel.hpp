// A panel: trees of one table that answer together and are asked one after the other.
//
//   member      one of the trees; all tell the same classes apart by the same features
//   vote        members are asked in their order; each has a *say*, and the class with most say is answered (of equal ones the first)
//   short cut   a vote ends as soon as the leader cannot be caught any more
//   chair       a tree that asks the members: its columns are what members answer, so a member it does not come to is not asked
//   consulted   the members that were asked about a case
//
// A case is heard by `hear`: what is read of its row then is what was asked. Prediction, the ledger and the types of byte streams all use
// it, so they cannot disagree about who was consulted.
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
  std::vector<double> say;  // per member, above 0
  bool shares = false;      // members give the shares of the classes; otherwise each is for its answer alone
  bool short_cut = false;
  bool tie_ends = false;    // short cut: also where others can at most draw level, and come after the leader
};

struct Chair {
  const Predictor* tree = nullptr;
  std::vector<Index> member;    // per column of the chair: who is asked
  std::vector<Index> share_of;  // per column: the class whose share is asked for; -1: the answer
};

// What was said about a case.
struct Minutes {
  Index answer = 0;
  std::vector<double> shares;    // of the classes
  std::vector<Index> consulted;  // members, in the order asked

  // What members said, kept here so that hearing many cases allocates once.
  std::vector<Ending> endings;
  std::vector<Index> answers;          // per member, where it was consulted
  std::vector<double> member_shares;   // members x classes
  std::vector<std::uint8_t> asked;     // per member
};

class Panel {
 public:
  // Throw InputError unless everything fits together. The trees must outlive the panel.
  Panel(std::vector<const Predictor*> members, Vote vote);
  Panel(std::vector<const Predictor*> members, Chair chair);

  const std::vector<const Predictor*>& members() const { return members_; }
  const Predictor& member(Index m) const { return *members_[static_cast<std::size_t>(m)]; }
  std::size_t width() const { return static_cast<std::size_t>(members_.front()->tree().width); }
  bool chaired() const { return chair_.tree != nullptr; }
  const Vote& vote() const { return vote_; }
  const Chair& chair() const { return chair_; }

  // The members that may be consulted, in the order a reader meets them: all that vote, or those that the chair's tests are about.
  std::vector<Index> may_be_consulted() const;
  // The tests that may be asked of anybody: those of these members, each once, in the order of the columns; no surrogates.
  std::vector<Index> tests() const;

  // Can nobody catch the leader any more, when the first `done` members have voted?
  bool decided(std::span<const double> cast, std::size_t done) const;

 private:
  void check_members() const;

  std::vector<const Predictor*> members_;
  Vote vote_;
  Chair chair_;
  std::vector<double> later_say_;  // of the members after the first 0, 1, ...
};

// A clerk reads rows for the panel: begin(member) says who asks from now on, view(member, node) is the row as that member reads it there.
template <class RowView>
struct PlainClerk {
  const RowView& row;

  void begin(Index) const {}
  const RowView& view(Index, Index) const { return row; }
};

namespace detail {

template <class Clerk>
void consult(const Panel& panel, Index m, Clerk& clerk, bool shares, Minutes& minutes) {
  const Predictor& member = panel.member(m);
  clerk.begin(m);
  minutes.consulted.push_back(m);
  minutes.endings.clear();
  walk_viewing(member.tree(), [&](Index node) -> decltype(auto) { return clerk.view(m, node); },
               [&](Index node, double share) { minutes.endings.push_back({node, share}); });
  const auto at = static_cast<std::size_t>(m);
  minutes.answers[at] = member.label(minutes.endings);
  if (shares) member.put_class_shares(minutes.endings, std::span(minutes.member_shares).subspan(at * panel.width(), panel.width()));
  minutes.asked[at] = 1;
}

template <class Clerk>
void vote(const Panel& panel, Clerk& clerk, Minutes& minutes) {
  const Vote& rule = panel.vote();
  std::span<double> cast(minutes.shares);
  double total = 0.0;
  for (std::size_t m = 0; m < panel.members().size(); ++m) {
    consult(panel, static_cast<Index>(m), clerk, rule.shares, minutes);
    total += rule.say[m];
    if (rule.shares)
      for (std::size_t c = 0; c < cast.size(); ++c) cast[c] += rule.say[m] * minutes.member_shares[m * cast.size() + c];
    else
      cast[static_cast<std::size_t>(minutes.answers[m])] += rule.say[m];
    if (rule.short_cut && panel.decided(cast, m + 1)) break;
  }
  minutes.answer = cheapest_answer(cast, {});
  for (double& share : cast) share = std::min(1.0, share / total);
}

// What members say, as the row that the chair reads.
template <class Clerk>
struct Floor {
  const Panel& panel;
  Clerk& clerk;
  Minutes& minutes;

  Index ask(Index column) const {
    const Index m = panel.chair().member[static_cast<std::size_t>(column)];
    if (minutes.asked[static_cast<std::size_t>(m)] == 0) consult(panel, m, clerk, true, minutes);
    return m;
  }
  Index code(Index column) const { return minutes.answers[static_cast<std::size_t>(ask(column))]; }
  double number(Index column) const {
    const auto m = static_cast<std::size_t>(ask(column));
    return minutes.member_shares[m * panel.width() + static_cast<std::size_t>(panel.chair().share_of[static_cast<std::size_t>(column)])];
  }
};

}  // namespace detail

// Hears one case and writes the minutes.
template <class Clerk>
void hear(const Panel& panel, Clerk&& clerk, Minutes& minutes) {
  const std::size_t members = panel.members().size();
  minutes.shares.assign(panel.width(), 0.0);
  minutes.consulted.clear();
  minutes.asked.assign(members, 0);
  minutes.answers.resize(members);
  minutes.member_shares.resize(members * panel.width());
  if (!panel.chaired()) return detail::vote(panel, clerk, minutes);
  const Predictor& chair = *panel.chair().tree;
  const detail::Floor<std::remove_reference_t<Clerk>> floor{panel, clerk, minutes};
  std::vector<Ending> endings;  // one: what members say is never missing
  walk(chair.tree(), floor, [&](Index node, double share) { endings.push_back({node, share}); });
  minutes.answer = chair.label(endings);
  chair.put_class_shares(endings, minutes.shares);
}

// The answers to all rows of a table that fits the members.
struct Answers {
  std::vector<Index> answer;
  std::vector<double> shares;       // rows x classes
  std::vector<Index> n_consulted;   // members, per row
};

// n_threads <= 0: one per core; the result is the same for any number.
Answers answer(const Panel& panel, const Table& table, int n_threads);

}  // namespace thriftwood
