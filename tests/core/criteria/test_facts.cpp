// The list of criteria: what each one says of itself holds together.
#include <algorithm>
#include <set>
#include <string>

#include "check.hpp"
#include "criteria/criterion.hpp"

using namespace thriftwood;

namespace {

const Criterion& named(std::string_view name) {
  return *std::find_if(criteria.begin(), criteria.end(), [&](const Criterion& one) { return one.name == name; });
}

const Parameter& parameter(std::string_view criterion, std::string_view name) {
  const auto& all = named(criterion).parameters;
  return *std::find_if(all.begin(), all.end(), [&](const Parameter& one) { return one.name == name; });
}

}  // namespace

TEST_CASE("every criterion has a name of its own, a formula and a reference") {
  std::set<std::string_view> names, objects;
  for (const Criterion& one : criteria) {
    CHECK(names.insert(one.name).second);
    CHECK(!one.formula.empty() && !one.reference.empty());
    CHECK(one.value_object.empty() || objects.insert(one.value_object).second);
  }
  CHECK(names.contains("csgain") && objects.contains("CsGain"));
}

TEST_CASE("what has parameters, or looks ahead by samples, has a value object, and nothing else has") {
  for (const Criterion& one : criteria) CHECK(one.value_object.empty() == (one.parameters.empty() && !one.samples));
}

TEST_CASE("what is in money follows from the impurity and from what is asked") {
  for (const Criterion& one : criteria) {
    CHECK(!one.gain_in_money() || one.asks_errors);
    CHECK(!one.asks_saving || one.asks_errors);
    CHECK(!one.averages_gain || !one.gain_in_money());
    CHECK(!one.predicts_numbers() || (!one.asks_prices && !one.asks_errors));
  }
  CHECK(named("gini-loss").gain_in_money() && !named("gini-loss").in_money());
  CHECK(named("pm").in_money() && !named("pm").gain_in_money());
  CHECK(named("leaf-cost").in_money() && !named("leaf-cost").asks_prices);
}

TEST_CASE("parameters begin inside their bounds, and one at most weighs prices") {
  for (const Criterion& one : criteria) {
    int weighing = 0;
    std::set<std::string_view> names;
    for (const Parameter& each : one.parameters) {
      CHECK(names.insert(each.name).second);
      CHECK(!each.words.empty());
      CHECK(each.range.has(each.preset));
      CHECK((each.kind == ParameterKind::Choice) == !each.choices.empty());
      CHECK(each.kind != ParameterKind::Choice || each.preset < static_cast<double>(each.choices.size()));
      CHECK(each.weighs_prices || (each.tried.empty() && each.unit.empty() && !each.must_be_given));
      CHECK(!each.weighs_prices || each.tried.empty() == each.must_be_given);
      CHECK(each.must_be_given == !each.unit.empty());
      for (double value : each.tried) CHECK(each.range.has(value));
      weighing += each.weighs_prices;
    }
    CHECK(weighing <= (one.asks_prices ? 1 : 0));
  }
}

TEST_CASE("published values are the defaults") {
  CHECK(parameter("idx", "gamma").preset == 1.0);
  CHECK(parameter("eg2", "w").preset == 1.0);
  CHECK(parameter("cs-c45", "w").preset == 1.0);
  CHECK(parameter("lasc", "alpha").preset == 1.0);
  CHECK(parameter("act", "cf").preset == 0.25);
  for (std::string_view name : {"mitchell", "csgain", "csgain-ratio"}) CHECK(parameter(name, "gamma").must_be_given);
}

TEST_CASE("a parameter leads to the member that the formula reads") {
  CsGain csgain;
  each_parameter(csgain, [](const Parameter& one, auto& member) {
    if constexpr (std::is_same_v<decltype(member), double&>) {
      if (one.name == "gamma") member = 0.25;
    }
  });
  CHECK(csgain.gamma == 0.25);
  int parameters = 0;
  Gain gain;
  each_parameter(gain, [&](const auto&, auto&) { ++parameters; });
  CHECK(parameters == 0);
}

TEST_CASE("a range has its ends unless they are left out") {
  CHECK(not_negative.has(0.0) && !not_negative.has(infinity) && !not_negative.has(-1e-9));
  CHECK(!positive.has(0.0) && positive.has(1e-9));
  CHECK(!Interval{}.has(std::nan("")) && Interval{}.has(infinity));
}

TEST_CASE("the split information divides the gain where the parameters say so") {
  CHECK(divides_by_split_info(GainRatio{}) && divides_by_split_info(CsC45{}) && divides_by_split_info(Pm{}));
  CHECK(!divides_by_split_info(Pm{Information::Gain}));
  CsGainRatio ancestors;
  ancestors.path = Path::Ancestors;
  CHECK(divides_by_split_info(CsGainRatio{}) && !divides_by_split_info(ancestors));
}
