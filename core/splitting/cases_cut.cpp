#include "cases_cut.hpp"

#include "tally.hpp"

namespace thriftwood {

namespace {

// A tally that tells the cases on the left where the search asks for their weight.
template <class Tally>
class CasesTally : public Tally {
 public:
  CasesTally(const Target& target, const double* weights) : Tally(target, weights), cases_(target.case_weight(weights)) {}

  void add(Row row) {
    Tally::add(row);
    left_ += cases_(row);
  }
  double left_weight() const { return left_; }

 private:
  CaseWeight cases_;
  double left_ = 0.0;
};

}  // namespace

Cut best_cut_by_cases(std::span<const Entry> entries, const Target& target, const double* weights, ImpurityName impurity, Cell known,
                      const CutRules& rules) {
  CutRules by_cases = rules;
  by_cases.known = target.size_of(known, rules.known);
  by_cases.min_side -= target.size_slack();
  const auto scan = [&](auto tally, const auto& by) {
    tally.start(known);
    return best_cut(entries, tally, by, by_cases);
  };
  Cut cut;
  switch (impurity) {
    case ImpurityName::Gini: cut = scan(CasesTally<ClassTally>(target, weights), Gini{}); break;
    case ImpurityName::Entropy: cut = scan(CasesTally<EntropyTally>(target, weights), Entropy{}); break;
    case ImpurityName::LeafCost: cut = scan(CasesTally<ClassTally>(target, weights), LeafCost{target.regret}); break;
    case ImpurityName::SmoothedCost: cut = scan(CasesTally<ClassTally>(target, weights), SmoothedCost{target.regret}); break;
    case ImpurityName::GiniLoss: cut = scan(CasesTally<ClassTally>(target, weights), GiniLoss{target.regret}); break;
    case ImpurityName::SquaredError:
    case ImpurityName::AbsoluteError: throw InputError("Cases are counted by class where classes are predicted.");
  }
  cut.left_weight = 0.0;
  for (Entry entry : entries.first(cut.position)) cut.left_weight += weights == nullptr ? 1.0 : weights[entry & row_mask];
  return cut;
}

}  // namespace thriftwood
