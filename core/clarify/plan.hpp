// The plan: which patterns a watched process counts. A text file with a line for each, fields parted by tabs:
//
//   0  count   f          calls of f
//   1  inside  f  g  h    activations of f that call g and h directly (any number of children from one on)
//   2  chain   f  g  h    activations of f that call a g that calls an h
//
// Lines are numbered from 0 in their order; the number is the counter's place in the profile file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thriftwood::clarify {

enum class PatternKind { count, inside, chain };

struct Pattern {
  PatternKind kind;
  std::vector<std::string> functions;
};

namespace detail {

inline std::vector<std::string_view> parted(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

}  // namespace detail

// Nothing when the text is no plan.
inline std::optional<std::vector<Pattern>> read_plan(std::string_view text) {
  std::vector<Pattern> patterns;
  for (const std::string_view line : detail::parted(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = detail::parted(line, '\t');
    if (fields.size() < 3 || fields[0] != std::to_string(patterns.size())) return std::nullopt;
    const std::size_t functions = fields.size() - 2;
    Pattern pattern;
    if (fields[1] == "count" && functions == 1) {
      pattern.kind = PatternKind::count;
    } else if (fields[1] == "inside" && functions >= 2) {
      pattern.kind = PatternKind::inside;
    } else if (fields[1] == "chain" && functions == 3) {
      pattern.kind = PatternKind::chain;
    } else {
      return std::nullopt;
    }
    pattern.functions.assign(fields.begin() + 2, fields.end());
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace thriftwood::clarify
