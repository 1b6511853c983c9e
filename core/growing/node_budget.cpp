#include "node_budget.hpp"

namespace thriftwood {

namespace {

Spending spending_at(const Fit& fit, const GrowingTree& growing, const OpenNode& open) {
  if (open.order >= 0) return growing.orders[static_cast<std::size_t>(open.order)];
  Spending spent;
  for (Index feature : open.path) spent.add(fit.settings.budget, feature);
  return spent;
}

// Which further tests are within the budget. Where one that pays its list price is, no order has to be looked at.
class Judge {
 public:
  Judge(const Budget& budget, const Spending& spent) : budget_(budget), spent_(spent), basket_(*budget.prices), total_(spent.most(basket_)) {}

  bool allows(Index feature) {
    if (spent_.has(feature) || within_budget(total_ + budget_.prices->list_price(feature), budget_.limit)) return true;
    return within_budget(spent_.most(basket_, feature), budget_.limit);
  }
  bool costs_nothing(Index feature) { return spent_.has(feature) || spent_.most(basket_, feature) <= total_; }

 private:
  const Budget& budget_;
  const Spending& spent_;
  Basket basket_;
  double total_;
};

void mark(const Budget& budget, const Spending& spent, const Part& part, Workspace& workspace) {
  Judge judge(budget, spent);
  for (Index feature : part.features) workspace.affordable.push_back(judge.allows(feature) ? 1 : 0);
}

}  // namespace

void mark_affordable(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace) {
  workspace.affordable.clear();
  if (fit.settings.budget) mark(fit.settings.budget, spending_at(fit, growing, open), open.part, workspace);
}

void mark_affordable_below(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index taken, Workspace& workspace) {
  workspace.affordable.clear();
  if (!fit.settings.budget) return;
  Spending spent = spending_at(fit, growing, open);
  spent.add(fit.settings.budget, taken);
  mark(fit.settings.budget, spent, open.part, workspace);
}

bool may_take(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index feature) {
  if (!fit.settings.budget) return true;
  const Spending spent = spending_at(fit, growing, open);
  return Judge(fit.settings.budget, spent).allows(feature);
}

void mark_stand_ins(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Index taken, Workspace& workspace) {
  workspace.may_stand_in.clear();
  if (!fit.settings.budget || fit.settings.missing != Missing::Surrogate) return;
  Spending spent = spending_at(fit, growing, open);
  spent.add(fit.settings.budget, taken);
  Judge judge(fit.settings.budget, spent);
  for (Index feature = 0; feature < fit.table.features(); ++feature) workspace.may_stand_in.push_back(judge.costs_nothing(feature) ? 1 : 0);
}

void order_upfront(const Fit& fit, GrowingTree& growing, OpenNode& root) {
  if (!fit.settings.budget || !fit.settings.budget.prices->upfront()) return;
  Spending all;
  all.ordered = true;
  growing.orders.push_back(all);
  root.order = 0;
}

void spend(const Fit& fit, GrowingTree& growing, OpenNode& open) {
  const Budget& budget = fit.settings.budget;
  const Index feature = open.choice->offer.feature;
  if (!budget) return;
  if (open.order < 0) {
    Spending spent = spending_at(fit, growing, open);
    if (!budget.prices->delayed(feature) || spent.has(feature)) return;
    growing.orders.push_back(spent);
    open.order = static_cast<Index>(growing.orders.size()) - 1;
  }
  Spending& order = growing.orders[static_cast<std::size_t>(open.order)];
  growing.ordered += order.has(feature) ? 0 : 1;
  order.add(budget, feature);
}

}  // namespace thriftwood
