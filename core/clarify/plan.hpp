// The plan: which patterns a watched process counts. A text file with a line for each, fields parted by tabs:
//
//   0  count   f          calls of f
//   1  inside  f  g  h    activations of f that call g and h directly (any number of children from one on)
//   2  chain   f  g  h    activations of f that call a g that calls an h
//   3  tree    f  g 2 h i  k 0    activations of f that call a g that calls h and i, and that call k: each child of f with the number
//                                 of its own children behind it, and then these
//
// Lines are numbered from 0 in their order; the number is the counter's place in the profile file.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace thriftwood::clarify {

enum class PatternKind { count, inside, chain, tree };

struct Pattern {
  PatternKind kind;
  std::vector<std::string> functions;
  std::vector<std::size_t> shape;  // tree: for each child the number of its own children, which follow it in `functions`
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

// The fields of a tree behind its kind: f, then each child, the number of its children, and these.
inline bool read_tree(const std::vector<std::string_view>& fields, Pattern& pattern) {
  pattern.functions.emplace_back(fields[2]);
  for (std::size_t at = 3; at < fields.size();) {
    if (at + 1 == fields.size()) return false;
    std::size_t below = 0;
    const std::string_view number = fields[at + 1];
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), below);
    if (error != std::errc() || end != number.data() + number.size() || below > fields.size() - at - 2) return false;
    pattern.functions.emplace_back(fields[at]);
    pattern.functions.insert(pattern.functions.end(), fields.begin() + static_cast<std::ptrdiff_t>(at + 2),
                             fields.begin() + static_cast<std::ptrdiff_t>(at + 2 + below));
    pattern.shape.push_back(below);
    at += 2 + below;
  }
  return !pattern.shape.empty();
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
    Pattern pattern{};
    if (fields[1] == "tree") {
      pattern.kind = PatternKind::tree;
      if (!detail::read_tree(fields, pattern)) return std::nullopt;
      patterns.push_back(std::move(pattern));
      continue;
    }
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
