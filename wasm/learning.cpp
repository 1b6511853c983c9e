#include "learning.hpp"

#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace thriftwood::face {

namespace {

using Reader = std::function<void(Learning&, const std::string&)>;

[[noreturn]] void refuse(const std::string& name, const std::string& value) {
  throw InputError("The core does not know the setting '" + name + "=" + value + "'.");
}

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw InputError("Not a number: '" + text + "'.");
  return value;
}

template <class Value>
Reader field(Value Settings::* member) {
  return [member](Learning& to, const std::string& text) { to.settings.*member = static_cast<Value>(number(text)); };
}

template <class Value>
Reader choice(Value Settings::* member, std::map<std::string, Value> words) {
  return [member, words = std::move(words)](Learning& to, const std::string& word) {
    const auto found = words.find(word);
    if (found == words.end()) refuse("choice", word);
    to.settings.*member = found->second;
  };
}

void set_criterion(Learning& to, const std::string& name) {
  for (const Criterion& one : criteria) {
    if (one.name != name) continue;
    to.settings.impurity = one.impurity;
    to.settings.merit = one.merit;
    to.settings.asks_split_info = one.asks_split_info;
    to.settings.asks_saving = one.asks_saving;
    to.asks_prices = one.asks_prices;
    return;
  }
  refuse("criterion", name);
}

// A parameter of the criterion, which stands in an earlier line.
void set_parameter(Learning& to, const std::string& name, const std::string& text) {
  bool found = false;
  std::visit(
      [&](auto& merit) {
        each_parameter(merit, [&](const auto& parameter, auto& member) {
          using Value = std::remove_cvref_t<decltype(member)>;
          if (parameter.name != name) return;
          if constexpr (std::is_enum_v<Value>) {
            for (std::size_t i = 0; i < parameter.choices.size(); ++i)
              if (parameter.choices[i] == text) member = static_cast<Value>(i), found = true;
          } else {
            const double value = number(text);
            found = !std::is_same_v<Value, double> || parameter.range.has(value);
            if (found) member = static_cast<Value>(value);
          }
        });
      },
      to.settings.merit);
  if (!found) refuse(name, text);
}

void set_pruning(Learning& to, const std::string& word) {
  if (word == "none")
    to.pruned = Pruned::Not;
  else if (word == "pessimistic")
    to.pruned = Pruned::Pessimistic;
  else if (word == "expected_cost")
    to.pruned = Pruned::ExpectedCost;
  else
    refuse("pruning", word);
}

const std::map<std::string, Reader>& readers() {
  using S = Settings;
  static const std::map<std::string, Reader> known{
      {"criterion", set_criterion},
      {"nominal", choice(&S::nominal, {{"multiway", NominalTests::Multiway},
                                       {"grouped", NominalTests::Grouped},
                                       {"binary", NominalTests::Binary},
                                       {"value", NominalTests::Value}})},
      {"missing", choice(&S::missing, {{"fractional", Missing::Fractional},
                                       {"surrogate", Missing::Surrogate},
                                       {"branch", Missing::Branch},
                                       {"stay", Missing::Stay},
                                       {"majority", Missing::Majority}})},
      {"order", choice(&S::order, {{"depth", Order::Depth}, {"breadth", Order::Breadth}, {"best", Order::Best}})},
      {"cut_at", choice(&S::cut_at, {{"midpoint", CutAt::Midpoint}, {"observed", CutAt::Observed}})},
      {"after_surrogates", choice(&S::after_surrogates, {{"majority", AfterSurrogates::Majority}, {"stop", AfterSurrogates::Stop}})},
      {"max_depth", field(&S::max_depth)},
      {"max_leaves", field(&S::max_leaves)},
      {"min_split_weight", field(&S::min_split_weight)},
      {"min_branch_weight", field(&S::min_branch_weight)},
      {"count_cases", field(&S::count_cases)},
      {"two_branches", field(&S::two_branches)},
      {"share_rule", field(&S::share_rule)},
      {"cut_penalty", field(&S::cut_penalty)},
      {"average_gain", field(&S::average_gain)},
      {"min_gap", field(&S::min_gap)},
      {"gain_floor", field(&S::gain_floor)},
      {"min_decrease", field(&S::min_decrease)},
      {"min_relative_gain", field(&S::min_relative_gain)},
      {"slack", field(&S::slack)},
      {"reuse_nominal", field(&S::reuse_nominal)},
      {"reuse_is_free", field(&S::reuse_is_free)},
      {"confidence", field(&S::confidence)},
      {"bonferroni", field(&S::bonferroni)},
      {"max_exhaustive", field(&S::max_exhaustive)},
      {"many_categories", field(&S::many_categories)},
      {"max_surrogates", field(&S::max_surrogates)},
      {"surrogate_known_only", field(&S::surrogate_known_only)},
      {"bins", field(&S::bins)},
      {"pruning", set_pruning},
      {"cf", [](Learning& to, const std::string& text) { to.cut.pruning.cf = number(text); }},
      {"subtree_raising", [](Learning& to, const std::string& text) { to.cut.pruning.subtree_raising = number(text) != 0.0; }},
      {"collapse", [](Learning& to, const std::string& text) { to.cut.collapse = number(text) != 0.0; }},
  };
  return known;
}

}  // namespace

Learning read_learning(std::string_view lines) {
  Learning result;
  result.lines = lines;
  while (!lines.empty()) {
    const std::string line(lines.substr(0, lines.find('\n')));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.empty()) continue;
    const auto equals = line.find('=');
    const std::string name = line.substr(0, equals), value = equals == std::string::npos ? "" : line.substr(equals + 1);
    const auto reader = readers().find(name);
    if (reader != readers().end())
      reader->second(result, value);
    else if (name.starts_with("parameter."))
      set_parameter(result, name.substr(10), value);
    else
      refuse(name, value);
  }
  result.cut.drop_impossible = result.settings.nominal == NominalTests::Grouped;
  return result;
}

}  // namespace thriftwood::face
