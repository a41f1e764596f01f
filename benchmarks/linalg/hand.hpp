// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/problem.hpp>
#include <linalg/rival.hpp>

namespace linalg_benchmark {

/// A program written by hand for one formula.
struct hand_plan {
  const char* name;     ///< the name of its problem
  const char* formula;  ///< its text with letters in place of extents: see `is_instance`
  rival (*make)(const wf::named_matrices& inputs);
};

/// All programs by hand. Each list is a translation unit of its own, because it compiles slowly.
std::vector<hand_plan> hand_plans();
std::vector<hand_plan> hand_plans_for_regression();
std::vector<hand_plan> hand_plans_for_filters();
std::vector<hand_plan> hand_plans_for_inversion();

/// True if a problem's text (`problem::text`) is an instance of a formula with letters for extents:
/// it declares the same inputs with the same properties, computes and exports the same, and each
/// letter stands for the same number throughout. White space is ignored.
inline bool is_instance(std::string_view formula, std::string_view text) {
  const auto without_blanks = [](std::string_view of) {
    std::string out;
    for (const char c : of)
      if (c != ' ') out += c;
    return out;
  };
  const std::string pattern = without_blanks(formula), actual = without_blanks(text);
  std::map<char, std::string> extents;
  std::size_t at = 0;
  bool is_shape = false;
  for (const char c : pattern) {
    is_shape = c == '[' || (is_shape && c != ']');
    if (!is_shape || c < 'a' || c > 'z') {
      if (at == actual.size() || actual[at++] != c) return false;
      continue;
    }
    const std::size_t begin = at;
    while (at < actual.size() && actual[at] >= '0' && actual[at] <= '9') ++at;
    const std::string number = actual.substr(begin, at - begin);
    if (number.empty() || extents.emplace(c, number).first->second != number) return false;
  }
  return at == actual.size();
}

/// The program by hand for a problem with a matching formula, whatever its name. The inputs must
/// outlive it.
inline std::optional<rival> hand_rival(const problem& p, const wf::named_matrices& inputs) {
  for (const hand_plan& plan : hand_plans())
    if (is_instance(plan.formula, p.text)) return plan.make(inputs);
  return std::nullopt;
}

}  // namespace linalg_benchmark
