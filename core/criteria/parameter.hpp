// A parameter of a criterion, declared once, beside the formula that reads it. Its default is that of the member; bounds, words and values
// worth trying stand with it. The value objects in Python, their checks and messages and the page of criteria are made of this.
//
//   struct Eg2 {
//     double w = 1.0;
//     static constexpr auto parameters() { return std::tuple{number(&Eg2::w, "w", not_negative, "...")}; }
//   };
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "../basics/types.hpp"

namespace thriftwood {

// The numbers that a parameter may be.
struct Interval {
  double low = -infinity;
  double high = infinity;
  bool above = false;  // leaves `low` itself out
  bool below = false;  // leaves `high` itself out

  constexpr bool has(double x) const { return (above ? x > low : x >= low) && (below ? x < high : x <= high); }  // NaN is in no range
};

inline constexpr Interval not_negative{0.0, infinity, false, true}, positive{0.0, infinity, true, true};

// Worth trying where prices divide or are the base of a power, whatever their unit: 0 ignores them, 1 is what was published.
inline constexpr std::array ratio_values{0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0};

enum class ParameterKind : std::uint8_t { Number, Flag, Choice };

// What can be said of a parameter without knowing whose it is.
struct Parameter {
  std::string_view name;
  std::string_view words;  // what it does
  ParameterKind kind = ParameterKind::Number;
  double preset = 0.0;     // its value unless another is given: a number, 0 or 1, or the place of a choice
  Interval range{};                                // numbers
  std::span<const std::string_view> choices{};  // choices, as users write them, in the order of the values of the enum
  bool weighs_prices = false;                   // says how much prices count
  bool must_be_given = false;                   // nobody published a value
  std::string_view unit{};                      // what a unit of price is weighed against, where that needs saying
  std::span<const double> tried{};              // values worth trying; empty: they depend on the prices
};

// A parameter and the member that holds it.
template <class Owner, class Value>
struct Field : Parameter {
  Value Owner::* place;

  // The parameter says how much prices count, whatever their unit.
  constexpr Field weighing_prices(std::span<const double> worth_trying) const {
    Field field = *this;
    field.weighs_prices = true;
    field.tried = worth_trying;
    return field;
  }
  // The parameter turns a price into a unit of something else. Nobody can know what that is worth but the user.
  constexpr Field pricing(std::string_view against) const {
    Field field = *this;
    field.weighs_prices = field.must_be_given = true;
    field.unit = against;
    return field;
  }
};

template <class Owner>
constexpr Field<Owner, double> number(double Owner::* place, std::string_view name, Interval range, std::string_view words) {
  return {{.name = name, .words = words, .kind = ParameterKind::Number, .preset = Owner{}.*place, .range = range}, place};
}

template <class Owner>
constexpr Field<Owner, bool> flag(bool Owner::* place, std::string_view name, std::string_view words) {
  return {{.name = name, .words = words, .kind = ParameterKind::Flag, .preset = Owner{}.*place ? 1.0 : 0.0}, place};
}

template <class Owner, class Value, std::size_t n>
constexpr Field<Owner, Value> choice(Value Owner::* place, std::string_view name, const std::array<std::string_view, n>& choices,
                                     std::string_view words) {
  return {{.name = name, .words = words, .kind = ParameterKind::Choice, .preset = static_cast<double>(Owner{}.*place), .choices = choices}, place};
}

// Of criteria that subtract what a test costs.
template <class Owner>
constexpr Field<Owner, bool> allowing_negative(bool Owner::* place) {
  return flag(place, "allow_negative", "Growth stops where no test is worth its price. True: the best test is taken all the same.");
}

// Calls visit(field, member) for every parameter that a merit has.
template <class Merit, class Visit>
constexpr void each_parameter(Merit& merit, Visit visit) {
  if constexpr (requires { Merit::parameters(); })
    std::apply([&](const auto&... field) { (visit(field, merit.*field.place), ...); }, Merit::parameters());
}

// The parameters of a merit, without the members.
template <class Merit>
inline constexpr auto parameters_of = [] {
  if constexpr (requires { Merit::parameters(); })
    return std::apply([](const auto&... field) { return std::array<Parameter, sizeof...(field)>{static_cast<const Parameter&>(field)...}; },
                      Merit::parameters());
  else
    return std::array<Parameter, 0>{};
}();

}  // namespace thriftwood
