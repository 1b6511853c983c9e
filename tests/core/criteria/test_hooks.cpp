// What merits say of themselves beside their formula, and what is so where they say nothing.
#include <array>

#include "check.hpp"
#include "criteria/criterion.hpp"

using namespace thriftwood;

TEST_CASE("a merit without hooks is ordered by gain, not sampled, and counts prices as they are") {
  constexpr std::array prices{2.0, 5.0};
  for (const AnyMerit& plain : {AnyMerit{Gain{}}, AnyMerit{Eg2{}}, AnyMerit{Idx{}}}) {
    CHECK(priority_of(plain) == Priority::Gain);
    CHECK(!sampling_of(plain));
    CHECK(price_weight(plain, 0.25) == 1.0 && price_unit(plain, prices) == 1.0);
    CHECK(!plans_components(plain));
    CHECK(divides_by_split_info(plain));
  }
}

TEST_CASE("what is additive orders nodes by the merit") {
  CHECK(priority_of(CsGain{}) == Priority::Merit && priority_of(CsGainRatio{}) == Priority::Merit);
  CHECK(priority_of(TotalCost{}) == Priority::MeritTimesWeight);
}

TEST_CASE("samples are judged by leaves or by cost") {
  const Sampling lsid3 = sampling_of(Lsid3{}).value(), act = sampling_of(Act{}).value();
  CHECK(!lsid3.by_cost && !lsid3.first_is_best && lsid3.takes_finishing);
  CHECK(act.by_cost && act.first_is_best && !act.takes_finishing);
  CHECK(leaf_confidence(Act{{}, 0.1}) == 0.1);
  for (const Criterion& one : criteria) {
    CHECK(one.samples == sampling_of(one.merit).has_value());
    CHECK(one.samples_by_cost == (one.samples && sampling_of(one.merit)->by_cost));
  }
}

TEST_CASE("prices are measured by a price of the list, and count by the share of the cases") {
  constexpr std::array prices{2.0, 6.0};
  Lasc lasc;
  lasc.alpha = 2.0;
  CHECK(price_weight(lasc, 0.5) == 0.25);
  for (const auto& [norm, unit] : {std::pair{PriceNorm::Largest, 6.0}, {PriceNorm::Mean, 4.0}, {PriceNorm::Sum, 8.0}, {PriceNorm::None, 1.0}}) {
    lasc.norm = norm;
    CHECK(price_unit(lasc, prices) == unit);
    CHECK(price_unit(lasc, {}) == 1.0 && price_unit(lasc, std::array{0.0, 0.0}) == 1.0);
  }
  CHECK(plans_components(lasc));
  lasc.lookahead = false;
  CHECK(!plans_components(lasc));
}
